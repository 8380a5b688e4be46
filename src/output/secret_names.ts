/**
 * Which names announce a secret, and which values are none. Both are judged on words: `DB_PASS`, `dbPass` and
 * `db.pass` are names of a secret, `compass` and `PASS_COUNT` are not.
 */

/** What a name says about its value. */
export type NameKind = "password" | "key" | null;

const PASSWORD_WORDS = new Set([
  "password",
  "passwords",
  "passwd",
  "passphrase",
  "passcode",
  "pswd",
]);
/** Words that mean a password only at the end of a name: `DB_PASS`, not `pass-through`. */
const SHORT_PASSWORD = /^(?:pass|pwd|pw|sshpass|dbpass|userpass|authpass|dbpwd|mypwd)$/;
const KEY_WORDS = new Set([
  "token",
  "tokens",
  "secret",
  "secrets",
  "apikey",
  "credential",
  "credentials",
  "dsn",
  "authkey",
]);
const PASSWORD_ENDINGS = /(?:password|passwd|passphrase|pswd)$/;
const KEY_ENDINGS =
  /(?:token|secret|apikey|secretkey|privatekey|accesskey|signingkey|encryptionkey|masterkey|authkey|accountkey|storagekey|deploykey|licensekey|sessionkey|connectionstring|credentials?)$/;
/** Words that make a key out of a following `key`. */
const KEY_PREFIXES = new Set([
  "api",
  "private",
  "access",
  "secret",
  "signing",
  "sign",
  "encryption",
  "encrypt",
  "master",
  "auth",
  "account",
  "storage",
  "deploy",
  "license",
  "session",
  "crypt",
  "hmac",
  "jwt",
  "service",
]);
/** Last words of names that describe a secret without holding one. */
const DESCRIPTIVE = new Set([
  "name",
  "names",
  "url",
  "uri",
  "endpoint",
  "file",
  "filename",
  "path",
  "dir",
  "id",
  "ids",
  "algorithm",
  "alg",
  "length",
  "len",
  "type",
  "count",
  "size",
  "ttl",
  "expiry",
  "expires",
  "expiration",
  "expired",
  "exp",
  "limit",
  "host",
  "port",
  "user",
  "username",
  "email",
  "version",
  "enabled",
  "required",
  "policy",
  "field",
  "label",
  "hint",
  "format",
  "lifetime",
  "timeout",
  "min",
  "max",
  "strength",
  "prompt",
  "ref",
  "usage",
  "index",
  "budget",
  "rate",
  "status",
  "env",
  "var",
  "regex",
  "pattern",
  "placeholder",
  "help",
  "description",
  "title",
  "class",
  "style",
  "scope",
  "issuer",
  "audience",
  "input",
  "output",
  "visible",
  "valid",
  "mode",
  "store",
  "manager",
  "provider",
  "helper",
  "command",
  "cmd",
  "reset",
  "changed",
  "age",
  "date",
  "time",
  "at",
  "encoding",
  "source",
  "arn",
]);

function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function isKeyPair(list: readonly string[]): boolean {
  return list.some((word, i) => {
    const next = list[i + 1] ?? "";
    if (word === "connection" && next === "string") return true;
    return KEY_PREFIXES.has(word) && (next === "key" || next === "keys" && i + 2 === list.length);
  });
}

/** Tells what kind of secret a variable, field or option of this name holds; null for none. */
export function secretNameKind(name: string): NameKind {
  // The shell's own variables for the working directory.
  if (name === "PWD" || name === "OLDPWD") return null;
  const list = words(name).map((word) => word.replace(/(?<=[a-z])\d+$/, ""));
  while (list.length > 1 && /^\d+$/.test(list.at(-1) as string)) list.pop();
  const last = list.at(-1);
  if (last === undefined || DESCRIPTIVE.has(last)) return null;
  if (SHORT_PASSWORD.test(last)) return "password";
  if (list.some((word) => PASSWORD_WORDS.has(word) || PASSWORD_ENDINGS.test(word))) {
    return "password";
  }
  if (list.some((word) => KEY_WORDS.has(word) || KEY_ENDINGS.test(word)) || isKeyPair(list)) {
    return "key";
  }
  return list.join("_").endsWith("client_key_data") || name === "_auth" ? "key" : null;
}

/** Values that say that there is none, names of types, and words of messages about a secret. */
const EMPTY_VALUES = new Set([
  "true",
  "false",
  "null",
  "nil",
  "none",
  "undefined",
  "yes",
  "no",
  "on",
  "off",
  "unset",
  "empty",
  "set",
  "redacted",
  "hidden",
  "masked",
  "missing",
  "invalid",
  "valid",
  "expired",
  "required",
  "optional",
  "string",
  "str",
  "text",
  "value",
  "bool",
  "boolean",
  "int",
  "integer",
  "number",
  "float",
  "any",
  "object",
  "void",
  "bytes",
  "buffer",
  "secretstr",
  "self",
  "this",
  "await",
  "new",
  "function",
  "return",
  "async",
  "prompt",
  "stdin",
  "file",
  "path",
  "env",
  "default",
  "changeme",
  "example",
  "dummy",
  "xxx",
  "todo",
  "n/a",
  "na",
  "tbd",
  "not",
  "is",
  "the",
  "for",
  "was",
  "has",
  "must",
  "should",
  "cannot",
  "can",
  "please",
  "stringarray",
  "present",
  "absent",
  "unknown",
  "found",
  "ok",
  "failed",
  "error",
]);

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

/**
 * True when a value after a secret's name is no secret: a reference, a placeholder, a type, code or prose.
 * `raw` has one character for each byte.
 */
export function isHarmlessValue(raw: string, shape: ValueShape): boolean {
  const value = raw.replace(LABEL, "");
  if (value.length < MIN_LENGTH[shape.kind]) return true;
  // Every check below concerns short text; a long value is judged by its beginning.
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
