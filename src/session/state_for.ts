/**
 * The shell state that a caller asks for in place of the session's own. A caller's words reach the jail's start, which is
 * outside of the jail: so the directory must be one that commands may read, and a variable one that commands themselves
 * could have exported.
 */
import { isAbsolute, resolve } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { formatLocation } from "../policy/denial.ts";
import { decideEnv, decidePath, describeAbsence, describeRule } from "../policy/match.ts";
import { realPath, status } from "../sandbox/linux/files.ts";
import { namedSecrets } from "./known_secrets.ts";
import type { SessionContext } from "./session_context.ts";
import type { ShellState } from "./shell_state.ts";
import { keeps, MAX_VARIABLE_BYTES } from "./state_reader.ts";
import { isUsable } from "./working_directory.ts";

/** What differs from the state before. */
export interface StateRequest {
  /** Absolute, or relative to the directory of the state. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const encoder = new TextEncoder();

/**
 * A state with another directory and further variables; what their names call secrets is redacted from now on.
 *
 * @throws {UsageError} for a directory that is none or that the policy keeps commands from reading, and for a variable that
 *   no command may get.
 */
export function stateFor(
  { policy, redactor }: Pick<SessionContext, "policy" | "redactor">,
  { base, request }: { readonly base: ShellState; readonly request: StateRequest },
): ShellState {
  const cwd = request.cwd === undefined ? base.cwd : directoryFor(policy, request.cwd, base.cwd);
  for (const [name, value] of Object.entries(request.env ?? {})) {
    checkVariable(policy, name, value);
  }
  for (const { name, value } of namedSecrets(request.env ?? {}, policy.redact.env)) {
    redactor.know(name, value);
  }
  return { ...base, cwd, environment: { ...base.environment, ...request.env } };
}

type Policy = SessionContext["policy"];

function directoryFor(policy: Policy, written: string, from: string): string {
  const cannot = `Cannot run in "${written}"`;
  if (written === "" || written.includes("\0")) throw new UsageError(`${cannot}: it is no path`);
  const path = realPath(isAbsolute(written) ? written : resolve(from, written));
  // Refused before it is looked at: whether it is there is nothing to learn here either.
  const { allowed, rule } = decidePath(policy, {
    permission: "read",
    path: path ?? resolve(from, written),
  });
  if (!allowed) {
    const words = rule ? describeRule(rule) : describeAbsence("read");
    const at = formatLocation(rule?.source ?? policy.read.source);
    throw new UsageError(`${cannot}: commands may not read it, ${words} (${at})`);
  }
  if (path === null || status(path, { follow: true })?.kind !== "directory") {
    throw new UsageError(`${cannot}: it is not a directory`);
  }
  if (!isUsable(path)) throw new UsageError(`${cannot}: it cannot be entered`);
  return path;
}

function checkVariable(policy: Policy, name: string, value: string): void {
  const cannot = `Cannot set the variable "${name.slice(0, 80)}"`;
  if (!keeps(policy, name)) {
    const { rule } = decideEnv(policy, name);
    const words = rule?.effect === "deny"
      ? `${describeRule(rule)} (${formatLocation(rule.source)})`
      : "it is no name, or makes programs load code and no rule of the policy names it";
    throw new UsageError(`${cannot}: ${words}`);
  }
  if (value.includes("\0") || !value.isWellFormed()) {
    throw new UsageError(`${cannot}: its value holds what no variable can`);
  }
  if (encoder.encode(`${name}=${value}`).length >= MAX_VARIABLE_BYTES) {
    throw new UsageError(`${cannot}: it is longer than ${MAX_VARIABLE_BYTES - 1} bytes`);
  }
}
