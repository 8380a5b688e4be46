/** What feedback keeps between commands, one file for each session, where no command can reach it. */
import { join } from "node:path/posix";
import * as v from "valibot";
import type { FeedbackCommand } from "../feedback/providers/provider.ts";
import { NO_STATES, type ProviderStates } from "../feedback/providers/run_providers.ts";
import { readAt, writeAll } from "../record/file_bytes.ts";
import { ensureDirectory, openOwn } from "../record/journal_files.ts";
import { OUTCOME_KINDS } from "../record/record.ts";
import { directoryNames, status } from "../sandbox/linux/files.ts";

/** Directory beneath the state directory. */
const DIRECTORY = "feedback";
/** Largest file that is read back, in bytes: 32 commands and as many providers are far below. */
const MAX_BYTES = 1 << 20;
/** Files of other sessions that are kept, and for how long, in ms: 14 days. */
const MAX_FILES = 256;
const MAX_AGE_MS = 14 * 86_400_000;

/** A deadline with the words that set it: the same words again do not move it. */
export interface StoredDeadline {
  readonly at: number;
  readonly written: string;
}

/** What is stored of a session. */
export interface StoredFeedback {
  readonly startedAt: number;
  readonly calls: number;
  readonly used: { readonly tokens: number; readonly seconds: number };
  readonly goal: string | null;
  readonly deadline: StoredDeadline | null;
  readonly budget: { readonly tokens: number | null; readonly seconds: number | null };
  /** Watched paths, and whether each has come into being in this session. */
  readonly watched: Readonly<Record<string, "there" | "absent" | "created">>;
  readonly providers: ProviderStates;
  readonly commands: readonly FeedbackCommand[];
}

const encoder = new TextEncoder();

const number = v.pipe(v.number(), v.minValue(0));
const numberOrNull = v.nullable(number);

const Stored = v.object({
  startedAt: number,
  calls: number,
  used: v.object({ tokens: number, seconds: number }),
  goal: v.nullable(v.string()),
  deadline: v.nullable(v.object({ at: v.number(), written: v.string() })),
  budget: v.object({ tokens: numberOrNull, seconds: numberOrNull }),
  watched: v.record(v.string(), v.picklist(["there", "absent", "created"])),
  providers: v.object({
    shared: v.object({ lastCall: number, lastAt: number }),
    byName: v.record(
      v.string(),
      v.object({
        runs: number,
        lastCall: number,
        lastAt: number,
        files: v.array(v.string()),
        memory: v.record(v.string(), v.unknown()),
      }),
    ),
  }),
  commands: v.array(v.object({
    commandId: v.string(),
    command: v.string(),
    cwd: v.string(),
    exitCode: v.nullable(v.number()),
    outcome: v.picklist(OUTCOME_KINDS),
    startedAt: v.number(),
    durationMs: number,
    digest: v.string(),
    tail: v.string(),
    redactions: v.record(v.string(), number),
  })),
});

/** A session that begins now. */
function newFeedback(now: number): StoredFeedback {
  return {
    startedAt: now,
    calls: 0,
    used: { tokens: 0, seconds: 0 },
    goal: null,
    deadline: null,
    budget: { tokens: null, seconds: null },
    watched: {},
    providers: NO_STATES,
    commands: [],
  };
}

/** What is stored of a session, null when nothing is. @throws {UsageError} when the place is unfit. */
export function readFeedbackOf(state: string, sessionId: string): StoredFeedback | null {
  if (!/^s[0-9a-z]{1,15}$/.test(sessionId)) return null;
  const file = openOwn(join(state, DIRECTORY, `${sessionId}.json`), {});
  if (file === null) return null;
  try {
    return parse(new TextDecoder().decode(readAt(file, 0, MAX_BYTES)));
  } finally {
    file.close();
  }
}

/** The file of one session. */
export class FeedbackStore {
  readonly #path: string;
  readonly #directory: string;
  /** What this process wrote last: as long as the file holds it, it need not be parsed again. */
  #written: { readonly text: string; readonly stored: StoredFeedback } | null = null;

  constructor(state: string, sessionId: string) {
    this.#directory = join(state, DIRECTORY);
    this.#path = join(this.#directory, `${sessionId}.json`);
  }

  /**
   * Changes what is stored, under a lock: commands of one caller that end at the same time count one after the other.
   * A file that cannot be read back begins anew, since only a crash or a disk leaves one.
   *
   * @throws {UsageError} when the place is unfit, and what `change` throws; nothing is stored then.
   */
  async update<T>(
    change: (
      stored: StoredFeedback,
    ) => Promise<{ readonly next: StoredFeedback; readonly value: T }>,
  ): Promise<T> {
    ensureDirectory(this.#directory);
    const isNew = status(this.#path, { follow: false }) === null;
    const file = openOwn(this.#path, { write: true, create: true })!;
    try {
      // Not the waiting call of this thread: providers of another process may take their time.
      await file.lock(true);
      const { size } = file.statSync();
      const found = size > MAX_BYTES ? "" : new TextDecoder().decode(readAt(file, 0, size));
      const own = this.#written?.text === found ? this.#written.stored : null;
      const { next, value } = await change(own ?? parse(found));
      if (size > MAX_BYTES) file.truncateSync(0);
      const json = JSON.stringify(next);
      // Blanks up to the old length: to truncate took ten times as long as to write.
      const rest = " ".repeat(Math.max(0, size - encoder.encode(json).length));
      const text = json + (size > MAX_BYTES ? "" : rest);
      file.seekSync(0, Deno.SeekMode.Start);
      writeAll(file, encoder.encode(text));
      this.#written = { text, stored: next };
      if (isNew) this.#prune();
      return value;
    } finally {
      file.close();
    }
  }

  #prune(): void {
    const names = (directoryNames(this.#directory) ?? []).filter((name) => name.endsWith(".json"));
    const aged = names.map((name) => {
      const path = join(this.#directory, name);
      return { path, at: Number((status(path, { follow: false })?.modified ?? 0n) / 1_000_000n) };
    }).sort((a, b) => b.at - a.at);
    for (const [index, { path, at }] of aged.entries()) {
      if (path === this.#path || (index < MAX_FILES && Date.now() - at < MAX_AGE_MS)) continue;
      try {
        Deno.removeSync(path);
      } catch {
        // Another session was faster.
      }
    }
  }
}

function parse(text: string): StoredFeedback {
  try {
    const result = v.safeParse(Stored, JSON.parse(text));
    if (result.success) return result.output;
  } catch {
    // Empty, since new, or torn.
  }
  return newFeedback(Date.now());
}
