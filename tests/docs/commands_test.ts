import { assertEquals } from "@std/assert";
import { COMMANDS } from "../../src/cli/command_table.ts";
import { readDocument } from "./documents.ts";

/** Commands that a document names as they are called. */
function named(path: string): readonly string[] {
  const found = readDocument(path).matchAll(/\bdebrief ([a-z]+)/g);
  return [...new Set([...found].map(([, name = ""]) => name))];
}

Deno.test("README.md and docs/guide.md name every command, the help apart", () => {
  const names = new Set([...named("README.md"), ...named("docs/guide.md")]);
  const called = COMMANDS.map(({ name }) => name).filter((name) =>
    name !== "run" && name !== "help"
  );
  assertEquals(called.length > 10, true);
  assertEquals(called.filter((name) => !names.has(name)), []);
});
