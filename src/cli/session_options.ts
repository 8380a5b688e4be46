/** What every command line says of the session that it opens. */
import { depthOf } from "../session/assemble_session.ts";
import { readKernelFile } from "../sandbox/linux/files.ts";
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

/** What the kernel says of every process in a jail: proc(5). */
const JAILED = /^NoNewPrivs:\s*1$/m;

/**
 * The directory of journal and outputs, null for the user's. A Debrief inside a jail has its own: the state of the outer
 * one is out of its reach, and the outer record covers the whole command. The variable alone is not believed: whoever sets
 * it would otherwise have commands without a record.
 */
export function journalOf(place: ReturnType<typeof sessionOptions>): string | null {
  const { environment, journal } = place;
  if (journal !== null || depthOf(environment) === 0) return journal;
  if (!JAILED.test(readKernelFile("/proc/self/status") ?? "")) return null;
  return environment.TMPDIR ? `${environment.TMPDIR}/debrief-state` : null;
}
