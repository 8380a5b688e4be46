/**
 * One line at a time from a terminal, edited by `node:readline`. The terminal is raw and read only while a line is asked
 * for: commands that run in between have it as they expect it, and get what is typed for them.
 */
import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { editableText, originalText, PASTE_OFF, PASTE_ON, PasteReader } from "./pasted_text.ts";
import { readInput } from "./standard_input.ts";
import { writeBytes, writeText } from "./terminal.ts";

/** Standard error: standard output may be a file. */
const OUTPUT = 2;
const READ_BYTES = 65_536;
/** Entries that the arrow keys reach. */
const HISTORY = 1000;

/** What was entered. */
export type Entered =
  | { readonly kind: "line"; readonly text: string }
  /** Ctrl-C: what was begun is given up. */
  | { readonly kind: "interrupt" }
  /** Ctrl-D in an empty line, or the end of the session. */
  | { readonly kind: "end" };

/** How lines are edited. */
export interface LineEditorOptions {
  /** What was entered before, oldest first. */
  readonly history: readonly string[];
  /** Proposals for the end of a line, and what they replace. */
  readonly complete: (line: string) => [string[], string];
  /** Ends every wait. */
  readonly end: AbortSignal;
}

/** A terminal's output, as readline wants it. */
class Screen extends Writable {
  readonly isTTY = true;

  get columns(): number {
    try {
      return Deno.consoleSize().columns;
    } catch {
      // Neither standard output nor standard error is a terminal.
      return 80;
    }
  }

  override _write(chunk: Uint8Array | string, _encoding: string, done: () => void): void {
    if (typeof chunk === "string") writeText(OUTPUT, chunk);
    else writeBytes(OUTPUT, chunk);
    done();
  }
}

/** Reads lines from standard input, which must be a terminal. */
export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #input = new PassThrough();
  readonly #screen = new Screen();
  readonly #readline: Interface;
  readonly #pastes = new PasteReader();
  readonly #decoder = new TextDecoder();
  readonly #buffer = new Uint8Array(READ_BYTES);
  readonly #entered: Entered[] = [];
  readonly #onResize = () => this.#screen.emit("resize");
  #reading = false;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#readline = createInterface({
      input: this.#input,
      output: this.#screen as unknown as NodeJS.WritableStream,
      terminal: true,
      history: options.history.map(editableText).toReversed(),
      historySize: HISTORY,
      removeHistoryDuplicates: true,
      completer: (line: string) => options.complete(line),
    });
    this.#readline.on(
      "line",
      (line) => this.#entered.push({ kind: "line", text: originalText(line) }),
    );
    this.#readline.on("SIGINT", () => this.#interrupt());
    // Without a shell that could continue it, Ctrl-Z would stop the session for good.
    this.#readline.on("SIGTSTP", () => {});
    this.#readline.on("close", () => this.#entered.push({ kind: "end" }));
    Deno.addSignalListener("SIGWINCH", this.#onResize);
  }

  /** Ask for a line. */
  async read(prompt: string): Promise<Entered> {
    this.#readline.setPrompt(prompt);
    this.#begin();
    try {
      this.#readline.prompt();
      while (this.#entered.length === 0) {
        const count = await this.#read();
        if (count === null) return { kind: "end" };
        await this.#take(this.#decoder.decode(this.#buffer.subarray(0, count), { stream: true }));
      }
      return this.#entered.shift()!;
    } finally {
      this.#pause();
    }
  }

  /** Clear the line, so that something else can be printed in its place. */
  hide(): void {
    if (this.#reading) writeText(OUTPUT, "\r\u001b[J");
  }

  /** Show the line again. */
  show(): void {
    if (this.#reading) this.#readline.prompt(true);
  }

  /** Give the terminal back. */
  close(): void {
    Deno.removeSignalListener("SIGWINCH", this.#onResize);
    this.#pause();
    this.#readline.close();
  }

  #begin(): void {
    this.#reading = true;
    Deno.stdin.setRaw(true);
    writeText(OUTPUT, PASTE_ON);
  }

  #pause(): void {
    if (!this.#reading) return;
    this.#reading = false;
    writeText(OUTPUT, PASTE_OFF);
    Deno.stdin.setRaw(false);
  }

  /** Null at the end of the input or of the session. */
  #read(): Promise<number | null> {
    const { end } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    const onEnd = () => resolve(null);
    if (end.aborted) onEnd();
    else {
      end.addEventListener("abort", onEnd);
      readInput(this.#buffer).then(resolve, reject);
    }
    return promise.finally(() => end.removeEventListener("abort", onEnd));
  }

  async #take(text: string): Promise<void> {
    for (const part of this.#pastes.push(text)) {
      if (part.kind === "keys") this.#input.write(part.text);
      // Streams hand on in a later turn, and what was typed before a paste stands before it.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (part.kind !== "paste") continue;
      this.#readline.write(editableText(part.text));
    }
  }

  #interrupt(): void {
    writeText(OUTPUT, "^C\n");
    // To the end and all of it: nothing is left of the line.
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    writeText(OUTPUT, "\r\u001b[J");
    this.#entered.push({ kind: "interrupt" });
  }
}
