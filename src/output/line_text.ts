/** Turns the bytes of one line into text to show, cut in its middle when it is too long. */
import type { LineBytes } from "./lines.ts";
import { type ScreenOptions, screenText } from "./screen_text.ts";
import { estimateTokens } from "./token_estimate.ts";

/** A line as text. `cut` counts the bytes of the line that a marker stands for. */
export interface LineText {
  readonly text: string;
  readonly cut: number;
}

/** How much of one line is shown. */
export interface LineCap {
  readonly chars: number;
  /** Estimated tokens; as many as there are when absent. */
  readonly tokens?: number;
}

/** Text that takes more tokens than it may is cut to at least this many characters. */
const MIN_CHARS = 60;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const CARRIAGE_RETURN = 0x0d;

/** The marker for whole lines that were left out. */
export function lineMarker(lines: number): string {
  return `...truncated ${lines} lines...`;
}

/** The marker for bytes that were left out of one line. */
export function byteMarker(bytes: number): string {
  return `...truncated ${bytes} bytes...`;
}

/** Length of the longest prefix of at most `max` bytes that ends no character in its middle. */
function frontLength(bytes: Uint8Array, max: number): number {
  let length = Math.min(max, bytes.length);
  while (length > 0 && length < bytes.length && ((bytes[length] as number) & 0xc0) === 0x80) {
    length--;
  }
  return length;
}

function backLength(bytes: Uint8Array, max: number): number {
  let start = Math.max(0, bytes.length - max);
  while (start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return bytes.length - start;
}

function render(bytes: Uint8Array, screen: ScreenOptions): string {
  return screenText(decoder.decode(bytes), screen);
}

/** What is written behind the first carriage return in the last part of a long line, which replaces all before it. */
function behindReturn(tail: Uint8Array): Uint8Array | null {
  let end = tail.length;
  while (end > 0 && tail[end - 1] === CARRIAGE_RETURN) end--;
  const at = tail.subarray(0, end).indexOf(CARRIAGE_RETURN);
  return at < 0 ? null : tail.subarray(at + 1);
}

/**
 * Text of a line within a cap, or little above it: as it is, or `front...truncated N bytes...back`, where N counts bytes
 * of the redacted line exactly.
 */
export function lineText(line: LineBytes, options: LineCap & ScreenOptions): LineText {
  const { chars, tokens = Infinity } = options;
  let shown = cutText(line, chars, options);
  for (let cap = chars; cap > MIN_CHARS;) {
    const estimate = estimateTokens(shown.text);
    if (estimate <= tokens) break;
    // As dense as now; the middle that is cut off may have been the lighter part, so it shrinks in any case.
    const fitting = Math.floor(shown.text.length * tokens / estimate);
    cap = Math.max(MIN_CHARS, Math.min(fitting, Math.floor(cap * 0.9)));
    shown = cutText(line, cap, options);
  }
  return shown;
}

function cutText(line: LineBytes, cap: number, screen: ScreenOptions): LineText {
  const state = line.kind === "whole" ? line.bytes : behindReturn(line.tail);
  if (state !== null) {
    const text = render(state, screen);
    if (text.length <= cap) return { text, cut: 0 };
    // Cursor movements can make more columns than there are bytes.
    if (state.length <= cap) return { text: text.slice(0, cap), cut: 0 };
  }
  const first = line.kind === "whole" ? line.bytes : line.head;
  const last = line.kind === "whole" ? line.bytes : line.tail;
  const length = line.kind === "whole" ? line.bytes.length : line.length;
  const half = Math.max(1, Math.floor(cap / 2) - 20);
  const front = frontLength(first, half);
  const back = backLength(last, half);
  const cut = length - front - back;
  const text = render(first.subarray(0, front), screen) + byteMarker(cut) +
    render(last.subarray(last.length - back), screen);
  return { text, cut };
}
