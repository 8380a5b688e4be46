/** Programs from the npm registry that tests drive, in pinned versions, installed into a cache. */
import { join } from "node:path/posix";
import { exists } from "../sandbox/observe.ts";

/** A package with a program. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** The program inside of `node_modules`. */
  readonly program: string;
}

/** `DEBRIEF_AGENTS_CACHE`, else a directory of the user's cache. */
function cacheDirectory(): string {
  const named = Deno.env.get("DEBRIEF_AGENTS_CACHE");
  if (named) return named;
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  return join(cache, "debrief-test-agents");
}

/**
 * The program of a package, installed if it is not there yet. No script of any package is run.
 *
 * @param title names its directory in the cache.
 * @throws {Error} with npm's own words when it cannot be installed.
 */
export async function installedProgram(
  title: string,
  { name, version, program }: NpmPackage,
): Promise<string> {
  const directory = join(cacheDirectory(), `${title}-${version}`);
  const path = join(directory, "node_modules", program);
  if (exists(path)) return path;
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(join(directory, "package.json"), '{"private":true}\n');
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`],
    cwd: directory,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success && exists(path)) return path;
  throw new Error(`Cannot install ${name}@${version}: ${new TextDecoder().decode(stderr)}`);
}
