import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** One import of a local file by a local file, both as paths relative to the root. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  /** How the import names its target, for example `./x.ts` or `@std/cli`. */
  readonly specifier: string;
  /** Line of the import in `from`, from 1. */
  readonly line: number;
}

/** The part of `deno info --json` that is read here. */
interface Graph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: Resolved;
      readonly type?: Resolved;
    }[];
  }[];
}

interface Resolved {
  readonly specifier?: string;
  readonly span?: { readonly start: { readonly line: number } };
}

/**
 * Every import between files below the root that the given files reach. The graph is Deno's own, so
 * re-exports, type imports and literal dynamic imports count, and comments and strings do not.
 *
 * @param files Paths relative to the root.
 * @throws {Error} when Deno cannot build the graph.
 */
export async function moduleGraph(root: string, files: readonly string[]): Promise<ImportEdge[]> {
  const rootUrl = pathToFileURL(`${root}/`);
  const entry = await Deno.makeTempFile({ prefix: "debrief-graph-", suffix: ".ts" });
  try {
    const urls = files.map((file) => new URL(file, rootUrl).href);
    await Deno.writeTextFile(entry, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
    const graph = await denoInfo(root, entry);
    const inside = (url: string | undefined) => url?.startsWith(rootUrl.href) ?? false;
    const path = (url: string) => relative(root, fileURLToPath(url));
    return graph.modules.filter((it) => inside(it.specifier)).flatMap((module) =>
      (module.dependencies ?? []).flatMap(({ specifier, code, type }) =>
        [code, type].filter((target) => inside(target?.specifier)).map((target) => ({
          from: path(module.specifier),
          to: path(target?.specifier ?? ""),
          specifier,
          line: (target?.span?.start.line ?? 0) + 1,
        }))
      )
    );
  } finally {
    await Deno.remove(entry);
  }
}

async function denoInfo(root: string, entry: string): Promise<Graph> {
  const config = await hasFile(`${root}/deno.json`)
    ? ["--config", `${root}/deno.json`]
    : ["--no-config"];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-lock", ...config, entry],
    cwd: root,
  }).output();
  if (!success) {
    const reason = new TextDecoder().decode(stderr).trim();
    throw new Error(`Cannot read the module graph of "${root}": ${reason}`);
  }
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function hasFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}
