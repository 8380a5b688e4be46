/**
 * Takes bracketed pastes out of a terminal's input (xterm's "bracketed paste mode"): what is pasted is put into the line as
 * text, whatever newlines and control characters it has, and nothing of it is carried out before Enter is pressed.
 */

/** Asks the terminal to mark what is pasted, and no longer. */
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";
const START = "\u001b[200~";
const END = "\u001b[201~";
/** Longest paste in characters; the rest is dropped. */
const MAX_PASTE = 1 << 20;

/** Stands for a newline in a line that is edited (recalled ones too): the symbol for return. */
const RETURN = "\u23ce";

/** A part of the input, in order. */
export type InputPart =
  | { readonly kind: "keys"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string };

/** Text as it is put into the line that is edited: newlines as a symbol, other control characters dropped. */
export function editableText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replace(/\n+$/, "").replaceAll("\t", "    ")
    .replaceAll("\n", RETURN)
    .replaceAll(/\p{Cc}/gu, "");
}

/** The text that a line with such symbols stands for. */
export function originalText(line: string): string {
  return line.replaceAll(RETURN, "\n");
}

/** Splits the input, whatever its pieces. */
export class PasteReader {
  #rest = "";
  #paste: string | null = null;

  /** Take text; returns what is whole. */
  push(text: string): readonly InputPart[] {
    const parts: InputPart[] = [];
    let input = this.#rest + text;
    this.#rest = "";
    while (input !== "") {
      const mark = this.#paste === null ? START : END;
      const at = input.indexOf(mark);
      const held = at < 0 ? begun(input, mark) : 0;
      const taken = at < 0 ? input.slice(0, input.length - held) : input.slice(0, at);
      if (this.#paste !== null) this.#paste = (this.#paste + taken).slice(0, MAX_PASTE);
      else if (taken !== "") parts.push({ kind: "keys", text: taken });
      if (at < 0) {
        this.#rest = input.slice(input.length - held);
        break;
      }
      if (this.#paste !== null) parts.push({ kind: "paste", text: this.#paste });
      this.#paste = this.#paste === null ? "" : null;
      input = input.slice(at + mark.length);
    }
    return parts;
  }
}

/** Characters at the end that may begin a mark; a lone Escape is a key. */
function begun(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 1; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
