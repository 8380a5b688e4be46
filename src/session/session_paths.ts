/** The user's directories of Debrief: state and configuration. */
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
      }; set it to the absolute path of a directory of yours`,
    );
  }
  const state = journal ??
    join(absolute(environment.XDG_STATE_HOME) ?? join(home, ".local/state"), "debrief");
  const config = join(absolute(environment.XDG_CONFIG_HOME) ?? join(home, ".config"), "debrief");
  return { home: realOrSame(home), state: realOrSame(state), config };
}
