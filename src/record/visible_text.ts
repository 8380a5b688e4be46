/** Text from outside made fit for one line of a terminal, a log or a block. */

/** Names of the escapes that readers know from C; the rest is shown by its code point. */
const NAMED: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\x1b": "\\e",
};

/**
 * Control characters, format characters (bidirectional controls, zero-width, tags), line and paragraph
 * separators, lone surrogates, private use: all that can end a line, hide text or reorder it
 * (Unicode 16, general categories Cc, Cf, Zl, Zp, Cs, Co), and the Hangul fillers that look like blanks.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0]/gu;

/**
 * Shows every character that could forge or hide a line as an escape (`\n`, `\e`, `\u{202e}`), so that the
 * result is one line and reads as it is. For people and models; not meant to be decoded.
 */
export function visibleText(text: string): string {
  return text.replace(
    UNSAFE,
    (char) => NAMED[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Marks a left out middle. */
const ELLIPSIS = "\u2026";

/**
 * `visibleText` in at most `max` characters (UTF-16 units, at least 8): the middle is left out and marked with an
 * ellipsis, because paths and commands differ at both ends. Never splits a surrogate pair.
 */
export function shortText(text: string, max: number): string {
  // Bounds the work on a hostile field; escaping never makes text shorter.
  const whole = text.length <= 2 * max;
  const shown = visibleText(whole ? text : text.slice(0, max) + text.slice(-max));
  if (whole && shown.length <= max) return shown;
  const tail = Math.floor((max - 1) * 0.4);
  const start = shown.slice(0, max - 1 - tail).replace(/[\ud800-\udbff]$/, "");
  const end = shown.slice(shown.length - tail).replace(/^[\udc00-\udfff]/, "");
  return start + ELLIPSIS + end;
}
