/** `debrief redact`: standard input to standard output without secrets, by the engine that all output passes. */
import { UsageError } from "../errors.ts";
import type { Redactor } from "../output/redact.ts";
import { policyRedactor } from "../session/policy_redactor.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { directoryOf, workspaceOf } from "./directories.ts";
import { policyOf } from "./load_policy.ts";
import { inputAhead } from "./standard_input.ts";
import { writeBytes, writeText } from "./terminal.ts";

/** Bytes that are redacted at once: all that works on them stays in the second-level cache. */
const PIECE_BYTES = 64 * 1024;
/** Stands for a workspace where none can be, as in the home directory: then no command can write anywhere either. */
const NO_WORKSPACE = "/nonexistent/debrief-workspace";

/** Run the command. @throws {UsageError} when the policy cannot be used, or before a word of input is read. */
export async function runRedactCommand(line: CommandLine): Promise<number> {
  noOperands(line);
  const asksJson = line.switches.has("json");
  if (asksJson && !line.switches.has("report")) {
    throw new UsageError("Cannot use --json without --report: only the report can be JSON");
  }
  const policy = policyOf(line, {
    choice: line.values.get("policy") ?? null,
    workspace: workspaceOrNone(line),
  });
  const redactor = policyRedactor(policy.redact, { environment: Deno.env.toObject() });
  const bytes = await copy(redactor);
  if (line.switches.has("report")) {
    writeText(2, asksJson ? json(redactor, bytes) : text(redactor));
  }
  return 0;
}

/** The file of a policy needs no workspace; only what it grants does. */
function workspaceOrNone(line: CommandLine): string {
  const user = userPaths(Deno.env.toObject(), directoryOf(line, "journal"));
  if (line.values.has("workspace")) return workspaceOf(line, user);
  try {
    return workspaceOf(line, user);
  } catch (error) {
    if (error instanceof UsageError) return NO_WORKSPACE;
    throw error;
  }
}

/** Copies as input arrives; the last bytes that could still become a secret wait for what follows them. */
async function copy(redactor: Redactor): Promise<{ in: number; out: number }> {
  const stream = redactor.stream();
  const bytes = { in: 0, out: 0 };
  const write = (part: Uint8Array) => {
    bytes.out += part.length;
    writeBytes(1, part);
  };
  for await (const part of inputAhead()) {
    bytes.in += part.length;
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      write(stream.push(part.subarray(at, at + PIECE_BYTES)));
    }
  }
  write(stream.finish());
  return bytes;
}

function sorted(redactor: Redactor): [string, number][] {
  return Object.entries(redactor.counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function json(redactor: Redactor, bytes: { in: number; out: number }): string {
  const redactions = Object.fromEntries(sorted(redactor));
  return JSON.stringify({ redactions, bytes }) + "\n";
}

function text(redactor: Redactor): string {
  const rows = sorted(redactor);
  if (rows.length === 0) return "redacted: nothing\n";
  return rows.map(([rule, count]) => `${String(count).padStart(6)} ${rule}\n`).join("");
}
