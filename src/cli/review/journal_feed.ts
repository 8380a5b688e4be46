/** Feeds the screen with records: all there are, newest first in pieces, then those that come. */
import { identityOf, JournalFollower } from "../../record/follow.ts";
import { matchesQuery, type RecordQuery } from "../../record/query.ts";
import { newestFirst, type SkippedLines } from "../../record/read.ts";
import type { CommandRecord } from "../../record/record.ts";
import { type Entry, entryOf } from "./entry.ts";

/** Records of the first piece: more than a screen, and read within a few ms. */
const FIRST = 60;

/** Time that reading takes at once, in ms: keys are answered between. */
const SLICE_MS = 20;

/** Records between two looks at the clock. */
const STEP = 64;

/** What was read. */
export interface Fed {
  /** Newest first. */
  readonly entries: readonly Entry[];
  /** Lines that are no records, so far. */
  readonly skipped: number;
  /** True when nothing older is left, or, for newer records, when some may be missing. */
  readonly done: boolean;
}

/** A journal as the screen reads it. Takes no lock. */
export class JournalFeed {
  readonly #query: RecordQuery;
  readonly #follower: JournalFollower;
  readonly #older: Generator<CommandRecord>;
  /** What a record that was appended between the two readers' starts would be seen by both. */
  readonly #first = new Set<string>();
  #skipped = 0;
  #isFirst = true;

  /** Begins to follow, so that nothing falls between what is there and what comes. @throws UsageError when the journal cannot be read. */
  constructor(directory: string, query: RecordQuery) {
    this.#query = query;
    this.#follower = new JournalFollower(directory);
    this.#older = newestFirst({ directory, ...query }, (_kind: keyof SkippedLines) => {
      this.#skipped++;
    });
  }

  /** The next piece of what was there at the start. */
  older(): Fed {
    const entries: Entry[] = [];
    const end = performance.now() + SLICE_MS;
    const most = this.#isFirst ? FIRST : Infinity;
    let done = false;
    while (entries.length < most && (entries.length % STEP > 0 || performance.now() < end)) {
      const { value, done: isDone } = this.#older.next();
      if (isDone) {
        done = true;
        break;
      }
      entries.push(entryOf(value));
    }
    if (this.#isFirst) entries.forEach(({ record }) => this.#first.add(identityOf(record)));
    this.#isFirst = false;
    return { entries, skipped: this.#skipped, done };
  }

  /** What was appended since the last look. */
  newer(): Fed {
    const { records, skipped, lost } = this.#follower.take();
    this.#skipped += skipped.corrupt + skipped.newer + skipped.tooLong;
    const entries = records
      .filter((record) => matchesQuery(record, this.#query) && !this.#first.has(identityOf(record)))
      .map(entryOf).reverse();
    return { entries, skipped: this.#skipped, done: lost };
  }

  /** Closes the files. */
  [Symbol.dispose](): void {
    this.#older.return(undefined);
    this.#follower[Symbol.dispose]();
  }
}
