/** Feedback after each command of a session. */
import { reasonOf } from "../errors.ts";
import { createHash } from "node:crypto";
import { runProviders } from "../feedback/providers/run_providers.ts";
import type { FeedbackCommand, FeedbackProvider } from "../feedback/providers/provider.ts";
import type { FeedbackSettings } from "../policy/policy.ts";
import type { UnchainedRecord } from "../record/journal.ts";
import { status } from "../sandbox/linux/files.ts";
import type { EventSink } from "./events.ts";
import { FeedbackStore, type StoredFeedback } from "./feedback_store.ts";

/** Commands that providers see. */
const MAX_COMMANDS = 32;
/** Characters of one output's end, of a command, and of what a digest is made of. */
const MAX = { tail: 2_000, command: 500, shown: 65_536 } as const;
/** Characters of a token, as good as one can tell without the model's own tokenizer. */
const TOKEN = 4;

/** What the caller says of a whole session. Absent fields leave what was said earlier in the same session. */
export interface SessionAims {
  /** What all of it is for. */
  readonly goal?: string | null;
  /** When it ends: a time or a duration, as written, and in ms since 1970. */
  readonly deadline?: { readonly written: string; readonly at: number } | null;
  /** Output tokens and seconds of command time. */
  readonly budget?: { readonly tokens: number | null; readonly seconds: number | null } | null;
}

/** What holds of a session: its aims, and what was used of them. */
export type AimsReport = Pick<
  StoredFeedback,
  "goal" | "deadline" | "budget" | "used" | "calls"
>;

/** What a session's feedback is made from. */
export interface SessionFeedbackOptions {
  readonly state: string;
  readonly sessionId: string;
  readonly settings: FeedbackSettings;
  readonly aims: SessionAims;
  readonly task: string | null;
  /** What aims and task pass before they are kept or told. */
  readonly redact: (text: string) => string;
  readonly providers: readonly FeedbackProvider[];
  /** What is wrong with one of them, null when nothing is. */
  readonly problem: Promise<string | null>;
  /** Ends what they have started and not used. */
  readonly end: () => void;
}

/** Takes in what one command shows, on its way to the front end. */
export class ShownMeter {
  readonly emit: EventSink;
  #characters = 0;
  #hashed = 0;
  readonly #hash = createHash("sha256");

  constructor(emit: EventSink) {
    this.emit = (event) => {
      if (event.kind === "output") this.#take(event.text);
      if (event.kind === "bytes") this.#characters += event.bytes.length;
      emit(event);
    };
  }

