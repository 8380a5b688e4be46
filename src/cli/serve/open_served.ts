/** The session behind a protocol on the standard streams. */
import { aimsOf, sessionOf } from "../aims.ts";
import type { CommandLine } from "../command_line.ts";
import { noOperands } from "../counts.ts";
import { onEndingSignals, timeoutOf } from "../open_session.ts";
import { journalOf, sessionOptions } from "../session_options.ts";
import { Session } from "../../session/session.ts";

/** What a protocol's front end stands on. */
export interface Served {
  readonly session: Session;
  /** Aborted, with the signal's number, when somebody asks for the end. */
  readonly ended: AbortSignal;
}

/**
 * Open the session.
 *
 * @throws {UsageError} as `Session.open` does, and for flags that cannot be used.
 */
export function openServed(line: CommandLine): Served {
  noOperands(line);
  const place = sessionOptions(line);
  const session = Session.open({
    ...place,
    journal: journalOf(place),
    timeoutMs: timeoutOf(line),
    task: line.values.get("task") ?? null,
    session: sessionOf(line),
    aims: aimsOf(line),
    passThrough: line.switches.has("pass-through"),
    keepsState: true,
  });
  const end = new AbortController();
  onEndingSignals((number) => end.abort(number));
  return { session, ended: end.signal };
}
