/** Reads the kept output for the screen: a page at a time, and the last page from memory. */
import { reasonOf } from "../../errors.ts";
import { spoolLines } from "../../output/spool_read.ts";
import type { StreamName } from "../../output/summary.ts";
import type { OutputPage } from "./output_view.ts";

/** Characters of one line that are shown; `debrief output` has the whole of it. */
const MAX_CHARS = 4_000;

/** What is read. */
export interface PageRequest {
  /** Id of the output. */
  readonly id: string;
  readonly stream: StreamName;
  /** First line, counted from 1. */
  readonly from: number;
  readonly count: number;
}

/** Pages of kept outputs. */
export class OutputPages {
  readonly #directory: string;
  #key = "";
  #page: OutputPage = { lines: [], problem: null };

  /** Of the outputs that are kept in a directory. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reads a page, in constant memory and in time that grows with the place of its first line; its problem says why it cannot be read. */
  read(request: PageRequest): OutputPage {
    const key = JSON.stringify(request);
    if (key !== this.#key) {
      this.#page = this.#readPage(request);
      this.#key = key;
    }
    return this.#page;
  }

  #readPage({ id, stream, from, count }: PageRequest): OutputPage {
    try {
      const range = { from, to: from + count - 1 };
      const options = { directory: this.#directory, id, stream, lines: range, head: count };
      const lines = Array.from(spoolLines(options), ({ number, text, kind }) => ({
        number,
        text: copyOf(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\u2026` : text),
        isGap: kind === "gap",
      }));
      return { lines, problem: null };
    } catch (error) {
      return { lines: [], problem: reasonOf(error) };
    }
  }
}

/** A text that does not keep alive the block it was cut from. */
function copyOf(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
