import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  editableText,
  type InputPart,
  originalText,
  PasteReader,
} from "../../src/cli/pasted_text.ts";

const [START, END] = ["\u001b[200~", "\u001b[201~"];

function read(...chunks: readonly string[]): readonly InputPart[] {
  const reader = new PasteReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
}

Deno.test("PasteReader tells what is pasted from what is typed", () => {
  const rows: readonly { readonly in: readonly string[]; readonly want: readonly string[] }[] = [
    { in: ["ls\r"], want: ["keys ls\r"] },
    { in: [`a${START}b\nc${END}d`], want: ["keys a", "paste b\nc", "keys d"] },
    { in: [`${START}x`, "y", `z${END}`], want: ["paste xyz"] },
    { in: ["\u001b", "[A"], want: ["keys \u001b", "keys [A"] },
    { in: [`${START}${END}`], want: ["paste "] },
    { in: [`${START}a${END}${START}b${END}`], want: ["paste a", "paste b"] },
    { in: [`${END}a`], want: [`keys ${END}a`] },
    { in: [`${START}${START}a${END}`], want: [`paste ${START}a`] },
  ];
  for (const { in: chunks, want } of rows) {
    assertEquals(read(...chunks).map(({ kind, text }) => `${kind} ${text}`), want);
  }
});

Deno.test("PasteReader gives the same parts whatever the pieces", () => {
  const part = fc.constantFrom("a", "\n", START, END, "\u001b", "[200", "bc");
  fc.assert(fc.property(fc.array(part), fc.integer({ min: 1, max: 7 }), (parts, size) => {
    const text = parts.join("");
    // A mark that is begun at the end is a key once nothing of it can follow.
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const joined = (found: readonly InputPart[]) =>
      found.reduce<string[]>((all, { kind, text }) => {
        if (kind === "keys" && all.at(-1)?.startsWith("keys ")) {
          return [...all.slice(0, -1), all.at(-1)! + text];
        }
        return [...all, `${kind} ${text}`];
      }, []);
    // One escape at the end of a piece is handed on at once, so a mark may be cut there.
    if (pieces.some((piece) => piece.endsWith("\u001b"))) return;
    assertEquals(joined(read(...pieces)), joined(read(text)));
  }));
});

Deno.test("editableText() keeps newlines as a symbol, and no control character", () => {
  assertEquals(editableText("a\r\nb\tc\n\n"), "a\u23ceb    c");
  assertEquals(editableText("\u001b[2Jx\u0007\u009b"), "[2Jx");
  assertEquals(originalText(editableText("for i in 1\ndo :\ndone\n")), "for i in 1\ndo :\ndone");
});
