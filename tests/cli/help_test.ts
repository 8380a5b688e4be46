import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path/posix";
import { COMMANDS } from "../../src/cli/command_table.ts";
import { FLAGS, flagsOf } from "../../src/cli/flags.ts";
import { helpText } from "../../src/cli/help.ts";
import { parseCommandLine } from "../../src/cli/command_line.ts";

/** Widest line, in characters: two short lines of the table may grow beyond what others have. */
const MAX_WIDTH = 120;

/** The text as it was accepted; `UPDATE_GOLDENS=1` accepts the present one. */
function golden(name: string, text: string): string {
  const path = join(import.meta.dirname!, "help", `${name}.txt`);
  if (Deno.env.get("UPDATE_GOLDENS") === "1") Deno.writeTextFileSync(path, text);
  return Deno.readTextFileSync(path);
}

for (const { name, summary, usage, examples } of COMMANDS) {
  Deno.test(`helpText("${name}") is the accepted text and holds the whole table`, () => {
    const text = helpText(name);
    assertEquals(text, golden(name, text));
    for (
      const part of [
        summary,
        ...usage,
        ...examples,
        ...flagsOf(name).map((flag) => flag.summary),
      ]
    ) {
      assertStringIncludes(text, part);
    }
    for (const line of text.split("\n")) assert(line.length <= MAX_WIDTH, line);
  });
}

Deno.test("helpText() of a command names no flag that it does not take", () => {
  for (const { name } of COMMANDS) {
    const own = new Set(flagsOf(name).map((flag) => flag.name));
    const others = FLAGS.filter((flag) => !own.has(flag.name));
    for (const flag of others) {
      assertEquals(
        new RegExp(`^ +(-., )?--${flag.name}\\b`, "m").test(helpText(name)),
        false,
        `${name} ${flag.name}`,
      );
    }
  }
});

Deno.test("COMMANDS holds examples that parse", () => {
  for (const { examples } of COMMANDS) {
    for (const example of examples) {
      // The last of a pipe; words of these examples hold no other quotes than single ones.
      const words = example.split("| ").at(-1)!.match(/'[^']*'|\S+/g)!.map((word) =>
        word.replaceAll("'", "")
      );
      assertEquals(words[0], "debrief", example);
      parseCommandLine(words.slice(1));
    }
  }
});
