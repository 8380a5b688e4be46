/** Reads the value behind the name of a secret: where it begins, how it is quoted and where it ends. */
import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  COLON,
  EQUALS,
  isBlank,
  isNameByte,
  isQuote,
  LINE_FEED,
  QUOTE,
  SEMICOLON,
} from "./ascii.ts";
import { isHarmlessValue } from "./harmless_values.ts";
import { PENDING, type ViewText } from "./view_text.ts";

/**
 * What was found: the value is `[start, end)`, and with `open` it goes on behind what has been looked at. While it waits,
 * nothing before `from` can be a secret.
 */
export type AssignmentMatch =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly from: number }
  | {
    readonly kind: "value";
    readonly start: number;
    readonly end: number;
    readonly open: boolean;
  };

/** The answer that nothing has to be hidden. */
export const NO_ASSIGNMENT: AssignmentMatch = { kind: "none" };

const MAX_NAME = 64;
const MAX_ESCAPES = 8;
/** Longest value that is looked at as a whole, in bytes; a longer one is hidden to its end without being read. */
const MAX_VALUE = 4096;
/** Bytes of a value that decide whether it is a secret. */
const MAX_HEAD = 256;

/** End of a value without quotes. */
function endsBareValue(byte: number): boolean {
  return byte <= 0x20 || byte === QUOTE || byte === APOSTROPHE || byte === BACKTICK ||
    byte === 0x7f;
}

/** Bytes that continue an open value: everything but blanks, controls and quotes. */
export const OPEN_VALUE_BYTES: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => endsBareValue(byte) || byte === BACKSLASH ? 0 : 1,
);

/** Position of the first byte from `from` on that fails the test, at most `max` bytes away. */
export function skip(
  text: ViewText,
  from: number,
  options: { test: (byte: number) => boolean; max: number },
): number {
  let at = from;
  while (at - from < options.max && options.test(text.at(at))) at++;
  return at;
}

/** Where the value begins, how it is introduced, and what ends it. */
export interface Opening {
  readonly at: number;
  readonly tight: boolean;
  readonly separator: "=" | ":" | " " | ">";
}

/** The name of a secret and where it stands. */
export interface NamedValue {
  readonly name: string;
  readonly kind: "password" | "key";
  readonly query: boolean;
  readonly prose: boolean;
}

/** In prose only what looks like a secret is one. */
function isProseSecret(value: string, kind: NamedValue["kind"]): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) &&
    value.length >= (kind === "password" ? 6 : 16);
}

/** Position of the first byte of the value proper: behind a string prefix (`b"`, `@"`) as programming languages have. */
function skipStringPrefix(text: ViewText, from: number): number {
  const at = skip(text, from, {
    test: (byte) => "bBfFrRuUL@".includes(String.fromCharCode(Math.max(0, byte))),
    max: 2,
  });
  return at > from && isQuote(text.at(at)) ? at : from;
}

/** Reads the value that begins behind a separator. */
export function readValue(text: ViewText, opening: Opening, named: NamedValue): AssignmentMatch {
  const first = skipStringPrefix(text, opening.at);
  const escapes = skip(text, first, { test: (byte) => byte === BACKSLASH, max: MAX_ESCAPES });
  const mark = text.at(escapes);
  const wait: AssignmentMatch = { kind: "wait", from: opening.at };
  if (mark === PENDING || text.at(first + 1) === PENDING || text.at(first + 2) === PENDING) {
    return wait;
  }
  const quoted = isQuote(mark);
  const start = quoted ? escapes + 1 : opening.at;
  const findEnd = (limit: number) =>
    quoted
      ? quotedEnd(text, start, { mark, escapes: escapes - first, limit })
      : bareEnd(text, start, { opening, query: named.query, limit });
  // The head decides whether this is a secret at all, so that text full of names is not read to its end for each.
  const headEnd = findEnd(start + MAX_HEAD);
  if (headEnd < 0) return wait;
  const head = text.latin1(start, headEnd);
  if (opening.separator === " " && isNoOptionValue(head)) return NO_ASSIGNMENT;
  if (named.prose && !isProseSecret(head, named.kind)) return NO_ASSIGNMENT;
  if (isHarmlessValue(head, { ...named, quoted, tight: opening.tight })) return NO_ASSIGNMENT;
  const limit = start + MAX_VALUE;
  const end = headEnd < start + MAX_HEAD ? headEnd : findEnd(limit);
  if (end < 0) return wait;
  const trimmed = quoted || end >= start + MAX_HEAD
    ? end
    : start + head.replace(/[,;)\]}]+$/, "").length;
  return { kind: "value", start, end: trimmed, open: end === limit };
}

