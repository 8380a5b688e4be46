/** From a command line to an open session with a printer and an end for signals. */
import { UsageError } from "../errors.ts";
import { durationMs } from "../policy/duration.ts";
import { callerWorkspace, keepCallerWorkspace } from "../session/caller_workspace.ts";
import { depthOf } from "../session/assemble_session.ts";
import { findRecord, type RecordFilter } from "../record/read.ts";
import { Session } from "../session/session.ts";
import { userPaths } from "../session/session_paths.ts";
import { visibleText } from "../record/visible_text.ts";
import { aimsOf, sessionOf } from "./aims.ts";
import type { CommandLine } from "./command_line.ts";
import { blockDescriptor, Printer, streamsWithoutBlock } from "./printer.ts";
import { journalOf, sessionOptions } from "./session_options.ts";
import { writeText } from "./terminal.ts";

/** A session as a front end uses it. */
export interface FrontEnd {
  readonly session: Session;
  readonly printer: Printer;
  /** What the command line says of every command. */
  readonly note: string | null;
  readonly parent: string | null;
}

/** What differs between front ends. */
export interface FrontEndOptions {
  /** Where the block goes unless the user says otherwise. */
  readonly block: string;
  readonly keepsState: boolean;
  /** Descriptors that the process was started with, besides the standard ones. */
  readonly inherited: ReadonlySet<number>;
  /** Hears the number of a signal by which a terminal's user or a service manager asks for the end. */
  readonly onSignal: (number: number) => void;
  /** True for what an agent reads as data: no block unless the flag asks for one, and the whole output. */
  readonly isProbe?: boolean;
  /** True where commands can move the caller's working directory. */
  readonly isSteered?: boolean;
}

/** Signals that a front end hears of; `signal(7)`. */
const FORWARDED: readonly (readonly [Deno.Signal, number])[] = [
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGHUP", 1],
];

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
  const json = line.switches.has("json");
  const format = line.values.get("format") ?? (json ? "json" : "text");
  if (json && format !== "json") {
    throw new UsageError(`Cannot use --json and --format "${format}" together`);
  }
  if (format === "text" || format === "json") return format;
  throw new UsageError(`Cannot use --format "${format}": text and json are accepted`);
}

/**
 * Where the block goes: what the command line says, else the environment, else where nobody expects one from a Debrief
 * inside another.
 */
function destinationOf(
  line: CommandLine,
  options: { block: string; fromEnvironment: string },
): string {
  const named = line.values.get("block");
  if (!line.switches.has("quiet")) return named ?? (options.fromEnvironment || options.block);
  if (named === undefined) return "off";
  throw new UsageError("Cannot use --quiet and --block together: one of them is accepted");
}

/**
 * The parent that is meant, null when none is. The beginning of an id stands for the whole where there is a record of it, as in
 * the commands that read; one that is not there (any more) is recorded as given.
 *
 * @throws {UsageError} when it is no command's id, or fits several.
 */
export function parentOf(
  id: string | null,
  { prefix = "", ...among }: RecordFilter & { readonly prefix?: string },
): string | null {
  if (id === null) return null;
  if (/^c[0-9a-z]{1,15}$/.test(id)) return findRecord({ ...among, id })?.command_id ?? id;
  throw new UsageError(`Cannot use ${prefix}parent "${id}": the id of a command is accepted`);
}

/** True when what is printed there is shown by a terminal. */
function isTerminal(fd: number | null): boolean {
  return fd === 1 ? Deno.stdout.isTerminal() : fd === 2 && Deno.stderr.isTerminal();
}

/**
 * Open a session.
 *
 * @throws {UsageError} as `Session.open` does, and for flags that cannot be used.
 */
export function openSession(line: CommandLine, options: FrontEndOptions): FrontEnd {
  const named = sessionOptions(line);
  const { environment } = named;
  const journal = journalOf(named);
  const { state } = userPaths(environment, journal);
  const pinned = options.isSteered ? named.workspace ?? callerWorkspace(state) : named.workspace;
  const place = { ...named, workspace: pinned };
  const nested = depthOf(environment) > 0;
  const destination = destinationOf(line, {
    block: nested ? "off" : options.block,
    fromEnvironment: options.isProbe ? "off" : environment.DEBRIEF_BLOCK ?? "",
  });
  const format = formatOf(line);
  const blockFd = blockDescriptor(destination, options.inherited);
  const parent = parentOf(line.values.get("parent") ?? null, {
    directory: state,
    prefix: "--",
  });
  const session = Session.open({
    ...place,
    journal,
    timeoutMs: timeoutOf(line),
    task: line.values.get("task") ?? null,
    session: sessionOf(line),
    aims: aimsOf(line),
    passThrough: line.switches.has("pass-through") || options.isProbe === true,
    raw: streamsWithoutBlock(blockFd),
    ansi: isTerminal(1),
    keepsState: options.keepsState,
  });
  if (options.isSteered && pinned === null) {
    keepCallerWorkspace(session.context.user.state, session.context.variables.WORKSPACE);
  }
  onEndingSignals(options.onSignal);
  return {
    session,
    printer: new Printer({
      blockFd,
      format,
      nonce: session.context.nonce,
      color: isTerminal(blockFd) && !environment.NO_COLOR,
    }),
    note: line.values.get("note") ?? null,
    parent,
  };
}

/** Hear of the signals by which a terminal's user or a service manager asks for the end, by their numbers. */
export function onEndingSignals(take: (number: number) => void): void {
  for (const [name, number] of FORWARDED) Deno.addSignalListener(name, () => take(number));
}

/** Close a session, and say what was put back only then: no block is left to say it. */
export async function closeSession(session: Session): Promise<void> {
  for (const text of await session.close()) {
    writeText(2, `debrief: restored at the end of the session: ${visibleText(text)}\n`);
  }
  for (const text of session.context.telemetry?.problems ?? []) {
    writeText(2, `debrief: ${visibleText(text)}\n`);
  }
}
