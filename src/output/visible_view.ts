/**
 * The visible view of raw output: the bytes that a reader sees as one run of text. Escape sequences, carriage
 * returns, backslash-newline and a NUL inside a token are left out, so that none of them can split a secret into
 * halves that no rule knows. A sparse map leads from visible positions back to raw ones.
 *
 * Only the frame of an operating system command (`ESC ] ... BEL`) is invisible, never its payload: a payload can
 * hold a link with a password in it and must be seen.
 */

const NUL = 0x00;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;
const BACKSLASH = 0x5c;

/** Bytes that may be invisible; everything else always is visible. */
export const SPECIAL_BYTES = [NUL, CARRIAGE_RETURN, ESCAPE, BACKSLASH] as const;

/** Longest parameter part of a control sequence (ECMA-48 sets no limit; xterm's own is far below). */
const MAX_SEQUENCE = 64;
/** Longest variable name after a NUL that makes the NUL a separator. */
const MAX_NAME = 64;
/** After this many invisible bytes in a row the next one counts as visible, which bounds what is held back. */
const MAX_INVISIBLE_RUN = 1024;

const UNDECIDED = -1;

const special = new Uint8Array(256);
for (const byte of SPECIAL_BYTES) special[byte] = 1;

function isNameByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f || byte === 0x25 || byte === 0x2e || byte === 0x2d;
}

/** Length of the invisible sequence at `at`: 0 when the byte is visible, -1 when more bytes must be seen first. */
function invisibleLength(raw: Uint8Array, at: number, final: boolean): number {
  const more = final ? 0 : UNDECIDED;
  switch (raw[at]) {
    case CARRIAGE_RETURN:
      return 1;
    case BACKSLASH: {
      if (at + 1 >= raw.length) return more;
      if (raw[at + 1] === LINE_FEED) return 2;
      if (raw[at + 1] !== CARRIAGE_RETURN) return 0;
      if (at + 2 >= raw.length) return more;
      return raw[at + 2] === LINE_FEED ? 3 : 0;
    }
    case NUL:
      return nulLength(raw, at, final);
    case ESCAPE:
      return escapeLength(raw, at, final);
    default:
      return 0;
  }
}

/** A NUL is a separator at the end, before another NUL and before `NAME=` (a dumped environment). */
function nulLength(raw: Uint8Array, at: number, final: boolean): number {
  let i = at + 1;
  while (i < raw.length && i - at <= MAX_NAME && isNameByte(raw[i] as number)) i++;
  if (i >= raw.length && i - at <= MAX_NAME) return final ? (i === at + 1 ? 0 : 1) : UNDECIDED;
  const isEquals = i > at + 1 && raw[i] === 0x3d;
  if (isEquals && i + 1 >= raw.length && !final) return UNDECIDED;
  // The padding of base64 is no assignment.
  const named = isEquals && raw[i + 1] !== 0x3d && raw[i + 1] !== 0x20 && raw[i + 1] !== LINE_FEED;
  return named || raw[at + 1] === NUL ? 0 : 1;
}

/** Escape sequences of ECMA-48; of one that is none of them only the ESC byte itself is invisible. */
function escapeLength(raw: Uint8Array, at: number, final: boolean): number {
  const more = final ? 1 : UNDECIDED;
  if (at + 1 >= raw.length) return more;
  const kind = raw[at + 1] as number;
  if (kind === 0x5b) {
    let i = at + 2;
    while (
      i < raw.length && i - at < MAX_SEQUENCE && (raw[i] as number) >= 0x20 &&
      (raw[i] as number) <= 0x3f
    ) i++;
    if (i >= raw.length && i - at < MAX_SEQUENCE) return more;
    const end = raw[i] ?? 0;
    return end >= 0x40 && end <= 0x7e ? i + 1 - at : 1;
  }
  // OSC, DCS, PM, APC, SOS introducers; string terminator; keypad and cursor-save controls.
  if (
    kind === 0x5d || kind === 0x5c || kind === 0x3d || kind === 0x3e || kind === 0x37 ||
    kind === 0x38
  ) return 2;
  // Character set designations, as `tput sgr0` prints them.
  if (kind >= 0x28 && kind <= 0x2b) return at + 2 < raw.length ? 3 : more;
  return 1;
}

/** Builds the view of one buffer at a time and keeps its memory for the next. */
export class VisibleView {
  #raw: Uint8Array = new Uint8Array(0);
  #buffer = new Uint8Array(0);
  #viewAt: number[] = [];
  #rawAt: number[] = [];
  /** The visible bytes; only the first `length` are valid. */
  bytes: Uint8Array = this.#raw;
  length = 0;
  /** Raw bytes that are represented in the view; the rest is an incomplete sequence. */
  rawLength = 0;

  /** True when every raw byte is visible. */
  get identical(): boolean {
    return this.bytes === this.#raw;
  }

  /** Takes `raw` as it is. The caller must know that it holds no invisible byte, or `build` when it finds one. */
  assume(raw: Uint8Array): void {
    this.#raw = raw;
    this.bytes = raw;
    this.length = raw.length;
    this.rawLength = raw.length;
    this.#viewAt.length = 0;
    this.#rawAt.length = 0;
  }

  /** Builds the view of `raw`, of which everything before `from` is known to be visible. */
  build(raw: Uint8Array, options: { from: number; final: boolean }): void {
    this.assume(raw);
    if (this.#buffer.length < raw.length) this.#buffer = new Uint8Array(Math.max(raw.length, 4096));
    const out = this.#buffer;
    out.set(options.from === 0 ? raw.subarray(0, 0) : raw.subarray(0, options.from));
    let at = options.from;
    let length = options.from;
    let lastVisible = at;
    while (at < raw.length) {
      const byte = raw[at] as number;
      if (special[byte] === 0 || at - lastVisible > MAX_INVISIBLE_RUN) {
        out[length++] = byte;
        lastVisible = ++at;
        continue;
      }
      const skip = invisibleLength(raw, at, options.final);
      if (skip === UNDECIDED) break;
      if (skip === 0) {
        out[length++] = byte;
        lastVisible = ++at;
        continue;
      }
      at += skip;
      this.#recordGap(length, at);
    }
    this.bytes = out;
    this.length = length;
    this.rawLength = at;
  }

  #recordGap(view: number, raw: number): void {
    const last = this.#viewAt.length - 1;
    if (last >= 0 && this.#viewAt[last] === view) {
      this.#rawAt[last] = raw;
      return;
    }
    this.#viewAt.push(view);
    this.#rawAt.push(raw);
  }

  #entry(view: number): number {
    let low = 0;
    let high = this.#viewAt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#viewAt[middle] as number) <= view) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Raw position of the visible byte at `view`. */
  rawStart(view: number): number {
    const entry = this.#entry(view);
    return entry < 0
      ? view
      : (this.#rawAt[entry] as number) + view - (this.#viewAt[entry] as number);
  }

  /** Raw position right after the visible bytes before `view`: invisible bytes that follow them are not included. */
  rawEnd(view: number): number {
    return view === 0 ? 0 : this.rawStart(view - 1) + 1;
  }

  /** True when invisible bytes stand directly before the visible byte at `view`. */
  gapBefore(view: number): boolean {
    const entry = this.#entry(view);
    return entry >= 0 && this.#viewAt[entry] === view;
  }
}
