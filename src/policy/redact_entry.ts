/** Entries of `redact.rules` and `redact.allow`. */
import { showValue } from "./show_value.ts";

/** Longest accepted pattern in characters. */
const MAX_PATTERN = 4096;
/** Longest accepted value that is no secret, in bytes; longer ones have no exact identity. */
const MAX_ALLOWED = 512;

/** Says what is wrong with a rule's name, or null when it is kebab-case. */
export function problemOfRuleName(name: string): string | null {
  if (name.length <= 64 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) return null;
  return `Cannot use the rule name ${
    showValue(name)
  }: accepted is kebab-case of at most 64 characters, for example "build-token"`;
}

/**
 * Says what is wrong with a pattern, or null when it compiles and can be used.
 *
 * A pattern that matches the empty string would match everywhere and hide nothing of use.
 */
export function problemOfPattern(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) {
    return `Cannot use a pattern of ${pattern.length} characters: at most ${MAX_PATTERN} are accepted`;
  }
  const compiled = compile(pattern, "v") ?? compile(pattern, "u");
  if (compiled === null) {
    return `Cannot compile the pattern ${showValue(pattern)}: ${reason(pattern)}`;
  }
  return compiled.test("")
    ? `Cannot use the pattern ${showValue(pattern)}: it matches the empty string`
    : null;
}

/** Says what is wrong with a value that is to be shown, or null. */
export function problemOfAllowed(value: string): string | null {
  const length = new TextEncoder().encode(value).length;
  if (length > 0 && length <= MAX_ALLOWED && !/[\r\n]/.test(value)) return null;
  return `Cannot show a value of ${length} bytes: accepted is one line of 1 to ${MAX_ALLOWED} bytes`;
}

function compile(pattern: string, flags: "u" | "v"): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}

function reason(pattern: string): string {
  try {
    new RegExp(pattern, "u");
    return "";
  } catch (error) {
    return error instanceof Error
      ? error.message.replace(/^Invalid regular expression: .*: /s, "")
      : String(error);
  }
}
