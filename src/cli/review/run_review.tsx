/** Opens and closes the screen of `debrief review`. The only place from which ink is loaded. */
import { render } from "ink";
import { Buffer } from "node:buffer";
import process from "node:process";
import type { RecordQuery } from "../../record/query.ts";
import { OUTPUTS } from "../../session/session_paths.ts";
import { writeText } from "../terminal.ts";
import { JournalFeed } from "./journal_feed.ts";
import { OutputPages } from "./output_pages.ts";
import { ReviewApp } from "./review_app.tsx";
import { addOlder, emptyReview } from "./review_state.ts";
import type { ReadOutput } from "./screen.ts";

/** What is reviewed. */
export interface ReviewOptions {
  /** Directory of journal and outputs. */
  readonly directory: string;
  readonly query: RecordQuery;
}

/** Size of a terminal that does not tell its own. */
const FALLBACK = { columns: 80, rows: 24 };

/**
 * Standard output with a size in every case: for a terminal without one, as a serial line is, ink would start programs
 * (`tput`, `resize`) that it finds on PATH to ask for it.
 */
function sizedOutput(): NodeJS.WriteStream {
  return new Proxy(process.stdout, {
    get(target, key) {
      if (key === "columns" || key === "rows") return target[key] || FALLBACK[key];
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Asks the terminal to copy a text (xterm, Operating System Command 52). In base 64 it can hold nothing else. */
function copy(text: string): void {
  writeText(1, `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
}

/** Shows the records until the user quits. @throws {UsageError} when the journal cannot be read. */
export async function runReview({ directory, query }: ReviewOptions): Promise<void> {
  using feed = new JournalFeed(directory, query);
  const pages = new OutputPages(`${directory}/${OUTPUTS}`);
  const readOutput: ReadOutput = ({ record }, { stream, from, count }) =>
    record.output_id === null
      ? { lines: [], problem: "it has no kept output" }
      : pages.read({ id: record.output_id, stream, from, count });
  // The first piece before the first picture, so that nobody sees an empty list flash by.
  const initial = addOlder(emptyReview(), feed.older().entries);
  const app = render(
    <ReviewApp
      initial={initial}
      feed={feed}
      readOutput={readOutput}
      copy={copy}
      color={!Deno.noColor}
    />,
    {
      stdout: sizedOutput(),
      alternateScreen: true,
      incrementalRendering: true,
      // Not left to the variable CI: on a terminal somebody is looking.
      interactive: true,
      patchConsole: false,
    },
  );
  await app.waitUntilExit();
}
