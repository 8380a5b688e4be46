/**
 * Finds the value that belongs to a secret's name: `NAME=value`, `"name": "value"` (also escaped inside a string),
 * YAML, INI, XML, `--option value`, `name`/`value` pairs and NUL-separated environments. It is written by hand
 * because names are frequent: a name is left after a few bytes when no separator follows.
 *
 *   ["]  name  ["'\]  blanks  = : := =>  blanks  \..\"  value  \..\"
 */
import {
  type AssignmentMatch,
  NO_ASSIGNMENT,
  type Opening,
  readValue,
  skip,
} from "./assignment_value.ts";
import {
  BACKSLASH,
  COLON,
  EQUALS,
  isAlphanumeric,
  isBlank,
  isNameByte,
  isQuote,
  LINE_FEED,
} from "./ascii.ts";
import type { SecretNames } from "./secret_names.ts";
import { BEFORE, PENDING, type ViewText } from "./view_text.ts";

const MAX_NAME = 64;
const MAX_CLOSERS = 8;
const MAX_BLANKS = 16;
const MAX_LINE_LEAD = 100;

/** Scans for the value of the name that contains the keyword at `[start, end)`. */
export function findAssignment(
  text: ViewText,
  keyword: { start: number; end: number; names: SecretNames },
): AssignmentMatch {
  const nameEnd = skip(text, keyword.end, { test: isNameByte, max: MAX_NAME });
  if (text.at(nameEnd) === PENDING) return { kind: "wait", from: nameEnd };
  let nameStart = keyword.start;
  while (keyword.start - nameStart < MAX_NAME && isNameByte(text.at(nameStart - 1))) nameStart--;
  const opening = findOpening(text, nameStart, nameEnd);
  if (opening === "wait") return { kind: "wait", from: text.end };
  if (opening === "none") return NO_ASSIGNMENT;
  const name = text.latin1(nameStart, nameEnd);
  const kind = isVerdict(name, opening) ? null : keyword.names.kindOf(name);
  if (kind === null) return NO_ASSIGNMENT;
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
    const behind = text.at(at + 1);
    if (behind === PENDING) return "wait";
    // `'<password>'` is a placeholder, no element.
    return isQuote(behind) ? "none" : { at: at + 1, tight: true, separator: ">" };
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
