/** The policy that a command line chooses, for commands that open no session. */
import { loadPolicy } from "../policy/load.ts";
import type { Policy } from "../policy/policy.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf } from "./directories.ts";

/** The private directory does not exist yet when a policy is only looked at. */
const TMP_PLACEHOLDER = "/tmp/debrief-session/tmp";

/**
 * Load a policy.
 *
 * @param options.choice what was given for it, null for the one that a session would use.
 * @throws {UsageError} when it cannot be used.
 */
export function policyOf(
  line: CommandLine,
  options: { readonly choice: string | null; readonly workspace: string },
): Policy {
  const environment = Deno.env.toObject();
  const user = userPaths(environment, directoryOf(line, "journal"));
  return loadPolicy({
    choice: options.choice,
    envChoice: environment.DEBRIEF_POLICY ?? null,
    configDir: user.config,
    variables: { WORKSPACE: options.workspace, HOME: user.home, TMP: TMP_PLACEHOLDER },
    trustPolicy: line.switches.has("trust-policy"),
  });
}
