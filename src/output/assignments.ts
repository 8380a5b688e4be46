/**
 * Finds the value that belongs to a secret's name: `NAME=value`, `"name": "value"` (also escaped inside a string),
 * YAML, INI, XML, `--option value`, `name`/`value` pairs and NUL-separated environments. It is written by hand
 * because names are frequent: a name is left after a few bytes when no separator follows.
 *
 *   ["]  name  ["'\]  blanks  = : := =>  blanks  \..\"  value  \..\"
 */
import { isHarmlessValue, secretNameKind } from "./secret_names.ts";
import { BEFORE, isAlphanumeric, PENDING, type ViewText } from "./view_text.ts";

/** Keywords at which a name of a secret is looked for; lower-case. */
export const NAME_KEYWORDS = [
  "token",
  "secret",
  "pass",
  "pwd",
  "pswd",
  "apikey",
  "api_key",
  "api-key",
  "privatekey",
  "private_key",
  "private-key",
  "private key",
  "accesskey",
  "access_key",
  "access-key",
  "credential",
  "dsn",
  "connection_string",
  "connection-string",
  "connectionstring",
  "accountkey",
  "account_key",
  "signing_key",
  "signingkey",
  "encryption_key",
  "encryptionkey",
  "master_key",
  "masterkey",
  "auth_key",
  "authkey",
  "_auth",
  "client-key-data",
  "jwt_key",
  "session_key",
  "deploy_key",
  "license_key",
  "storage_key",
  "storagekey",
  "service_key",
  "hmac_key",
  "crypt_key",
  "api key",
  "access key",
] as const;

/** What was found; while it waits nothing before `from` can be a secret. The value is `[start, end)`; with `open` it goes on behind what has been looked at. */
export type AssignmentMatch =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly from: number }
  | {
    readonly kind: "value";
    readonly start: number;
    readonly end: number;
    readonly open: boolean;
  };

const NONE: AssignmentMatch = { kind: "none" };

const MAX_NAME = 64;
const MAX_CLOSERS = 8;
const MAX_BLANKS = 16;
/** Longest value that is looked at as a whole, in bytes; a longer one is hidden to its end without being read. */
const MAX_VALUE = 4096;
const MAX_LINE_LEAD = 100;

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;
const COLON = 0x3a;
const LINE_FEED = 0x0a;

function isNameByte(byte: number): boolean {
  return isAlphanumeric(byte) || byte === 0x5f || byte === 0x2d || byte === 0x2e;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function isQuote(byte: number): boolean {
  return byte === QUOTE || byte === APOSTROPHE || byte === 0x60;
}

/** End of a value without quotes. */
function endsBareValue(byte: number): boolean {
  return byte <= 0x20 || byte === QUOTE || byte === APOSTROPHE || byte === 0x60 || byte === 0x7f;
}

/** Bytes that continue an open value: everything but blanks, controls and quotes. */
export const OPEN_VALUE_BYTES: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => endsBareValue(byte) || byte === BACKSLASH ? 0 : 1,
);

function skip(
  text: ViewText,
  from: number,
  options: { test: (byte: number) => boolean; max: number },
): number {
  let at = from;
  while (at - from < options.max && options.test(text.at(at))) at++;
  return at;
}

/** Where the value begins, how it is introduced, and what ends it. */
interface Opening {
  readonly at: number;
  readonly tight: boolean;
  readonly separator: "=" | ":" | " " | ">";
}

/** Scans for the value of the name that contains the keyword at `[start, end)`. */
export function findAssignment(
  text: ViewText,
  keyword: { start: number; end: number },
): AssignmentMatch {
  const nameEnd = skip(text, keyword.end, { test: isNameByte, max: MAX_NAME });
  if (text.at(nameEnd) === PENDING) return { kind: "wait", from: nameEnd };
  let nameStart = keyword.start;
  while (keyword.start - nameStart < MAX_NAME && isNameByte(text.at(nameStart - 1))) nameStart--;
  const opening = findOpening(text, nameStart, nameEnd);
  if (opening === "wait") return { kind: "wait", from: text.end };
  if (opening === "none") return NONE;
  const name = text.latin1(nameStart, nameEnd);
  const kind = isVerdict(name, opening) ? null : secretNameKind(name);
  if (kind === null) return NONE;
  const prose = opening.separator === ":" && !isKeyOfMapping(text, nameStart, name);
  return readValue(text, opening, {
    name,
    kind,
    prose,
    query: isQueryStart(text.at(nameStart - 1)),
  });
}

/** `PASS: test name` of test runners, and options that switch a secret off. */
function isVerdict(name: string, opening: Opening): boolean {
  return (name === "PASS" && opening.separator === ":") || /^-+no-/.test(name);
}

function isQueryStart(byte: number): boolean {
  return byte === 0x3f || byte === 0x26;
}

