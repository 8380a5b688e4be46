/** The directories of a session: state, configuration, and the private one that ends with it. */
import { join } from "node:path/posix";
import { UsageError } from "../errors.ts";

/** Where the user's files of Debrief lie; XDG Base Directory Specification 0.8. */
export interface UserPaths {
  readonly home: string;
  /** Journal, key, lock and spooled outputs. */
  readonly state: string;
  /** `policy.jsonc`. */
  readonly config: string;
}

/** The private directory of one session: 0700, below the system's temporary directory. */
export interface PrivatePaths {
  readonly root: string;
  /** `$TMP` and TMPDIR of commands: writable for them. */
  readonly tmp: string;
  /** Copies of records and outputs that commands may read, but not write. */
  readonly copies: string;
  /** Last directory of the commands' PATH: `debrief` itself. */
  readonly programs: string;
}

/** Variable that tells a Debrief inside the jail where the session's copies of records and outputs are. */
export const COPIES = "DEBRIEF_COPIES";

/** Directory of spooled outputs beneath the state directory. */
export const OUTPUTS = "outputs";

type Environment = Readonly<Record<string, string | undefined>>;

function absolute(path: string | undefined): string | null {
  return path?.startsWith("/") ? path : null;
}

function realOrSame(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/**
 * Work out the user's directories.
 *
 * @param journal `--journal DIR`, an absolute path, or null.
 * @throws {UsageError} when HOME is not set or not absolute.
 */
export function userPaths(environment: Environment, journal: string | null): UserPaths {
  const home = absolute(environment.HOME);
  if (home === null) {
    throw new UsageError(
      `Cannot find the home directory: HOME is ${
        environment.HOME ? `"${environment.HOME}"` : "not set"
      }`,
    );
  }
  const state = journal ??
    join(absolute(environment.XDG_STATE_HOME) ?? join(home, ".local/state"), "debrief");
  const config = join(absolute(environment.XDG_CONFIG_HOME) ?? join(home, ".config"), "debrief");
  return { home: realOrSame(home), state: realOrSame(state), config };
}

/**
 * Create the private directory.
 *
 * @param executable put on the commands' PATH as `debrief`, null when there is none.
 * @throws {UsageError} when the temporary directory cannot be written.
 */
export function createPrivatePaths(
  environment: Environment,
  executable: string | null,
): PrivatePaths {
  const base = absolute(environment.TMPDIR) ?? "/tmp";
  try {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ dir: base, prefix: "debrief-" }));
    const copies = join(root, "copies");
    const paths = { root, tmp: join(root, "tmp"), copies, programs: join(copies, "bin") };
    for (const path of [paths.tmp, paths.copies, paths.programs]) {
      Deno.mkdirSync(path, { mode: 0o700 });
    }
    if (executable !== null) Deno.symlinkSync(executable, join(paths.programs, "debrief"));
    return paths;
  } catch (error) {
    const state = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `Cannot create a private directory in "${base}": ${state}; set TMPDIR to a writable directory`,
    );
  }
}

/** True when nothing is in a directory, or it is gone. */
export function isEmptyDirectory(path: string): boolean {
  try {
    return Deno.readDirSync(path)[Symbol.iterator]().next().done === true;
  } catch {
    return true;
  }
}

/** Remove the private directory once commands' files in it are gone; what is left of those stays and is never walked. */
export function removePrivatePaths(paths: PrivatePaths): void {
  // Only the shell writes the copies, so walking them is safe.
  remove(paths.copies, { recursive: true });
  for (const path of [paths.tmp, paths.root]) remove(path, { recursive: false });
}

function remove(path: string, options: { readonly recursive: boolean }): void {
  try {
    Deno.removeSync(path, options);
  } catch {
    // Not empty or gone: a private directory that outlives its session harms nobody.
  }
}
