import { assert, assertEquals } from "@std/assert";
import { OutputPipeline } from "../../src/output/pipeline.ts";
import { Redactor } from "../../src/output/redact.ts";

/**
 * Output of real programs on a terminal of 80 columns, and what is shown of it. `recorded` files are a program's own
 * bytes from a pseudo-terminal (paths replaced); the others are written after the format that the program's source
 * documents, because it needs a daemon.
 */
const SCREENS: readonly { readonly name: string; readonly source: string }[] = [
  { name: "apt", source: "recorded: apt-get install --simulate" },
  { name: "cargo", source: "recorded: cargo build" },
  { name: "curl", source: "recorded: curl -o FILE" },
  { name: "docker_compose", source: "documented: docker/compose, progress writer for terminals" },
  { name: "docker_pull", source: "documented: docker/cli, jsonmessage" },
  { name: "git", source: "recorded: git clone --progress" },
  { name: "npm", source: "recorded: npm install" },
  { name: "pip", source: "recorded: pip download" },
  { name: "pip_rich", source: "recorded: three bars of the rich library, with a message between" },
  { name: "tsc", source: "recorded: tsc --watch, an error and its correction" },
];

const at = (name: string) => new URL(`screens/${name}`, import.meta.url);

function show(bytes: Uint8Array, size: number): string {
  const parts: string[] = [];
  const pipeline = new OutputPipeline({
    redactor: new Redactor(),
    budget: { maxChars: 100_000, maxLines: 1000, maxTokens: 100_000, spoolBytes: 1 << 20 },
    spool: null,
    show: ({ text }) => parts.push(text),
  });
  for (let from = 0; from < bytes.length; from += size) {
    pipeline.write("stdout", bytes.slice(from, from + size));
  }
  const { stdout } = pipeline.finish({ failed: false });
  assertEquals(stdout.bytes, bytes.length);
  const newlines = bytes.filter((byte) => byte === 0x0a).length;
  assertEquals(stdout.lines, newlines + (bytes.at(-1) === 0x0a ? 0 : 1));
  assertEquals(stdout.truncated, null);
  return parts.join("");
}

for (const { name, source } of SCREENS) {
  Deno.test(`OutputPipeline shows the last state of ${name} (${source}), however it arrives`, () => {
    const bytes = Deno.readFileSync(at(`${name}.raw`));
    const want = Deno.readTextFileSync(at(`${name}.txt`));
    for (const size of [1, 7, 100, bytes.length]) assertEquals(show(bytes, size), want);
  });
}

Deno.test("every recorded screen is one of the table", () => {
  const files = [...Deno.readDirSync(at("."))].map(({ name }) => name).sort();
  assertEquals(files, SCREENS.flatMap(({ name }) => [`${name}.raw`, `${name}.txt`]).sort());
  assert(SCREENS.every(({ source }) => /^(?:recorded|documented): /.test(source)));
});
