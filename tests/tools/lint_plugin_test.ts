import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import plugin from "../../tools/lint_plugin.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const CASES: { file: string; source: string; want: string[] }[] = [
  { file: "src/sandbox/linux/ffi.ts", source: `Deno.dlopen("x", {});`, want: [] },
  { file: "src/sandbox/jail.ts", source: `Deno.dlopen("x", {});`, want: ["dlopen-only-in-ffi"] },
  { file: "tools/x.ts", source: `Deno["dlopen"]("x", {});`, want: ["dlopen-only-in-ffi"] },
  { file: "src/x.ts", source: `const { dlopen: d } = Deno;`, want: ["dlopen-only-in-ffi"] },
  { file: "src/x.ts", source: `new Deno.Command("sh");`, want: ["no-unjailed-process"] },
  { file: "src/x.ts", source: `new globalThis.Deno.Command("a");`, want: ["no-unjailed-process"] },
  { file: "src/x.ts", source: `const { Command } = Deno;`, want: ["no-unjailed-process"] },
  { file: "main.ts", source: `new Deno.Command("sh");`, want: ["no-unjailed-process"] },
  {
    file: "src/x.ts",
    source: `import { spawn } from "node:child_process"; spawn("sh");`,
    want: ["no-unjailed-process"],
  },
  {
    file: "src/x.ts",
    source: `await import("node:child_process");`,
    want: ["no-unjailed-process"],
  },
  { file: "src/x.ts", source: `Deno.readTextFileSync("a");`, want: ["no-following-read"] },
  { file: "src/x.ts", source: `const { openSync: o } = Deno;`, want: ["no-following-read"] },
  { file: "src/cli/x.ts", source: `await Deno.stat("a");`, want: ["no-following-read"] },
  {
    file: "src/x.ts",
    source: `for await (const _ of Deno.readDir("a"));`,
    want: ["no-following-read"],
  },
  {
    file: "src/x.ts",
    source: `import { readFileSync } from "node:fs";`,
    want: ["no-following-read"],
  },
  { file: "src/x.ts", source: `await import("fs/promises");`, want: ["no-following-read"] },
  { file: "src/x.ts", source: `Deno.lstatSync("a"); Deno.readLinkSync("a");`, want: [] },
  { file: "src/policy/bounded_text.ts", source: `Deno.openSync("a");`, want: [] },
  { file: "tests/x_test.ts", source: `Deno.readTextFileSync("a");`, want: [] },
  { file: "tests/x_test.ts", source: `new Deno.Command("sh");`, want: [] },
  { file: "src/x.ts", source: `class Command {} new Command(); Deno.cwd();`, want: [] },
  { file: "src/x.ts", source: `// Deno.Command\nconst text = "Deno.Command";`, want: [] },
  { file: "src/output/x.ts", source: `console.log(1);`, want: ["console-only-in-cli"] },
  { file: "src/cli/x.ts", source: `console.log(1);`, want: [] },
  { file: "main.ts", source: `console.error(1);`, want: [] },
];

Deno.test("lint_plugin reports native libraries, processes, reads and printing where they do not belong", () => {
  for (const { file, source, want } of CASES) {
    const found = Deno.lint.runPlugin(plugin, `${ROOT}${file}`, source);
    assertEquals(found.map(({ id }) => id), want.map((id) => `debrief/${id}`), source);
  }
});
