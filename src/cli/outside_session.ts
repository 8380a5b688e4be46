/** The refusal of what only a session can carry out. */
import { UsageError } from "../errors.ts";

/** A job belongs to a session, and this process would end it with itself. */
export function outsideSession(what: string): UsageError {
  return new UsageError(
    `Cannot use "${what}" here: a session carries it out, as a line of its own (debrief with commands on standard input)`,
  );
}
