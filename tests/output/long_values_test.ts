/** Values that go on behind the window in which they are judged. */
import { assertEquals } from "@std/assert";
import { bytesOf, redactCut, textOf } from "./redact_helpers.ts";
import { alnum } from "./rules_samples.ts";

Deno.test("RedactStream: a value longer than its window has one label, whatever is in it and however it arrives", () => {
  const key = "sk-" + alnum(60);
  const long = "X".repeat(4100);
  const begun = "gh" + "p_" + alnum(36);
  const glued = bytesOf(`${begun}sk-${long.repeat(2)}Authorization: x\n`);
  const one = "[REDACTED:github-token#1]: x\n";
  for (const n of [1, 5, 4096]) {
    const cuts = Array.from({ length: Math.floor(glued.length / n) }, (_, i) => n * i);
    assertEquals(textOf(redactCut(glued, cuts)), one);
  }
  for (const value of [`abc1${long}${key}`, `abc1${long}=${key}`, `abc:sk-${long}1`]) {
    const input = bytesOf(`password=${value} foo\n`);
    const everywhere = Array.from({ length: input.length }, (_, i) => i);
    for (const cuts of [[], everywhere, everywhere.filter((at) => at % 7 === 0)]) {
      assertEquals(textOf(redactCut(input, cuts)), "password=[REDACTED:assignment#1] foo\n");
    }
  }
});
