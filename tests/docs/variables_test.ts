import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { readDocument, ROOT } from "./documents.ts";

/** Names of Debrief's own variables, and of OpenTelemetry's, in all of its source. */
function variablesIn(path: string): readonly string[] {
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
    const below = join(path, name);
    if (isDirectory) return variablesIn(below);
    const text = Deno.readTextFileSync(below);
    return [...text.matchAll(/\b(?:DEBRIEF|OTEL)_[A-Z_]*[A-Z]\b/g)].map(([variable]) => variable);
  });
}

Deno.test("docs/guide.md explains every variable that the source reads or sets", () => {
  const guide = readDocument("docs/guide.md");
  const variables = new Set(variablesIn(join(ROOT, "src")));
  assertEquals(variables.size > 0, true);
  assertEquals([...variables].filter((name) => !guide.includes(`\`${name}\``)), []);
});
