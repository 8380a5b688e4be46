/** What protecting a large workspace costs: 50,000 files with 20 nested repositories, against `find` on the same tree. */
import { ProtectedPaths } from "../src/sandbox/protect/protected_paths.ts";
import { makeLargeWorkspace } from "./large_workspace.ts";
import { compare, type Row } from "./compare.ts";

/** Longer ago than the time within which a further change might not show. */
const SETTLE_MS = 300;

function protect(root: string): ProtectedPaths {
  return new ProtectedPaths({
    roots: [root],
    anchors: [root],
    paths: [],
    excepted: [],
    isWritable: (path) => path === root || path.startsWith(`${root}/`),
    home: "/nonexistent",
  });
}

/** Measure. */
export async function benchProtect(): Promise<readonly Row[]> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-bench-" }));
  makeLargeWorkspace(root);
  await new Promise((settled) => setTimeout(settled, SETTLE_MS));
  const paths = protect(root);
  const expectNothing = (restored: readonly string[]) => {
    if (restored.length > 0) throw new Error(`Cannot measure: ${restored[0]} was put back`);
  };
  try {
    return await compare([
      {
        name: "find -name .git",
        run: async () => {
          await new Deno.Command("find", { args: [root, "-name", ".git"] }).output();
        },
      },
      {
        name: "before and after a command that changes nothing",
        run: () => {
          paths.begin({ quiet: true });
          expectNothing(paths.check({ all: false, walk: 0 }).restored);
          return Promise.resolve();
        },
      },
      {
        name: "at the end of a session",
        run: () => {
          expectNothing(paths.check({ all: true, walk: "whole" }).restored);
          return Promise.resolve();
        },
      },
      {
        name: "at the start of a session",
        run: () => {
          protect(root).close();
          return Promise.resolve();
        },
      },
    ], { rounds: 15, warmUp: 3 });
  } finally {
    paths.close();
    Deno.removeSync(root, { recursive: true });
  }
}
