/** What every command line says of the session that it opens. */
import type { SessionOptions } from "../session/session_context.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf } from "./directories.ts";

/** The environment, the place and the policy. @throws {UsageError} for directories that cannot be used. */
export function sessionOptions(line: CommandLine) {
  return {
    environment: Deno.env.toObject(),
    cwd: Deno.cwd(),
    policy: line.values.get("policy") ?? null,
    trustPolicy: line.switches.has("trust-policy"),
    journal: directoryOf(line, "journal"),
    workspace: directoryOf(line, "workspace"),
  } satisfies SessionOptions;
}
