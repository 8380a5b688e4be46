/**
 * Writes the list of modules whose bytecode the executable carries: those of which a good part is executed by
 * `debrief -c true`. A module that is missing from the list costs time, and nothing else.
 * Usage, after `deno task build`: `deno run -A tools/profile_start.ts`
 */
import { Session } from "node:inspector";
import { join } from "node:path";
import { Script } from "node:vm";
import { BUNDLE_DIR, SCRIPT_DIR } from "./bundle.ts";
import { START_MODULES } from "./bytecode.ts";
import { moduleRanges } from "./module_ranges.ts";
import { postToInspector } from "./post_to_inspector.ts";

/** Share of a module's text in functions that are called, from which on it pays to carry all of it: 0.1 and 0.5 cost a start 1 and 4 % more. */
const SHARE = 0.25;

/** A function of a script, by offsets, as the profiler tells it: outer ones before inner ones. */
export interface CountedFunction {
  readonly start: number;
  readonly end: number;
  readonly called: boolean;
}

/** Modules in order of their offsets; each begins where it starts. */
export interface ModuleStart {
  readonly module: string;
  readonly offset: number;
}

/** Modules of which at least that share lies in functions that were called. The text of an inner function is its own. */
export function calledModules(
  functions: readonly CountedFunction[],
  { modules, share }: { readonly modules: readonly ModuleStart[]; readonly share: number },
): readonly string[] {
  const sizes = new Map<string, { all: number; called: number }>();
  const add = (module: string, size: number, called: boolean) => {
    const sum = sizes.get(module) ?? { all: 0, called: 0 };
    sizes.set(module, { all: sum.all + size, called: sum.called + (called ? size : 0) });
  };
  const open: CountedFunction[] = [];
  const moduleAt = (offset: number) =>
    modules.findLast((module) => module.offset <= offset)?.module ?? "";
  const inOrder = functions.toSorted((a, b) => a.start - b.start || b.end - a.end);
  for (const it of inOrder) {
    while (open.length > 0 && open.at(-1)!.end <= it.start) open.pop();
    const [outer, size] = [open.at(-1), it.end - it.start];
    add(moduleAt(it.start), size, it.called);
    if (outer) add(moduleAt(outer.start), -size, outer.called);
    open.push(it);
  }
  return [...sizes].filter(([module, { all, called }]) =>
    module !== "" && all > 0 && called >= share * all
  ).map(([module]) => module).sort();
}

/** Run `debrief -c true` from the bundled script, with its calls counted. */
async function countCalls(text: string, bundle: string): Promise<readonly CountedFunction[]> {
  const session = new Session();
  session.connect();
  const post = (method: string, params: object) => postToInspector(session, method, params);
  await post("Profiler.enable", {});
  await post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const filename = "file:///debrief";
  const module: { exports: { runProgram?: (args: string[]) => Promise<number> } } = { exports: {} };
  const require = (name: string) => globalThis.process.getBuiltinModule(name);
  new Script(text, { filename }).runInThisContext()(require, module, module.exports, bundle);
  const status = await module.exports.runProgram?.(["-c", "true"]);
  if (status !== 0) throw new Error(`Cannot profile the start: status ${status}`);
  interface Counted {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly [{ startOffset: number; endOffset: number; count: number }];
    }[];
  }
  const { result } = await post("Profiler.takePreciseCoverage", {}) as { result: Counted[] };
  const found = result.find(({ url }) => url === filename)?.functions ?? [];
  return found.map(({ ranges: [{ startOffset, endOffset, count }] }) => {
    return { start: startOffset, end: endOffset, called: count > 0 };
  });
}

async function main(root: string): Promise<void> {
  const text = Deno.readTextFileSync(join(root, BUNDLE_DIR, "run_program.txt"));
  const map = Deno.readTextFileSync(join(root, SCRIPT_DIR, "run_program.js.map"));
  const home = Deno.makeTempDirSync({ prefix: "debrief-profile-" });
  try {
    Deno.mkdirSync(`${home}/project/.git`, { recursive: true });
    Deno.env.set("HOME", home);
    Deno.chdir(`${home}/project`);
    const functions = await countCalls(text, `file://${join(root, BUNDLE_DIR)}/launch.js`);
    // The script's own text begins on the second line.
    const lines = text.split("\n").slice(1);
    const offsets = [text.indexOf("\n") + 1];
    for (const line of lines) offsets.push(offsets.at(-1)! + line.length + 1);
    const ranges = moduleRanges(JSON.parse(map), { line: lines.length, column: 0 });
    const modules = ranges.map(({ module, start }) => {
      return { module, offset: (offsets[start.line] ?? Infinity) + start.column };
    });
    const list = calledModules(functions, { modules, share: SHARE });
    Deno.writeTextFileSync(join(root, START_MODULES), JSON.stringify(list, null, 2) + "\n");
    console.error(
      `${START_MODULES}: ${list.length} of ${new Set(ranges.map((it) => it.module)).size} modules`,
    );
  } finally {
    Deno.chdir("/");
    Deno.removeSync(home, { recursive: true });
  }
}

if (import.meta.main) {
  await main(join(import.meta.dirname ?? ".", ".."));
  // What the program has left open must not keep this one alive.
  Deno.exit(0);
}
