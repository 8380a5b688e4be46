/** When a provider is asked. */
import type { FeedbackContext, FeedbackTrigger } from "./provider.ts";

/** Milliseconds of a second. */
const SECOND = 1_000;

/**
 * True when one of a trigger's conditions holds. Seconds count from the session's begin until the provider first spoke.
 *
 * @throws {RangeError} for a cadence that is not positive, which would mean "always" to one reader and "never" to another.
 */
export function isTriggered(trigger: FeedbackTrigger, context: FeedbackContext): boolean {
  const { everyNCalls, everyNSeconds, onFileCreated = [], onOutcome = [] } = trigger;
  checkCadence("everyNCalls", everyNCalls);
  checkCadence("everyNSeconds", everyNSeconds);
  const { call, now, startedAt, command, created, state } = context;
  if (everyNCalls !== undefined && call - state.lastCall >= everyNCalls) return true;
  const since = state.lastAt === 0 ? startedAt : state.lastAt;
  if (everyNSeconds !== undefined && now - since >= everyNSeconds * SECOND) return true;
  if (onOutcome.includes(command.outcome)) return true;
  return onFileCreated.some((path) => created.includes(path) && !state.files.includes(path));
}

function checkCadence(name: string, value: number | undefined): void {
  if (value === undefined || value > 0) return;
  throw new RangeError(`Cannot use ${name} ${value}: a positive number is accepted`);
}
