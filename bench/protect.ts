/** What protecting a large workspace costs: 50,000 files with 20 nested repositories, against `find` on the same tree. */
import { ProtectedPaths } from "../src/sandbox/protect/protected_paths.ts";
import { compare, type Row } from "./compare.ts";

const FILES = 50_000;
const FILES_IN_DIRECTORY = 10;
const REPOSITORIES = 20;
/** Longer ago than the time within which a further change might not show. */
const SETTLE_MS = 300;

function makeRepository(path: string): void {
  for (const name of ["objects/pack", "refs/heads", "hooks", "info"]) {
    Deno.mkdirSync(`${path}/.git/${name}`, { recursive: true });
  }
  Deno.writeTextFileSync(`${path}/.git/HEAD`, "ref: refs/heads/main\n");
  Deno.writeTextFileSync(`${path}/.git/config`, "[core]\n\tbare = false\n");
  Deno.writeTextFileSync(`${path}/.git/hooks/pre-commit`, "#!/bin/sh\n");
}

function makeWorkspace(): string {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-bench-" }));
  makeRepository(root);
  for (let count = 0; count < FILES / FILES_IN_DIRECTORY; count++) {
    const directory = `${root}/packages/p${count % 100}/d${count}`;
    Deno.mkdirSync(directory, { recursive: true });
    for (let file = 0; file < FILES_IN_DIRECTORY; file++) {
      Deno.writeTextFileSync(`${directory}/f${file}`, "");
    }
  }
  for (let count = 0; count < REPOSITORIES; count++) {
    makeRepository(`${root}/packages/p${count}/nested`);
  }
  return root;
}

function protect(root: string): ProtectedPaths {
  return new ProtectedPaths({
    roots: [root],
    anchors: [root],
    paths: [],
    isExcepted: () => false,
    isWritable: (path) => path === root || path.startsWith(`${root}/`),
    home: "/nonexistent",
  });
}

/** Measure. */
export async function benchProtect(): Promise<readonly Row[]> {
  const root = makeWorkspace();
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
