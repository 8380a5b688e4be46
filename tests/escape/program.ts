/**
 * Debrief as a program that any user can start: the executable that DEBRIEF_BINARY names, or a copy of the sources with
 * the runtime that runs the tests. A copy, because an ordinary user reads neither root's home nor root's caches.
 */
import { dirname, join } from "node:path";
import type { User } from "./sandbox_users.ts";
import { exists } from "../sandbox/observe.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const SOURCES = ["deno.json", "deno.lock", "main.ts", "src", "policies", "links"];

/** A started program's words before its own arguments, and the environment that its runtime needs. */
export interface Program {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A directory with everything, deleted at the end. */
export class InstalledProgram implements AsyncDisposable {
  readonly #directory: string;
  readonly #binary: string | undefined;

  private constructor(directory: string, binary: string | undefined) {
    this.#directory = directory;
    this.#binary = binary;
  }

  /** Install the program. */
  static async create(): Promise<InstalledProgram> {
    const directory = await Deno.makeTempDir({ prefix: "escape-program-" });
    await Deno.chmod(directory, 0o755);
    const binary = Deno.env.get("DEBRIEF_BINARY");
    const installed = new InstalledProgram(directory, binary);
    if (binary) {
      await run("cp", binary, join(directory, "debrief"));
    } else {
      const sources = SOURCES.map((name) => join(ROOT, name));
      await run("cp", "-r", ...sources, directory);
      await run("cp", Deno.execPath(), join(directory, "deno"));
    }
    await run("chmod", "-R", "a+rX", directory);
    return installed;
  }

  /** How one user starts it. */
  async as(user: User): Promise<Program> {
    if (this.#binary) return { argv: [join(this.#directory, "debrief")], environment: {} };
    const cache = join(this.#directory, `cache-${user.uid}`);
    if (!exists(cache)) await this.#fillCache(cache, user);
    return {
      argv: [join(this.#directory, "deno"), ...await this.#startWords()],
      environment: { DENO_DIR: cache },
    };
  }

  /** The words of `deno task start`, so that the tests have the permissions that users have. */
  async #startWords(): Promise<readonly string[]> {
    const config = JSON.parse(await Deno.readTextFile(join(this.#directory, "deno.json")));
    const [, run, ...flags] = (config.tasks.start.command as string).split(" ");
    const [main] = flags.splice(-1);
    return [run!, "--cached-only", ...flags, join(this.#directory, main!)];
  }

  /** The npm packages that the sources import, from the cache of the runtime that runs the tests. */
  async #fillCache(cache: string, user: User): Promise<void> {
    const info = await run(Deno.execPath(), "info", "--json");
    const { npmCache } = JSON.parse(info) as { npmCache: string };
    for await (const registry of Deno.readDir(npmCache)) {
      if (!registry.isDirectory) continue;
      const target = join(cache, "npm", registry.name);
      for (const name of await this.#packages()) {
        const source = join(npmCache, registry.name, name);
        if (!exists(source)) continue;
        await Deno.mkdir(dirname(join(target, name)), { recursive: true });
        await run("cp", "-r", source, join(target, name));
      }
    }
    await run("chown", "-R", `${user.uid}:${user.gid}`, cache);
  }

  /** Names of all packages of the lock file, of which its keys hold versions and peers besides. */
  async #packages(): Promise<ReadonlySet<string>> {
    const lock = JSON.parse(await Deno.readTextFile(join(this.#directory, "deno.lock")));
    return new Set(Object.keys(lock.npm).flatMap((key) => key.match(/^@?[^@]+/) ?? []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#directory, { recursive: true });
  }
}

/** Run a program to its end and return its output. @throws {Error} with its complaints when it fails. */
export async function run(command: string, ...args: readonly string[]): Promise<string> {
  const output = await new Deno.Command(command, { args: [...args], stdin: "null" }).output();
  if (output.success) return new TextDecoder().decode(output.stdout);
  throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(output.stderr)}`);
}
