/** Following a journal: what is appended, in order, across rotations. */
import { endOfLines, forwardLines } from "./file_bytes.ts";
import { MAX_LINE_BYTES } from "./journal_files.ts";
import { openJournal, parseLine, type SkippedLines } from "./read.ts";
import type { CommandRecord } from "./record.ts";

/** What was appended since the last look. */
export interface Appended {
  /** Oldest first. */
  readonly records: readonly CommandRecord[];
  readonly skipped: SkippedLines;
  /** True when records may have come and gone between two looks: the file last read was rotated away, or cut. */
  readonly lost: boolean;
}

/**
 * A place in a journal. Takes no lock. The file that was read last stays open, so that its inode is not given to another
 * file and a rotation can always be told.
 */
export class JournalFollower {
  readonly #directory: string;
  #file: Deno.FsFile | null = null;
  #offset = 0;

  /**
   * Begins behind what is there now.
   * @throws UsageError when a file of the journal is a link, someone else's, or open to others.
   */
  constructor(directory: string) {
    this.#directory = directory;
    const [newest = null, ...older] = openJournal(directory);
    for (const file of older) file.close();
    this.#file = newest;
    this.#offset = newest === null ? 0 : endOfLines({ file: newest, size: newest.statSync().size });
  }

  /** Reads whole lines that were appended since the last look. @throws UsageError as the constructor does. */
  take(): Appended {
    const skipped = { corrupt: 0, newer: 0, tooLong: 0 };
    const records: CommandRecord[] = [];
    const files = openJournal(this.#directory);
    const held = this.#file;
    const index = held === null ? -1 : files.findIndex((file) => isSame(file, held));
    let lost = held !== null && index === -1;
    const newer = index === -1 ? files : files.slice(0, index + 1);
    for (const file of newer.toReversed()) {
      const { size } = file.statSync();
      let from = held !== null && isSame(file, held) ? this.#offset : 0;
      if (size < from) {
        lost = true;
        from = size;
      }
      // Only the newest file may hold a line that is being written.
      const end = file === files[0] ? endOfLines({ file, from, size }) : size;
      for (const line of forwardLines({ file, from, size: end, maxLine: MAX_LINE_BYTES })) {
        if (!line.tooLong && line.bytes.length === 0) continue;
        const parsed = parseLine(line);
        if (parsed.kind === "record") records.push(parsed.record);
        else skipped[parsed.kind]++;
      }
      this.#offset = end;
    }
    this.#hold(files);
    return { records, skipped, lost };
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#file?.close();
    this.#file = null;
  }

  #hold([newest, ...older]: readonly Deno.FsFile[]): void {
    for (const file of older) file.close();
    if (newest === undefined) return;
    this.#file?.close();
    this.#file = newest;
  }
}

function isSame(a: Deno.FsFile, b: Deno.FsFile): boolean {
  const [first, second] = [a.statSync(), b.statSync()];
  return first.dev === second.dev && first.ino === second.ino;
}

/** What tells two records of a journal apart: an id alone can come twice. */
export function identityOf({ command_id, prev }: CommandRecord): string {
  return `${command_id} ${prev}`;
}
