/**
 * Turns the program into a few JavaScript files before it is compiled: packages that are resolved at
 * run time cost about 20 ms of start, the same code bundled about 10.
 */
import { basename, join } from "node:path";
import { programLauncher, workerLauncher, wrapScript, writeBytecode } from "./bytecode.ts";
import { runDeno } from "./run_deno.ts";
import { sourceFiles } from "./source_files.ts";

/** Where the bundle goes. */
export const BUNDLE_DIR = "dist/bundle";

/** The module with which the executable begins. */
export const FIRST_MODULE = `${BUNDLE_DIR}/launch.js`;

/** Where scripts are bundled; what the executable needs of them goes to the bundle. */
export const SCRIPT_DIR = "dist/scripts";

/** What runs commands, and what takes part in every start; the rest of the program is modules. */
const SCRIPTS = { program: "src/cli/run_program.ts", jail: "src/sandbox/jail_worker.ts" };

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
 * under its own name, since a worker is found by `new URL("./NAME_worker.ts", import.meta.url)`;
 * then what runs commands once more, as scripts with bytecode.
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
  const run = (args: readonly string[]) =>
    runDeno(deno, { cwd: root, args: [...common, ...external, ...args] });
  await run(["--code-splitting", "--outdir", BUNDLE_DIR, "main.ts"]);
  await giveRequire(dir);
  const workers = await sourceFiles(root, { folders: ["src"], pattern: /_worker\.ts$/ });
  for (const worker of workers.filter((path) => path !== SCRIPTS.jail)) {
    await run(["--output", `${BUNDLE_DIR}/${compiledName(worker)}`, worker]);
  }
  for (const path of Object.values(SCRIPTS)) await bundleScript(root, { run, deno, path });
  await nameWorkers(dir);
  const write = (name: string, text: string) => Deno.writeTextFile(join(dir, name), text);
  await write("launch.js", programLauncher("run_program"));
  await write(compiledName(SCRIPTS.jail), workerLauncher("jail_worker"));
  const config = {
    unstable: ["worker-options"],
    imports: Object.fromEntries(LEFT_OUT.map((it) => [it, `./${LEFT_OUT_MODULE}`])),
  };
  await write("deno.json", JSON.stringify(config));
  await write(
    LEFT_OUT_MODULE,
    `throw new Error("Cannot load the module: this build leaves it out");\n`,
  );
  await write("build_info.json", JSON.stringify(info));
}

/** Bundles one script, and has its bytecode made. */
async function bundleScript(
  root: string,
  { run, deno, path }: {
    readonly run: (args: readonly string[]) => Promise<void>;
    readonly deno: readonly string[];
    readonly path: string;
  },
): Promise<void> {
  const bundled = `${SCRIPT_DIR}/${compiledName(path)}`;
  await run(["--format", "cjs", "--sourcemap=external", "--output", bundled, path]);
  const script = `${BUNDLE_DIR}/${basename(path, ".ts")}`;
  const text = await Deno.readTextFile(join(root, bundled));
  await Deno.writeTextFile(join(root, `${script}.txt`), wrapScript(compiledWorkers(text)));
  const map = path === SCRIPTS.program ? { map: `${bundled}.map` } : {};
  await writeBytecode(root, { deno, script, ...map });
}

/** A TypeScript file would be embedded twice: as it is, and without its types. */
function compiledName(path: string): string {
  return basename(path, ".ts") + ".js";
}

/** Names workers by what they become. */
function compiledWorkers(text: string): string {
  return text.replaceAll(/(?<="\.\/\w+_worker)\.ts(?=")/g, ".js");
}

async function nameWorkers(dir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dir)) {
    if (!name.endsWith(".js")) continue;
    const path = join(dir, name);
    await Deno.writeTextFile(path, compiledWorkers(await Deno.readTextFile(path)));
  }
}

/** Defines `require` in the bundled files that ask for it. */
async function giveRequire(dir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dir)) {
    const path = join(dir, name);
    const text = await Deno.readTextFile(path);
    if (text.includes(ASKS_FOR_REQUIRE)) await Deno.writeTextFile(path, REQUIRE + text);
  }
}
