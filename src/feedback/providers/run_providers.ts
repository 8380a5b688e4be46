/**
 * One evaluation of all providers, when a command has ended:
 *
 *     shouldRun of all, against what was stored -> choose -> provide -> store -> render
 */
import { reasonOf } from "../../errors.ts";
import type { Feedback, FeedbackContext, FeedbackProvider, ProviderState } from "./provider.ts";
import { readFeedback } from "./feedback_shape.ts";
import { renderFeedback } from "./render_feedback.ts";
import { shortText } from "../../record/visible_text.ts";

/** `all`: every provider that wants to, each with a cadence of its own. `first`: the first one, with a shared cadence. */
export type Selection = "all" | "first";

/** What is stored of all providers. */
export interface ProviderStates {
  /** The last time that any spoke: the cadence of `first`. */
  readonly shared: { readonly lastCall: number; readonly lastAt: number };
  readonly byName: Readonly<Record<string, ProviderState>>;
}

/** What one evaluation came to. */
export interface Evaluation {
  /** One text for each provider that spoke or failed, in the order of the configuration. */
  readonly texts: readonly string[];
  readonly spoke: readonly Feedback[];
  readonly states: ProviderStates;
}

/** Nothing stored yet. */
export const NO_STATES: ProviderStates = { shared: { lastCall: 0, lastAt: 0 }, byName: {} };

const NEW: ProviderState = { runs: 0, lastCall: 0, lastAt: 0, files: [], memory: {} };

/** Characters of a provider's memory as JSON. */
const MAX_MEMORY = 4_096;
/** Added for a provider that keeps its time itself, and has something to clean up then, in ms. */
const PATIENCE_MS = 70_000;
/** Characters of a failure. */
const MAX_FAILURE = 200;

/** How to evaluate. */
export interface RunOptions {
  readonly select: Selection;
  readonly states: ProviderStates;
  /** Time of one provider, in ms. */
  readonly timeoutMs: number;
}

/** Either what was wanted, or one line about why there is none. */
type Answer<T> = { readonly value: T } | { readonly failure: string };

/**
 * Asks the providers. One that throws or takes too long is reported in one line, keeps its state, and changes nothing
 * for the others. Code on this thread that never gives it back cannot be interrupted: custom modules have a thread of
 * their own.
 */
export async function runProviders(
  providers: readonly FeedbackProvider[],
  context: Omit<FeedbackContext, "state">,
  options: RunOptions,
): Promise<Evaluation> {
  const { select, states, timeoutMs } = options;
  const asked = providers.map((provider) => ({ provider, context: contextFor(provider) }));
  function contextFor({ name }: FeedbackProvider): FeedbackContext {
    const stored = Object.hasOwn(states.byName, name) ? states.byName[name] ?? NEW : NEW;
    const cadence = select === "first" ? states.shared : {};
    // A copy, so that a provider that fails half-way leaves its notes as they were.
    return { ...context, state: { ...stored, ...cadence, memory: structuredClone(stored.memory) } };
  }
  const limitOf = ({ endsItself }: FeedbackProvider) => timeoutMs + (endsItself ? PATIENCE_MS : 0);
  using asking = new DisposableStack();
  for (const { provider, context } of asked) asking.defer(() => provider.release?.(context));
  const wants = await Promise.all(
    asked.map(({ provider, context }) =>
      within(limitOf(provider), () => provider.shouldRun(context))
    ),
  );
  const chosen = asked.filter((_, index) => isYes(wants[index]));
  const first = select === "first" ? chosen.slice(0, 1) : chosen;
  const said = new Map<string, Answer<Feedback | null>>();
  for (const { provider, context } of first) {
    const provide = async () => readFeedback(await provider.provide(context), provider.name);
    said.set(provider.name, await within(limitOf(provider), provide));
  }
  const byName: Record<string, ProviderState> = { ...states.byName };
  const texts: string[] = [];
  const spoke: Feedback[] = [];
  let answered = false;
  for (const [index, { provider, context }] of asked.entries()) {
    const want = wants[index];
    const answer = want && "failure" in want ? want : said.get(provider.name);
    if (answer === undefined) continue;
    if ("failure" in answer) {
      texts.push(`[Feedback - ${shortText(provider.name, 60)}] failed: ${answer.failure}`);
      continue;
    }
    byName[provider.name] = spokenState(context);
    answered = true;
    if (answer.value === null) continue;
    spoke.push(answer.value);
    texts.push(renderFeedback(answer.value));
  }
  const { call, now } = context;
  const shared = answered ? { lastCall: call, lastAt: now } : states.shared;
  return { texts, spoke, states: { shared, byName } };
}

function spokenState({ call, now, created, state }: FeedbackContext): ProviderState {
  const notes = JSON.stringify(state.memory) ?? "{}";
  return {
    runs: state.runs + 1,
    lastCall: call,
    lastAt: now,
    // Whatever made it speak: it was told of these files.
    files: [...created],
    memory: notes.length <= MAX_MEMORY ? JSON.parse(notes) : {},
  };
}

function isYes(answer: Answer<boolean> | undefined): boolean {
  return answer !== undefined && "value" in answer && answer.value === true;
}

async function within<T>(limitMs: number, ask: () => T | Promise<T>): Promise<Answer<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = { failure: `it took longer than ${limitMs} ms` };
  const began = performance.now();
  try {
    const timeout = new Promise<Answer<T>>((resolve) => {
      timer = setTimeout(() => resolve(late), limitMs);
    });
    const answer = (async () => ({ value: await ask() }))();
    const first = await Promise.race([answer, timeout]);
    // Code that kept the thread was not interrupted, but it was late all the same.
    return performance.now() - began > limitMs ? late : first;
  } catch (error) {
    const text = reasonOf(error);
    return { failure: shortText(text, MAX_FAILURE) };
  } finally {
    clearTimeout(timer);
  }
}