/** After `--token` a word is a value, but `--token STRING`, `--token -x` and `--token | tee` have none. */
function isNoOptionValue(value: string): boolean {
  return /^[-|&;>=]/.test(value) || /^[A-Z_]+$/.test(value) || /^[a-z]{1,9}$/.test(value);
}

/**
 * A quoted value ends at its quote behind as many backslashes as stand before the opening one, or at the line's end;
 * -1 when the end has not arrived.
 */
function quotedEnd(
  text: ViewText,
  start: number,
  by: { mark: number; escapes: number; limit: number },
): number {
  let backslashes = 0;
  let at = start;
  for (; at < by.limit; at++) {
    const byte = text.at(at);
    if (byte === PENDING) return -1;
    if (byte < 0 || byte === LINE_FEED) return at;
    if (byte === by.mark && backslashes <= by.escapes) return at - backslashes;
    backslashes = byte === BACKSLASH ? backslashes + 1 : 0;
    // An escaped backslash in a plain string does not escape the quote behind it.
    if (by.escapes === 0 && backslashes === 2) backslashes = 0;
  }
  return at;
}

/** End of a value without quotes; -1 when it has not arrived. */
function bareEnd(
  text: ViewText,
  start: number,
  by: { opening: Opening; query: boolean; limit: number },
): number {
  let at = start;
  for (; at < by.limit; at++) {
    const byte = text.at(at);
    if (byte === PENDING) return -1;
    if (byte < 0 || endsBareValue(byte)) return at;
    if (by.query && (byte === 0x26 || byte === 0x23)) return at;
    if (by.opening.separator === ">" && byte === 0x3c) return at;
    if (byte !== BACKSLASH && byte !== SEMICOLON) continue;
    const ends = byte === BACKSLASH ? endsAtEscape(text, at) : beginsNextField(text, at + 1);
    if (ends === "wait") return -1;
    if (ends) return at;
  }
  return at;
}

/** A backslash ends a bare value before a quote, and where it writes a line break before another word (`A=b\nC=d`). */
function endsAtEscape(text: ViewText, at: number): boolean | "wait" {
  const behind = skip(text, at, { test: (byte) => byte === BACKSLASH, max: MAX_ESCAPES });
  const byte = text.at(behind);
  if (byte === PENDING) return "wait";
  if (byte !== 0x6e && byte !== 0x72) return isQuote(byte);
  const word = skip(text, behind + 1, { test: isNameByte, max: MAX_NAME });
  const next = text.at(word);
  if (next === PENDING) return "wait";
  return next === EQUALS || next === COLON || next === 0x20 || next === BACKSLASH || isQuote(next);
}

/** `;Name=` or `; Name=`, as in connection strings, or the end of what was given. */
function beginsNextField(text: ViewText, from: number): boolean | "wait" {
  const nameStart = skip(text, from, { test: isBlank, max: 2 });
  const nameEnd = skip(text, nameStart, {
    test: (byte) => isNameByte(byte) || byte === 0x20,
    max: MAX_NAME,
  });
  const byte = text.at(nameEnd);
  if (byte === PENDING) return "wait";
  return byte === EQUALS || byte < 0 || endsBareValue(byte);
}
