import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readLines } from "../../src/cli/standard_input.ts";

async function linesOf(chunks: readonly string[]): Promise<readonly string[]> {
  return await Array.fromAsync(readLines(ReadableStream.from(chunks)));
}

Deno.test("readLines() finds the same lines however the text arrives", async () => {
  const text = fc.array(fc.constantFrom("a", "\n", "\r", "\u00e9", " "), { maxLength: 30 });
  await fc.assert(fc.asyncProperty(text, fc.array(fc.nat(5)), async (letters, cuts) => {
    const whole = letters.join("");
    const chunks: string[] = [];
    let at = 0;
    for (const cut of cuts) chunks.push(whole.slice(at, at += cut));
    const want = whole.split("\n");
    if (want.at(-1) === "") want.pop();
    assertEquals(await linesOf([...chunks, whole.slice(at)]), want);
  }));
});

Deno.test("readLines() keeps memory bounded where a line never ends", async () => {
  const chunk = "x".repeat(1 << 20);
  const pieces = await linesOf([chunk, chunk, chunk, chunk, "y\nz"]);
  assertEquals(pieces.map((piece) => piece.length), [3 << 20, (1 << 20) + 1, 1]);
});
