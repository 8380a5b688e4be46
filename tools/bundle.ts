/**
 * Turns the program into a few JavaScript files before it is compiled: packages that are resolved at
 * run time cost about 20 ms of start, the same code bundled about 10.
 */
import { basename, join } from "node:path";
import { runDeno } from "./run_deno.ts";
import { sourceFiles } from "./source_files.ts";

/** Where the bundle goes. */
export const BUNDLE_DIR = "dist/bundle";

/**
 * Modules that packages import only under a developer's environment variable. They are not part of
 * the program, so their place takes a module that says so.
 */
const LEFT_OUT = ["react-devtools-core"];

const LEFT_OUT_MODULE = "left_out.js";

/**
 * How a bundle asks whether there is a `require`. Packages of the old kind call it for built-in modules; Deno 2.7 leaves
 * it at the question, newer ones import it.
 */
const ASKS_FOR_REQUIRE = 'typeof require<"u"';

/** Gives built-in modules, and loads nothing before the first call. */
const REQUIRE = "const require=name=>globalThis.process.getBuiltinModule(name);";

/** What `--version` reports about the build; a program that runs from source has none. */
export interface BuildInfo {
  /** The Deno version of the base runtime. */
  readonly deno: string;
  readonly target: string;
  /** Where the base runtime came from. */
  readonly denort: "official" | "npm";
  /** SHA-256 of the base runtime, null when Deno fetched it itself. */
  readonly denortSha256: string | null;
}

/**
 * Bundles `main.ts`, with its lazy imports in files of their own, and each `*_worker.ts` of `src`
 * under its own name, since a worker is found by `new URL("./NAME_worker.ts", import.meta.url)`.
 *
 * @param deno Command line of the Deno to bundle with.
 */
export async function bundle(
  root: string,
  { deno, info }: { deno: readonly string[]; info: BuildInfo },
): Promise<void> {
  const dir = join(root, BUNDLE_DIR);
  await Deno.remove(dir, { recursive: true }).catch(() => undefined);
  const common = ["bundle", "--quiet", "--minify", "--platform", "deno"];
  const external = LEFT_OUT.flatMap((name) => ["--external", name]);
  const split = ["--code-splitting", "--outdir", BUNDLE_DIR];
  await runDeno(deno, { cwd: root, args: [...common, ...external, ...split, "main.ts"] });
  await giveRequire(dir);
  const workers = await sourceFiles(root, { folders: ["src"], pattern: /_worker\.ts$/ });
  for (const worker of workers) {
    const target = ["--output", `${BUNDLE_DIR}/${basename(worker)}`];
    await runDeno(deno, { cwd: root, args: [...common, ...external, ...target, worker] });
  }
  const config = {
    unstable: ["worker-options"],
    imports: Object.fromEntries(LEFT_OUT.map((it) => [it, `./${LEFT_OUT_MODULE}`])),
  };
  await Deno.writeTextFile(join(dir, "deno.json"), JSON.stringify(config));
  await Deno.writeTextFile(
    join(dir, LEFT_OUT_MODULE),
    `throw new Error("Cannot load the module: this build leaves it out");\n`,
  );
  await Deno.writeTextFile(join(dir, "build_info.json"), JSON.stringify(info));
}

/** Defines `require` in the bundled files that ask for it. */
async function giveRequire(dir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dir)) {
    const path = join(dir, name);
    const text = await Deno.readTextFile(path);
    if (text.includes(ASKS_FOR_REQUIRE)) await Deno.writeTextFile(path, REQUIRE + text);
  }
}