function findOpening(
  text: ViewText,
  nameStart: number,
  nameEnd: number,
): Opening | "none" | "wait" {
  const closed = skip(text, nameEnd, {
    test: (byte) => isQuote(byte) || byte === BACKSLASH || byte === 0x5d,
    max: MAX_CLOSERS,
  });
  const at = skip(text, closed, { test: isBlank, max: MAX_BLANKS });
  const byte = text.at(at);
  if (byte === PENDING) return "wait";
  if (byte === EQUALS || byte === COLON) return afterSeparator(text, closed, at);
  if (byte === 0x3e && text.at(nameStart - 1) === 0x3c && at === nameEnd) {
    return { at: at + 1, tight: true, separator: ">" };
  }
  const isOption = text.at(nameStart) === 0x2d;
  if (isOption && at > closed && closed === nameEnd) return { at, tight: true, separator: " " };
  if (byte === 0x2c || byte === LINE_FEED) return pairedValue(text, nameStart, at);
  return "none";
}

/** Position behind `=`, `:`, `:=` or `=>` and the blanks after it; `==`, `=~` and `::` separate nothing. */
function afterSeparator(text: ViewText, closed: number, at: number): Opening | "none" | "wait" {
  const first = text.at(at);
  const second = text.at(at + 1);
  if (second === PENDING) return "wait";
  if (second === first || (first === EQUALS && second === 0x7e)) return "none";
  const wide = (first === COLON && second === EQUALS) || (first === EQUALS && second === 0x3e);
  const behind = at + (wide ? 2 : 1);
  const value = skip(text, behind, { test: isBlank, max: MAX_BLANKS });
  if (text.at(value) === PENDING) return "wait";
  const tight = first === EQUALS && !wide && at === closed && value === behind;
  return { at: value, tight, separator: first === EQUALS || wide ? "=" : ":" };
}

const NAME_BEFORE =
  /(?:^|[\s{,[(-])\\*["']?(?:name|key|Name|Key|NAME)\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?$/;
const VALUE_AFTER = /^\s{0,40}\\*["']?[Vv]alue\\*["']?\s{0,4}[:=]\s{0,8}/;
const PAIR_REACH = 72;

/** `{"name": "DB_PASSWORD", "value": "..."}` and the same in YAML, as cluster and container tools print it. */
function pairedValue(text: ViewText, nameStart: number, at: number): Opening | "none" | "wait" {
  let from = nameStart;
  while (nameStart - from < 24 && text.at(from - 1) !== BEFORE && text.at(from - 1) !== LINE_FEED) {
    from--;
  }
  if (!NAME_BEFORE.test(text.latin1(from, nameStart))) return "none";
  let to = at + 1;
  while (to - at < PAIR_REACH && text.at(to) >= 0) to++;
  const after = text.latin1(at + 1, to);
  const value = VALUE_AFTER.exec(after);
  if (
    text.at(to) === PENDING && to - at < PAIR_REACH &&
    (value === null || value[0].length === after.length)
  ) {
    return "wait";
  }
  return value === null ? "none" : { at: at + 1 + value[0].length, tight: true, separator: "=" };
}

/**
 * `name: value` in prose is an error message ("unexpected token: foo"). It is a mapping when the name is quoted, is
 * written as an identifier or begins its line.
 */
function isKeyOfMapping(text: ViewText, nameStart: number, name: string): boolean {
  if (/[_A-Z.]|-./.test(name.slice(1)) || isQuote(text.at(nameStart - 1))) return true;
  for (let at = nameStart - 1; nameStart - at <= MAX_LINE_LEAD; at--) {
    const byte = text.at(at);
    if (byte === LINE_FEED || byte === BEFORE || byte === 0x7b || byte === 0x2c) return true;
    if (isAlphanumeric(byte)) return byte === 0x6e && text.at(at - 1) === BACKSLASH;
  }
  return false;
}

interface NamedValue {
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

function readValue(text: ViewText, opening: Opening, named: NamedValue): AssignmentMatch {
  const first = skipStringPrefix(text, opening.at);
  const escapes = skip(text, first, { test: (byte) => byte === BACKSLASH, max: MAX_CLOSERS });
  const mark = text.at(escapes);
  const wait: AssignmentMatch = { kind: "wait", from: opening.at };
  if (mark === PENDING || text.at(first + 1) === PENDING || text.at(first + 2) === PENDING) {
    return wait;
  }
  const quoted = isQuote(mark);
  const start = quoted ? escapes + 1 : opening.at;
  const limit = start + MAX_VALUE;
  const end = quoted
    ? quotedEnd(text, start, { mark, escapes: escapes - first, limit })
    : bareEnd(text, start, { opening, query: named.query, limit });
  if (end < 0) return wait;
  const value = text.latin1(start, end);
  if (opening.separator === " " && isNoOptionValue(value)) return NONE;
  if (named.prose && !isProseSecret(value, named.kind)) return NONE;
  if (isHarmlessValue(value, { ...named, quoted, tight: opening.tight })) return NONE;
  const trimmed = quoted || end === limit ? end : start + value.replace(/[,;)\]}]+$/, "").length;
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
    if (byte !== BACKSLASH && byte !== 0x3b) continue;
    const ends = byte === BACKSLASH ? endsAtEscape(text, at) : beginsNextField(text, at + 1);
    if (ends === "wait") return -1;
    if (ends) return at;
  }
  return at;
}

/** A backslash ends a bare value before a quote, and where it writes a line break before another word (`A=b\nC=d`). */
function endsAtEscape(text: ViewText, at: number): boolean | "wait" {
  const behind = skip(text, at, { test: (byte) => byte === BACKSLASH, max: MAX_CLOSERS });
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
