/** Control sequences of terminals, as far as they move or erase; ECMA-48 and xterm's control sequences. */

/** One sequence: its length in bytes, and what it means. */
export interface EscapeSequence {
  readonly length: number;
  /** True for `ESC [`. */
  readonly isControl: boolean;
  /** Last byte, 0 for a sequence that is none or means nothing here. */
  readonly final: number;
  /** True for parameters of a private kind (`ESC [ ? 25 l`). */
  readonly isPrivate: boolean;
  /** First and second parameter, 0 when absent. */
  readonly first: number;
  readonly second: number;
}

/** Longest parameter part; a longer one is no sequence. */
const MAX_PARAMETERS = 64;
/** Longest row of intermediate bytes. */
const MAX_INTERMEDIATES = 8;
/** Larger numbers mean the same: no screen has as many rows or columns. */
const MAX_NUMBER = 10_000;
const LEFT_BRACKET = 0x5b;
const QUESTION_MARK = 0x3f;
const SEMICOLON = 0x3b;

function bytesOf(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let i = 0; i < text.length; i++) table[text.charCodeAt(i)] = 1;
  return table;
}

/** Finals of control sequences that reach other lines: cursor up, down, to a place; erase, insert, delete; save. */
const VERTICAL_CONTROLS = bytesOf("ABEFHfJLMdsu");
/** The same for the byte behind ESC: save, restore, index, next line, reverse index, reset. */
const VERTICAL_SINGLES = bytesOf("78DEMc");
/** Private modes of alternative screens. */
const SCREEN_MODES: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** The mode of a visible cursor: displays hide it while they draw. */
const CURSOR_MODE = 25;

/** Reads the sequence whose ESC stands at `at`; null when more bytes must be seen first. */
export function readEscape(bytes: Uint8Array, at: number): EscapeSequence | null {
  const kind = bytes[at + 1];
  if (kind === undefined) return null;
  if (kind >= 0x20 && kind <= 0x2f) return readIntermediate(bytes, at);
  if (kind !== LEFT_BRACKET) return singleOf(kind, 2);
  const isPrivate = bytes[at + 2] === QUESTION_MARK;
  let end = at + 2;
  const most = Math.min(end + MAX_PARAMETERS, bytes.length);
  const numbers = [0, 0];
  for (let index = 0; end < most; end++) {
    const byte = bytes[end] as number;
    if (byte < 0x20 || byte > 0x3f) break;
    if (byte === SEMICOLON) index++;
    else if (byte >= 0x30 && byte <= 0x39 && index < 2) {
      numbers[index] = Math.min(MAX_NUMBER, (numbers[index] as number) * 10 + byte - 0x30);
    }
  }
  if (end >= bytes.length) return null;
  const final = bytes[end] as number;
  const isFinal = final >= 0x40 && final <= 0x7e;
  return {
    length: isFinal ? end + 1 - at : 2,
    isControl: true,
    final: isFinal ? final : 0,
    isPrivate,
    first: numbers[0] as number,
    second: numbers[1] as number,
  };
}

/** `ESC ( B` and the like: nothing but its length matters. */
function readIntermediate(bytes: Uint8Array, at: number): EscapeSequence | null {
  let end = at + 1;
  const most = end + MAX_INTERMEDIATES;
  while (end < most && (bytes[end] ?? 0) >= 0x20 && (bytes[end] ?? 0) <= 0x2f) end++;
  if (end >= bytes.length) return null;
  return { ...singleOf(bytes[end] as number, end + 1 - at), final: 0 };
}

/** A sequence without parameters; a byte that cannot end one is no part of it. */
function singleOf(last: number, length: number): EscapeSequence {
  const isFinal = last >= 0x30 && last <= 0x7e;
  return {
    length: isFinal ? length : length - 1,
    isControl: false,
    final: isFinal ? last : 0,
    isPrivate: false,
    first: 0,
    second: 0,
  };
}

/** True for a sequence that switches between the screen and an alternative one, in either direction. */
export function isScreenMode({ isPrivate, first }: EscapeSequence): boolean {
  return isPrivate && SCREEN_MODES.has(first);
}

/** True for a sequence after which lines above or below may change. */
export function isVertical(sequence: EscapeSequence): boolean {
  const { isControl, final, isPrivate, first } = sequence;
  if (!isControl) return VERTICAL_SINGLES[final] === 1;
  if (!isPrivate) return VERTICAL_CONTROLS[final] === 1;
  const sets = final === 0x68;
  const resets = final === 0x6c;
  return resets && first === CURSOR_MODE || (sets || resets) && isScreenMode(sequence);
}
