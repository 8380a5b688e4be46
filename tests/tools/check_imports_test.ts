import { assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { checkImports } from "../../tools/check_imports.ts";
import { layerOf } from "../../tools/import_rules.ts";

/** A tree that keeps every rule; a case adds to it or replaces in it. */
const SOUND: Record<string, string> = {
  "main.ts": `import "./src/cli/oneshot.ts";`,
  "src/mod.ts": `export * from "./policy/policy.ts"; export * from "./session/session.ts";`,
  "src/errors.ts": `export class UsageError extends Error {}`,
  "src/events.ts": `export type Event = string;`,
  "src/session/session.ts": `import "../feedback/block.ts"; import type {} from "./events.ts";`,
  "src/cli/oneshot.ts":
    `import "../session/session.ts"; import "../errors.ts"; import "./flags.ts";`,
  "src/cli/flags.ts": `export {};`,
  "src/feedback/block.ts": `import "../record/record.ts";`,
  "src/record/record.ts": `import type {} from "../output/lines.ts";`,
  "src/output/lines.ts": `import "../policy/policy.ts";`,
  "src/sandbox/jail.ts": `import "./linux/ffi.ts"; import "../errors.ts";`,
  "src/sandbox/linux/ffi.ts": `import "./uapi.ts"; import "node:path";`,
  "src/sandbox/linux/uapi.ts": `export {};`,
  "src/policy/policy.ts": `import "../command/parse.ts"; import "../errors.ts";`,
  "src/command/parse.ts": `import "../errors.ts"; export {};`,
};

const CASES: { add: Record<string, string>; want: string[] }[] = [
  { add: {}, want: [] },
  {
    add: { "src/command/parse.ts": `\n\nimport "../policy/match.ts";`, "src/policy/match.ts": "" },
    want: [
      "src/command/parse.ts:3: imports up: src/command (rank 7) -> src/policy (rank 6)",
    ],
  },
  {
    add: { "src/output/lines.ts": `import type {} from "../sandbox/jail.ts";` },
    want: [
      "src/output/lines.ts:1: imports sideways: src/output (rank 5) -> src/sandbox (rank 5)",
    ],
  },
  {
    add: { "src/command/parse.ts": `export const late = () => import("../output/lines.ts");` },
    want: [
      "src/command/parse.ts:1: imports up: src/command (rank 7) -> src/output (rank 5)",
      "src/command/parse.ts:1: cycle: src/output/lines.ts -> src/policy/policy.ts -> " +
      "src/command/parse.ts -> src/output/lines.ts",
    ],
  },
  {
    add: {
      "src/cli/flags.ts": `export * from "./help.ts";`,
      "src/cli/help.ts": `import "./flags.ts";`,
    },
    want: [
      "src/cli/help.ts:1: cycle: src/cli/flags.ts -> src/cli/help.ts -> src/cli/flags.ts",
    ],
  },
  {
    add: { "src/sandbox/linux/uapi.ts": `import "../../errors.ts";` },
    want: [
      "src/sandbox/linux/uapi.ts:1: src/sandbox/linux/ imports nothing outside itself, not src/errors.ts",
    ],
  },
  {
    add: { "src/cli/flags.ts": `import "../mod.ts";` },
    want: ["src/cli/flags.ts:1: nothing imports src/mod.ts"],
  },
  {
    add: { "src/errors.ts": `import "./exit_codes.ts";`, "src/exit_codes.ts": "" },
    want: [
      "src/errors.ts:1: imports sideways: src/errors.ts (rank 9) -> src/exit_codes.ts (rank 9)",
    ],
  },
  {
    add: { "src/cli/flags.ts": `import "../new/thing.ts";`, "src/new/thing.ts": "" },
    want: ["src/cli/flags.ts:1: src/new/thing.ts is outside the layers of src"],
  },
  {
    add: { "src/policy/policy.ts": `import "../../tools/x.ts";`, "tools/x.ts": "" },
    want: ["src/policy/policy.ts:1: tools/x.ts is outside the layers of src"],
  },
  {
    add: {
      "src/cli/flags.ts": `// import "../mod.ts";\nexport const text = 'import "../mod.ts"';`,
    },
    want: [],
  },
];

Deno.test("checkImports() reports upward, sideways, foreign and cyclic imports", async () => {
  for (const { add, want } of CASES) {
    const root = await writeTree({ ...SOUND, ...add });
    try {
      assertEquals((await checkImports(root)).sort(), want.toSorted(), JSON.stringify(add));
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  }
});

Deno.test("layerOf() knows the session files and gives prototype names no layer", () => {
  assertEquals(layerOf("src/session/run_command.ts")?.name, "src/session");
  assertEquals(layerOf("src/constructor/x.ts"), undefined);
});

async function writeTree(files: Record<string, string>): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "debrief-tree-" });
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  return root;
}
