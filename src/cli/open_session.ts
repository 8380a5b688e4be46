/** From a command line to an open session with a printer and an end for signals. */
import { UsageError } from "../errors.ts";
import { durationMs } from "../policy/duration.ts";
import { depthOf } from "../session/assemble_session.ts";
import { Session } from "../session/session.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf } from "./directories.ts";
import { blockDescriptor, Printer } from "./printer.ts";

/** A session as a front end uses it. */
export interface FrontEnd {
  readonly session: Session;
  readonly printer: Printer;
  /** Ends the command that runs; replaced before each command. */
  interrupt: AbortController;
  /** What the command line says of every command. */
  readonly note: string | null;
  readonly parent: string | null;
}

/** Signals that end the running command the way a terminal's user or a service manager asks for. */
const FORWARDED: readonly (readonly [Deno.Signal, number])[] = [["SIGINT", 2], ["SIGTERM", 15], [
  "SIGHUP",
  1,
]];

/** `--timeout` in milliseconds, null when it is absent. @throws {UsageError} when it is no duration. */
export function timeoutOf(line: CommandLine): number | null {
  const text = line.values.get("timeout");
  if (text === undefined) return null;
  const parsed = durationMs(text);
  if (parsed === null) {
    throw new UsageError(
      `Cannot use --timeout "${text}": a time such as 90, 90s, 2m, 500ms or none is accepted`,
    );
  }
  return parsed;
}

function formatOf(line: CommandLine): "text" | "json" {
  const format = line.values.get("format") ?? "text";
  if (format === "text" || format === "json") return format;
  throw new UsageError(`Cannot use --format "${format}": text and json are accepted`);
}

/**
 * Where a Debrief inside a jail keeps its records: the state of the outer one is out of its reach, and the outer record
 * covers the whole command.
 */
function innerState(environment: Readonly<Record<string, string>>): string | null {
  return environment.TMPDIR ? `${environment.TMPDIR}/debrief-state` : null;
}

/**
 * Open a session.
 *
 * @param defaults what differs between front ends.
 * @throws {UsageError} as `Session.open` does, and for flags that cannot be used.
 */
export function openSession(
  line: CommandLine,
  defaults: { readonly block: string; readonly keepsState: boolean },
): FrontEnd {
  const environment = Deno.env.toObject();
  const nested = depthOf(environment) > 0;
  const destination = line.values.get("block") ??
    (environment.DEBRIEF_BLOCK || (nested ? "off" : defaults.block));
  const format = formatOf(line);
  const blockFd = blockDescriptor(destination);
  const terminal = Deno.stdout.isTerminal();
  const session = Session.open({
    environment,
    cwd: Deno.cwd(),
    policy: line.values.get("policy") ?? null,
    trustPolicy: line.switches.has("trust-policy"),
    journal: directoryOf(line, "journal") ?? (nested ? innerState(environment) : null),
    workspace: directoryOf(line, "workspace"),
    timeoutMs: timeoutOf(line),
    task: line.values.get("task") ?? null,
    passThrough: line.switches.has("pass-through"),
    ansi: terminal,
    keepsState: defaults.keepsState,
  });
  const frontEnd: FrontEnd = {
    session,
    printer: new Printer({
      blockFd,
      format,
      nonce: session.context.nonce,
      color: blockFd !== null && blockFd <= 2 && terminal && !environment.NO_COLOR,
      onClosed: () => frontEnd.interrupt.abort(13),
    }),
    interrupt: new AbortController(),
    note: line.values.get("note") ?? null,
    parent: line.values.get("parent") ?? null,
  };
  for (const [name, number] of FORWARDED) {
    Deno.addSignalListener(name, () => frontEnd.interrupt.abort(number));
  }
  return frontEnd;
}
