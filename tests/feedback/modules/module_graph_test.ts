import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { join } from "node:path/posix";
import { PolicyError } from "../../../src/errors.ts";
import { readModuleGraph } from "../../../src/feedback/modules/module_graph.ts";
import { ProviderThread } from "../../../src/feedback/modules/provider_thread.ts";
import { loadPolicy } from "../../../src/policy/load.ts";

/** A directory with `own`, which commands cannot write, and `work`, which they can. */
class Place {
  readonly root = Deno.realPathSync(Deno.makeTempDirSync({ dir: "/var/tmp" }));

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    for (const name of ["own", "work", "home"]) Deno.mkdirSync(join(this.root, name));
    for (const [name, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      Deno.writeFileSync(join(this.root, name), bytes);
    }
  }

  async read(name = "own/main.ts") {
    const variables = {
      WORKSPACE: join(this.root, "work"),
      HOME: join(this.root, "home"),
      TMP: join(this.root, "tmp"),
    };
    const policy = loadPolicy({
      choice: "default",
      envChoice: null,
      configDir: "/nonexistent",
      variables,
      trustPolicy: false,
    });
    const source = { file: "policy.jsonc", line: 3, keyPath: "feedback.providers[0]" };
    using stack = new DisposableStack();
    const thread = stack.adopt(new ProviderThread(), (one) => one.end());
    const request = { name: "Mine", path: join(this.root, name), source, policy };
    return await readModuleGraph(request, thread);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

const PROVIDER = "export default { provide: () => null };";

Deno.test("readModuleGraph reads what is imported, each file once, and leaves out what only types need", async () => {
  using place = new Place({
    "own/main.ts": `import type { FeedbackProvider } from "@debrief/debrief";
import { type FeedbackContext, type Feedback } from "jsr:@debrief/debrief";
import { one } from "./one.ts";
export { two } from "./two.js";
export default { provide: (_: FeedbackContext): Feedback | null => one } satisfies FeedbackProvider;`,
    "own/one.ts": `import { two } from "../own/two.js"; export const one = two && null;`,
    "own/two.js": `export * from "./one.ts"; export const two = 2;`,
  });
  const { modules } = await place.read();
  const at = (name: string) => join(place.root, "own", name);
  assertEquals(modules.map(({ path, imports }) => [path, imports]), [
    [at("main.ts"), { "./one.ts": at("one.ts"), "./two.js": at("two.js") }],
    [at("one.ts"), { "../own/two.js": at("two.js") }],
    [at("two.js"), { "./one.ts": at("one.ts") }],
  ]);
});

Deno.test("readModuleGraph gives another hash for another text of any file", async () => {
  const files = { "own/main.ts": `import "./one.ts"; ${PROVIDER}`, "own/one.ts": "export {};" };
  using place = new Place(files);
  const before = await place.read();
  assertMatch(before.sha256, /^[0-9a-f]{64}$/);
  assertEquals((await place.read()).sha256, before.sha256);
  Deno.writeTextFileSync(join(place.root, "own/one.ts"), "export {}; ");
  assertNotEquals((await place.read()).sha256, before.sha256);
});

Deno.test("readModuleGraph refuses what is no relative import, and names file, import and policy", async () => {
  const cases = [
    { in: `import "node:fs"`, want: 'imports "node:fs": relative paths' },
    { in: `import "npm:left-pad"`, want: 'imports "npm:left-pad": relative paths' },
    { in: `import "jsr:@std/path"`, want: 'imports "jsr:@std/path": relative paths' },
    { in: `import "https://example.com/x.ts"`, want: "relative paths" },
    { in: `import "data:text/javascript,1"`, want: "relative paths" },
    { in: `import "file:///etc/passwd"`, want: "relative paths" },
    { in: `import "/etc/passwd"`, want: "relative paths" },
    { in: `import { isTriggered as x } from "@debrief/debrief"; x`, want: "relative paths" },
    { in: `export * from "@debrief/debrief"`, want: "relative paths" },
    { in: `import "./data.json"`, want: ".ts, .mts, .js and .mjs are accepted" },
    { in: `import "./absent.ts"`, want: "does not exist" },
    { in: `import "../work/theirs.ts"`, want: "could be changed by commands, because write.allow" },
    { in: `import "./link.ts"`, want: "could be changed by commands" },
    { in: `const x = await import("./one.ts")`, want: "import() is not accepted" },
    { in: "console.log(import.meta.url)", want: "import.meta is not accepted" },
    { in: "const = 1", want: "main.ts" },
  ];
  using place = new Place({
    "own/one.ts": "export const one = 1;",
    "own/data.json": "{}",
    "work/theirs.ts": "export {};",
    "own/main.ts": `import { one } from "./one.ts"; ${PROVIDER} one;`,
  });
  Deno.symlinkSync(join(place.root, "work/theirs.ts"), join(place.root, "own/link.ts"));
  assertEquals((await place.read()).modules.length, 2);
  for (const { in: line, want } of cases) {
    Deno.writeTextFileSync(join(place.root, "own/main.ts"), `${line};\n${PROVIDER}`);
    const error = await assertRejects(() => place.read(), PolicyError, want, line);
    assertMatch(
      error.message,
      /^policy\.jsonc:3: feedback\.providers\[0\]: Cannot use the provider "Mine": "\/.*main\.ts"/,
      line,
    );
  }
});

Deno.test("readModuleGraph refuses a module in the workspace, a directory, and what is too much", async () => {
  const chain = Array.from(
    { length: 40 },
    (_, index) => [`own/${index}.ts`, `import "./${index + 1}.ts";`] as const,
  );
  using place = new Place({
    "work/main.ts": PROVIDER,
    "own/large.ts": `//${"x".repeat(262_144)}\n${PROVIDER}`,
    "own/bytes.ts": new Uint8Array([0xff, 0xfe]),
    "own/pipe.ts": PROVIDER,
    ...Object.fromEntries(chain),
  });
  Deno.mkdirSync(join(place.root, "own/directory.ts"));
  const cases = [
    { in: "work/main.ts", want: "could be changed by commands" },
    { in: "own/large.ts", want: "larger than 262144 bytes" },
    { in: "own/bytes.ts", want: "Cannot read" },
    { in: "own/directory.ts", want: "not a regular file" },
    { in: "own/0.ts", want: "more than 32 modules" },
    { in: "own/absent.ts", want: "does not exist" },
  ];
  for (const { in: name, want } of cases) {
    await assertRejects(() => place.read(name), PolicyError, want, name);
  }
});
