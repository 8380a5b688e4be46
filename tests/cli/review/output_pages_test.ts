import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { OutputPages } from "../../../src/cli/review/output_pages.ts";
import { Spool } from "../../../src/output/spool.ts";
import { inTemporary } from "../../record/sample.ts";

function store(directory: string, text: string): void {
  const spool = new Spool({ directory, capBytes: 1 << 20, id: "c1" });
  spool.write("stdout", new TextEncoder().encode(text), { newlines: 0 });
  spool.finish();
}

Deno.test(
  "OutputPages reads the lines of a page, cuts long ones, and names what cannot be read",
  inTemporary((directory) => {
    store(directory, `a\nb\n${"x".repeat(10_000)}\nd\n`);
    const pages = new OutputPages(directory);
    const page = (from: number, id = "c1") => pages.read({ id, stream: "stdout", from, count: 2 });
    assertEquals(page(1).lines.map(({ number, text }) => [number, text]), [[1, "a"], [2, "b"]]);
    assertEquals(page(4).lines.map(({ text }) => text), ["d"]);
    assertEquals(page(9).lines, []);
    const long = page(3).lines[0]?.text ?? "";
    assert(long.startsWith("xxx") && long.endsWith("…") && long.length < 5_000);
    assertStringIncludes(page(1, "c2").problem ?? "", "nothing is stored");
    assertEquals(page(1).problem, null);
  }),
);
