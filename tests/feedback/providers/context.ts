/** A provider's context to start from, and a session that is played through. */
import type {
  FeedbackCommand,
  FeedbackContext,
  FeedbackProvider,
} from "../../../src/feedback/providers/provider.ts";
import {
  NO_STATES,
  type ProviderStates,
  runProviders,
  type Selection,
} from "../../../src/feedback/providers/run_providers.ts";

export const START = Date.parse("2026-01-02T03:04:05Z");

export function command(fields: Partial<FeedbackCommand> = {}): FeedbackCommand {
  return {
    commandId: "c0000001",
    command: "make",
    cwd: "/work",
    exitCode: 0,
    outcome: fields.exitCode === undefined || fields.exitCode === 0 ? "success" : "failed",
    startedAt: START,
    durationMs: 100,
    digest: "d",
    tail: "",
    redactions: {},
    ...fields,
  };
}

export function context(fields: Partial<FeedbackContext> = {}): FeedbackContext {
  return {
    call: 1,
    now: START,
    startedAt: START,
    command: command(),
    history: [],
    goal: null,
    task: null,
    deadline: null,
    budget: { tokens: null, seconds: null },
    used: { tokens: 0, seconds: 0 },
    created: [],
    state: { runs: 0, lastCall: 0, lastAt: 0, files: [], memory: {} },
    ...fields,
  };
}

/** Evaluates providers after each of the given commands; returns what was said after each, one list of texts per command. */
export async function play(
  providers: readonly FeedbackProvider[],
  turns: readonly Partial<FeedbackContext>[],
  { select = "all", timeoutMs = 5_000 }: { select?: Selection; timeoutMs?: number } = {},
): Promise<readonly (readonly string[])[]> {
  let states: ProviderStates = NO_STATES;
  const history: FeedbackCommand[] = [];
  const said: (readonly string[])[] = [];
  for (const [index, turn] of turns.entries()) {
    const { state: _, ...told } = context({ call: index + 1, history: [...history], ...turn });
    const evaluation = await runProviders(providers, told, { select, states, timeoutMs });
    states = evaluation.states;
    said.push(evaluation.texts);
    history.push(told.command);
  }
  return said;
}
