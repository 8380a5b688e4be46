/** A line as a screen shows it, without the secrets that nothing but the screen puts together. */
import { renderLine } from "./screen.ts";

/**
 * What a screen does not show and redaction takes for text: a bold letter printed twice over a backspace, the title in
 * an operating system command. Two halves of a secret beside it are one word on the screen only. Colours, erased ends of
 * lines and carriage returns are not among it: redaction leaves them out itself.
 */
// deno-lint-ignore no-control-regex -- control characters are what this module is about
const JOINING = /[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\x1b(?!\[[0-?]{0,64}[mK])/;

/** How a line is drawn. */
export interface ScreenOptions {
  /** Keeps escape sequences, for a terminal: then the terminal draws. */
  readonly ansi?: boolean;
  /** Redacts a text. */
  readonly redact: (text: string) => string;
}

/** Draws one redacted line without its newline, and redacts what that has put together. */
export function screenText(line: string, { ansi = false, redact }: ScreenOptions): string {
  const shown = renderLine(line, { ansi });
  return !ansi && JOINING.test(line) ? redact(shown) : shown;
}