  #take(text: string): void {
    this.#characters += text.length;
    if (this.#hashed >= MAX.shown) return;
    const part = text.slice(0, MAX.shown - this.#hashed);
    this.#hashed += part.length;
    this.#hash.update(part);
  }

  /** Tokens that were shown, and what providers hear of the command. Once for each meter. */
  finish(record: UnchainedRecord): { readonly tokens: number; readonly command: FeedbackCommand } {
    const { stdout_tail, stderr_tail, bytes, lines } = record;
    this.#hash.update(JSON.stringify([stdout_tail, stderr_tail, bytes, lines]));
    return {
      tokens: Math.ceil(this.#characters / TOKEN),
      command: {
        commandId: record.command_id,
        command: record.command.join(" ").slice(0, MAX.command),
        cwd: record.cwd,
        exitCode: record.exit_code,
        outcome: record.outcome.kind,
        startedAt: Date.parse(record.started_at),
        durationMs: record.duration_ms,
        digest: this.#hash.digest("hex"),
        tail: [stdout_tail, stderr_tail].map((text) => text.slice(-MAX.tail / 2)).join("\n").trim(),
        redactions: record.redactions,
      },
    };
  }
}

/** The feedback of a session. */
export class SessionFeedback {
  readonly #options: SessionFeedbackOptions;
  readonly #store: FeedbackStore;
  readonly #watched: readonly string[];
  /** Paths that were there when the session began, looked at before its first command could make them. */
  readonly #before: Readonly<Record<string, "there" | "absent">>;
  #aims: SessionAims;

  constructor(options: SessionFeedbackOptions) {
    this.#options = options;
    this.#aims = this.#clean(options.aims);
    this.#store = new FeedbackStore(options.state, options.sessionId);
    this.#watched = [...new Set(options.providers.flatMap(({ watches = [] }) => watches))];
    this.#before = Object.fromEntries(this.#watched.map((path) => [path, look(path)]));
  }

  /** Why no command may run: a provider that cannot be used makes the policy one that cannot be. Null when they can. */
  get problem(): Promise<string | null> {
    return this.#options.problem;
  }

  /** End what providers keep; nobody asks them any more. */
  async close(): Promise<void> {
    await this.#options.problem;
    this.#options.end();
  }

  #clean(aims: SessionAims): SessionAims {
    return aims.goal ? { ...aims, goal: this.#options.redact(aims.goal) } : aims;
  }

  /** What the session is for, null when nobody has said so in this process. */
  get goal(): string | null {
    return this.#aims.goal ?? null;
  }

  /**
   * Say anew what the session is for and may take; absent fields leave what was said.
   *
   * @returns what holds now.
   * @throws {Error} when it cannot be stored.
   */
  async aim(aims: SessionAims): Promise<AimsReport> {
    const { goal } = this.#clean(aims);
    this.#aims = {
      goal: goal ?? this.#aims.goal ?? null,
      deadline: aims.deadline ?? this.#aims.deadline ?? null,
      budget: aims.budget ?? this.#aims.budget ?? null,
    };
    return await this.#store.update((stored) => {
      // Said in so many words, a duration counts from now even when it is the one that was said before.
      const next = this.#aimed({ ...stored, deadline: aims.deadline ?? stored.deadline });
      const { goal, deadline, budget, used, calls } = next;
      return Promise.resolve({ next, value: { goal, deadline, budget, used, calls } });
    });
  }

  /**
   * What providers say of a command, each as the text that a block shows.
   *
   * @returns also a notice when nothing could be stored; the command is none the worse for it.
   */
  async after(
    record: UnchainedRecord,
    meter: ShownMeter,
  ): Promise<{ readonly texts: readonly string[]; readonly notices: readonly string[] }> {
    const { tokens, command } = meter.finish(record);
    const { providers, settings, task, redact } = this.#options;
    try {
      const texts = await this.#store.update(async (stored) => {
        const now = Date.now();
        const next = this.#counted(stored, { tokens, command });
        const created = Object.keys(next.watched).filter((path) =>
          next.watched[path] === "created"
        );
        const context = {
          call: next.calls,
          now,
          startedAt: next.startedAt,
          command,
          history: stored.commands,
          goal: next.goal,
          task: record.task_id ?? (task === null ? null : redact(task)),
          deadline: next.deadline?.at ?? null,
          budget: next.budget,
          used: next.used,
          created,
        };
        const { select, timeoutMs } = settings;
        const { texts, states } = await runProviders(providers, context, {
          select,
          timeoutMs,
          states: stored.providers,
        });
        return { next: { ...next, providers: states }, value: texts };
      });
      return { texts, notices: [] };
    } catch (error) {
      const state = reasonOf(error);
      return { texts: [], notices: [`no feedback: ${state}`] };
    }
  }

  #counted(
    stored: StoredFeedback,
    { tokens, command }: { readonly tokens: number; readonly command: FeedbackCommand },
  ): StoredFeedback {
    return {
      ...this.#aimed(stored),
      calls: stored.calls + 1,
      used: {
        tokens: stored.used.tokens + tokens,
        seconds: stored.used.seconds + command.durationMs / 1_000,
      },
      watched: this.#looked(stored.watched),
      commands: [...stored.commands, command].slice(-MAX_COMMANDS),
    };
  }

  #aimed(stored: StoredFeedback): StoredFeedback {
    const { goal, deadline, budget } = this.#aims;
    const known = stored.deadline;
    return {
      ...stored,
      goal: goal ?? stored.goal,
      // Given with every command, a duration counts from the first one.
      deadline: deadline && deadline.written !== known?.written ? deadline : known,
      budget: budget ?? stored.budget,
    };
  }

  #looked(watched: StoredFeedback["watched"]): StoredFeedback["watched"] {
    return Object.fromEntries(this.#watched.map((path) => {
      const before = watched[path] ?? this.#before[path] ?? "absent";
      const isThere = look(path) === "there";
      return [path, before === "absent" && isThere ? "created" : before];
    }));
  }
}

function look(path: string): "there" | "absent" {
  return status(path, { follow: false }) === null ? "absent" : "there";
}
