/** From lines to whole commands: a command ends where bash would start to execute it. */
import { mayComplete } from "../command/expectation.ts";
import { MAX_SCRIPT_LENGTH, parseScript } from "../command/parse.ts";
import type { Expectation } from "../command/script.ts";

/** What a line completed. */
export type Reading =
  /** More lines are needed. */
  | { readonly kind: "more" }
  /** A whole command, or text that can never become one. */
  | { readonly kind: "command"; readonly source: string };

/** Collects lines. */
export class CommandReader {
  #lines: string[] = [];
  #length = 0;
  /** What the lines so far wait for: a line that cannot bring it is not worth parsing all of them again. */
  #expects: Expectation | null = null;

  /** True while a command has begun and is not complete. */
  get pending(): boolean {
    return this.#lines.length > 0;
  }

  /** Take one line, without its newline. Empty lines and comments outside a command are passed over. */
  push(line: string): Reading {
    if (!this.pending && /^\s*(#.*)?$/.test(line)) return { kind: "more" };
    return this.#add(line);
  }

  #add(line: string): Reading {
    this.#lines.push(line);
    this.#length += line.length + 1;
    // Too long to be parsed: it will be refused, and what follows is the rest of it.
    if (this.#length > MAX_SCRIPT_LENGTH + 1) return this.#take();
    if (this.#expects !== null && !mayComplete(this.#expects, line)) return { kind: "more" };
    const result = parseScript(this.#lines.join("\n") + "\n");
    this.#expects = result.kind === "incomplete"
      ? result.expects
      : result.kind === "script"
      ? result.script.openAtEnd
      : null;
    return this.#expects === null ? this.#take() : { kind: "more" };
  }

  /** Take several lines that belong together, whatever commands they hold. */
  pushAll(lines: readonly string[]): Reading {
    const last = lines.at(-1) ?? "";
    for (const line of lines.slice(0, -1)) {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    // What the lines so far wait for is not known: all of them are parsed again.
    this.#expects = null;
    return this.pending ? this.#add(last) : this.push(last);
  }

  /** What is left when the input ends, null when nothing is. */
  finish(): string | null {
    if (!this.pending) return null;
    const reading = this.#take();
    return reading.kind === "command" ? reading.source : null;
  }

  /** Forget what was begun. */
  clear(): void {
    this.#lines = [];
    this.#length = 0;
    this.#expects = null;
  }

  #take(): Reading {
    const source = this.#lines.join("\n");
    this.clear();
    return { kind: "command", source };
  }
}
