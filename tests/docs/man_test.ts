import { assertEquals } from "@std/assert";
import { join } from "node:path/posix";
import { renderMan } from "../../tools/generate_man.ts";
import { readDocument, ROOT } from "./documents.ts";

const missing = !new Deno.Command("bash", { args: ["-c", "command -v mandoc"], stdout: "null" })
  .outputSync().success;

/** What mandoc says of a page; that it has no date, so that each build writes the same, is wanted. */
function complaints(input: string): readonly string[] {
  const args = ["-c", 'printf %s "$1" | mandoc -T lint -W warning', "bash", input];
  const { stdout } = new Deno.Command("bash", { args }).outputSync();
  const lines = new TextDecoder().decode(stdout).split("\n").filter(Boolean);
  return lines.filter((line) => !line.includes("missing date"));
}

Deno.test("docs/debrief.1 is what tools/generate_reference.ts writes", () => {
  assertEquals(Deno.readTextFileSync(join(ROOT, "docs/debrief.1")), renderMan());
});

Deno.test({
  name: `mandoc has nothing to say of docs/debrief.1${missing ? " (ignored: not installed)" : ""}`,
  ignore: missing && Deno.env.get("REQUIRE_SANDBOX") !== "1",
  fn: () => {
    const page = readDocument("docs/debrief.1");
    assertEquals(complaints(page), []);
    assertEquals(complaints(page.replace(".SH NAME", ".SH NAME\n.nosuch x")).length > 0, true);
  },
});
