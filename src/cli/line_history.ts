/**
 * What was typed at the prompt, for the arrow keys of this session and of later ones: in the state directory, out of reach
 * of commands, readable by the user alone, bounded, and redacted before it is written.
 */
import { readAt, writeAll } from "../record/file_bytes.ts";
import { openOwn } from "../record/journal_files.ts";

/** File beneath the state directory: one JSON string on each line, oldest first. */
const NAME = "history.jsonl";
/** Commands that are kept, and characters of one that is. */
const MAX_ENTRIES = 1000;
const MAX_LENGTH = 4096;
/** Largest file that is read back, in bytes; the bounds above stay below it. */
const MAX_BYTES = 1 << 23;

/** The history of one user. */
export class LineHistory {
  readonly #path: string;
  readonly #redact: (text: string) => string;

  /** @param state the state directory. */
  constructor(state: string, redact: (text: string) => string) {
    this.#path = `${state}/${NAME}`;
    this.#redact = redact;
  }

  /** What is kept, oldest first; lines that cannot be read back are passed over. @throws {UsageError} for an unfit file. */
  read(): readonly string[] {
    using file = openOwn(this.#path, { write: false });
    return file === null ? [] : entriesIn(file);
  }

  /**
   * Keep a command, unless it begins with a blank or is the same as the last one.
   *
   * @throws {UsageError} for an unfit file.
   */
  add(command: string): void {
    const text = this.#redact(command.trimEnd());
    if (text === "" || /^\s/.test(text) || text.length > MAX_LENGTH) return;
    using file = openOwn(this.#path, { write: true, create: true })!;
    file.lockSync(true);
    const entries = entriesIn(file);
    if (entries.at(-1) === text) return;
    const kept = [...entries, text].slice(-MAX_ENTRIES);
    const lines = kept.map((entry) => JSON.stringify(entry) + "\n").join("");
    file.truncateSync(0);
    file.seekSync(0, Deno.SeekMode.Start);
    writeAll(file, new TextEncoder().encode(lines));
  }
}

function entriesIn(file: Deno.FsFile): readonly string[] {
  const text = new TextDecoder().decode(readAt(file, 0, MAX_BYTES));
  return text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "string" ? [entry] : [];
    } catch {
      // Empty, or torn by a crash.
      return [];
    }
  }).slice(-MAX_ENTRIES);
}
