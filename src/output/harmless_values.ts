/** Which values after a secret's name are no secrets: references, placeholders, names of types, code and prose. */
import { type NameKind, wordSet } from "./secret_names.ts";

/** Values that say that there is none, names of types, and words of messages about a secret. */
const EMPTY_VALUES = wordSet(
  "true false null nil none undefined yes no on off unset empty set redacted hidden masked missing " +
    "invalid valid expired required optional string str text value bool boolean int integer number " +
    "float any object void bytes buffer secretstr self this await new function return async prompt " +
    "stdin file path env default changeme example dummy xxx todo n/a na tbd not is the for was has " +
    "must should cannot can please stringarray present absent unknown found ok failed error",
);

/** How a value was written. */
export interface ValueShape {
  /** The name as it stands before the value. */
  readonly name: string;
  readonly kind: Exclude<NameKind, null>;
  readonly quoted: boolean;
  /** `=` without blanks: the form of environments and options. Otherwise the text may be code or prose. */
  readonly tight: boolean;
}

const LABEL = /\[REDACTED:[A-Za-z0-9_.-]{1,64}#\d{1,9}\]/g;
const TRAILING = "[.,;)\\]}]*$";
const PLACEHOLDER = new RegExp(
  "^(?:" + [
    "\\$\\{[^}]*\\}?",
    "\\$[A-Za-z_]\\w*",
    "\\$\\(.*",
    "`.*",
    "%[A-Za-z_]\\w*%",
    "<(?:[^>]*>|[A-Za-z_-]*)",
    "\\*+",
    "[xX]{3,}",
    "[.]{2,}",
    "-+",
    "_+",
    "#+",
    "(?:\u00e2\u0080\u00a6)+",
    "\\{\\{.*",
    "\\{%.*",
    "\\[[^\\]]*\\]?",
    "\\{[^}]*\\}",
    "\\([^)]*\\)",
  ].join("|") + ")" + TRAILING,
);
/** A reference to a file (`@file`) or a tag (`!secret`), where the text is no environment. */
const REFERENCE = /^(?:@[\w./-]+|![A-Za-z/]+)$/;
const CALL = /^[A-Za-z_$][A-Za-z_$.]*(?:\(|\[|::|->|<|\{|=>)/;
const WHOLE_CALL = /^[A-Za-z_$][A-Za-z_$.]*\([^()]*\)[;,.)]*$/;
const CHAIN = /^[A-Za-z_$]+(?:\??\.[A-Za-z_$]+)+[;,)\]}]*$/;
const IDENTIFIER = /^[A-Za-z_$]+[;,)\]}]*$/;
const WORD = /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)[;,.)\]}]*$/;
const SENTENCE = /^[A-Z]?[A-Za-z'-]+(?:[ ,.:;]+[A-Za-z0-9'()-]+){2,}[.!?:]?$/;
const PATH =
  /^(?:file:.*|~\/.*|(?:\.{1,2})?(?:\/[a-z0-9._-]+)+\/?|\/(?:home|Users|etc|var|usr|tmp|run|root|opt|mnt|srv|proc)\/.*)$/;

/** Shortest value that can be hidden; what is shorter is a flag, a count or a test value. */
const MIN_LENGTH = { password: 4, key: 6 } as const;
/** A single word of fewer letters is no key. */
const MIN_WORD_KEY = 12;

/** What is left of a value when what is hidden already is taken out. */
export function withoutLabels(value: string): string {
  return value.replace(LABEL, "");
}

/**
 * True when a value after a secret's name is no secret: a reference, a placeholder, a type, code or prose.
 * `raw` has one character for each byte.
 */
export function isHarmlessValue(raw: string, shape: ValueShape): boolean {
  const value = withoutLabels(raw);
  if (value.length < MIN_LENGTH[shape.kind]) return true;
  // A long value is judged by its beginning, which also bounds the work of the expressions below.
  const head = value.slice(0, 256);
  const word = head.toLowerCase().replace(/[.,;:)\]}]+$/, "");
  if (EMPTY_VALUES.has(word) || shape.name.toLowerCase().endsWith(word) || PLACEHOLDER.test(head)) {
    return true;
  }
  if (head.startsWith("-----BEGIN") || PATH.test(head)) return true;
  if (
    shape.kind === "key" &&
    (/^[\d.,:]+$/.test(head) || (WORD.test(head) && word.length < MIN_WORD_KEY))
  ) return true;
  if (shape.quoted) return head.includes(" ") && SENTENCE.test(head);
  if (shape.tight) return WHOLE_CALL.test(head);
  if (CALL.test(head) || CHAIN.test(head) || REFERENCE.test(head)) return true;
  return IDENTIFIER.test(head) &&
    (shape.kind === "key" || /pass|pwd|token|secret|credential|key/i.test(head));
}
