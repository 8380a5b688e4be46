/** The protocol of feedback providers: what they are told, and what they say. */
import type { OutcomeKind } from "../../record/record.ts";

/** How much a provider's words matter. */
export type Severity = "info" | "caution" | "warning";

/** One fact that a provider has seen. */
export interface Observation {
  /** In a word or two, such as `Progress`. */
  readonly category: string;
  readonly description: string;
  /** What it was seen in. */
  readonly evidence?: string;
}

/** What a provider says. */
export interface Feedback {
  /** Shown above the text. */
  readonly providerName: string;
  readonly summary: string;
  readonly observations: readonly Observation[];
  readonly suggestions: readonly string[];
  readonly severity: Severity;
}

/** Feedback as a provider may write it: all but the summary can be left out. */
export type FeedbackDraft = Pick<Feedback, "summary"> & Partial<Feedback>;

/** When a provider is asked; conditions are joined by OR, and none at all never holds. */
export interface FeedbackTrigger {
  /** Commands since it last spoke; a positive whole number. */
  readonly everyNCalls?: number;
  /** Seconds since it last spoke; holds at the first opportunity. Positive. */
  readonly everyNSeconds?: number;
  /** Absolute paths; each counts once in a session, when it has come into being. */
  readonly onFileCreated?: readonly string[];
  readonly onOutcome?: readonly OutcomeKind[];
}

/** What is known of one command. All text is redacted. */
export interface FeedbackCommand {
  readonly commandId: string;
  /** Words joined by single spaces. */
  readonly command: string;
  readonly cwd: string;
  /** Null when no exit was observed. */
  readonly exitCode: number | null;
  readonly outcome: OutcomeKind;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Equal for equal results: of what was shown, of both tails and of the exact counts. */
  readonly digest: string;
  /** The end of the output, both streams. */
  readonly tail: string;
  /** Hidden values by rule. */
  readonly redactions: Readonly<Record<string, number>>;
}

/** What is kept of a provider between commands, by its name. */
export interface ProviderState {
  /** Times that it spoke. */
  readonly runs: number;
  /** Number of the command at which it last spoke, 0 for never. With `select: "first"` that of any provider. */
  readonly lastCall: number;
  /** In ms since 1970; 0 for never. */
  readonly lastAt: number;
  /** Paths of `onFileCreated` that it has heard of. */
  readonly files: readonly string[];
  /** The provider's own notes: plain data, kept as it leaves them when it has spoken. At most 4,096 characters as JSON. */
  readonly memory: Record<string, unknown>;
}

/** What a provider is told when a command has ended. Plain data, the same for every kind of provider. */
export interface FeedbackContext {
  /** Commands in this session, this one counted. */
  readonly call: number;
  /** In ms since 1970. */
  readonly now: number;
  /** Begin of the session, in ms since 1970. */
  readonly startedAt: number;
  /** The command that has ended. */
  readonly command: FeedbackCommand;
  /** Those before, oldest first, at most 32. */
  readonly history: readonly FeedbackCommand[];
  /** What all of it is for, as the caller said. */
  readonly goal: string | null;
  readonly task: string | null;
  /** In ms since 1970, null for none. */
  readonly deadline: number | null;
  /** Bounds that the caller set, null for none. */
  readonly budget: { readonly tokens: number | null; readonly seconds: number | null };
  /** What the session's commands have used: shown output in tokens of 4 characters, and wall time. */
  readonly used: { readonly tokens: number; readonly seconds: number };
  /** Watched paths that have come into being in this session. */
  readonly created: readonly string[];
  readonly state: ProviderState;
}

/**
 * Says something after a command, failed or not. `shouldRun` of all providers is asked first, with what was stored
 * before; then those chosen provide.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { type FeedbackProvider, isTriggered, Session } from "@debrief/debrief";
 *
 * const provider: FeedbackProvider = {
 *   name: "Notes",
 *   shouldRun: (context) => isTriggered({ everyNCalls: 1 }, context),
 *   provide: ({ command, call }) => ({
 *     summary: `Command ${call} ended with ${command.exitCode}.`,
 *     suggestions: ["NOTES.md is the place for what was learned."],
 *   }),
 * };
 *
 * const environment = { HOME: Deno.makeTempDirSync(), PATH: "/usr/bin:/bin" };
 * const cwd = Deno.makeTempDirSync();
 * await using session = Session.open({ environment, cwd, policy: "readonly", providers: [provider] });
 * await session.run({ text: { kind: "argv", argv: ["false"] } }, (event) => {
 *   if (event.kind !== "finished") return;
 *   const [said] = event.record.feedback;
 *   assertEquals(said?.split("\n").slice(0, 2), ["[Feedback - Notes]", "Command 1 ended with 1."]);
 * });
 * ```
 */
export interface FeedbackProvider {
  /** Unique in a session; its state is kept by it. */
  readonly name: string;
  /** Paths that it wants to hear of in `created`. */
  readonly watches?: readonly string[];
  /**
   * True when it keeps its time itself, and is not to be left before it has ended what it started.
   *
   * @internal
   */
  readonly endsItself?: boolean;
  readonly shouldRun: (context: FeedbackContext) => boolean | Promise<boolean>;
  /** Null for nothing to say this time; its cadence begins anew all the same. */
  readonly provide: (
    context: FeedbackContext,
  ) => FeedbackDraft | null | Promise<FeedbackDraft | null>;
  /**
   * Called at the end of each evaluation, with the context that the others were called with.
   *
   * @internal
   */
  readonly release?: (context: FeedbackContext) => void;
}

/** True for a command that failed; the plain no of a search or test is no failure. */
export function isFailure({ exitCode, outcome }: FeedbackCommand): boolean {
  return exitCode !== 0 && outcome !== "false" && outcome !== "no-results";
}
