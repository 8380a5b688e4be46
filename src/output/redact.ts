/** Removes secrets from text and from streams of bytes. Configuration is read once; nothing in the data can change it. */
import type { CustomRule } from "./custom_lines.ts";
import { RedactStream } from "./redact_stream.ts";
import { RuleBook } from "./rule_book.ts";
import { ruleName, SecretStore } from "./secret_store.ts";

export { RedactStream } from "./redact_stream.ts";
export type { Mark } from "./redact_stream.ts";

/** What a session knows in advance. */
export interface RedactorOptions {
  /** Known secrets, for example values of secret-named variables of the shell; shorter than 6 bytes are ignored. */
  readonly values?: readonly { readonly name: string; readonly value: string }[];
  /**
   * Additional rules: name and ECMAScript expression. A group named `secret` limits what is hidden. They see one line
   * (at most 4,096 bytes of it) with one character for each byte, and unlike the built-in rules they are only as fast as
   * they are written.
   */
  readonly rules?: readonly { readonly name: string; readonly pattern: string }[];
  /** Exact values of at most 512 bytes that are never hidden as a whole. */
  readonly allow?: readonly string[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Redaction of a whole session: every distinct secret keeps its label `[REDACTED:rule#n]` in all streams, and a secret
 * that a rule has found once is found everywhere later, encoded copies included.
 *
 * @example
 * ```ts
 * import { Redactor } from "@debrief/debrief";
 *
 * const redactor = new Redactor({ values: [{ name: "DEPLOY_KEY", value: "correct-horse-battery" }] });
 * const text = redactor.redactText("using correct-horse-battery now");
 * if (text !== "using [REDACTED:DEPLOY_KEY#1] now") throw new Error(text);
 * ```
 */
export class Redactor {
  readonly #book = new RuleBook();
  readonly #store: SecretStore;
  readonly #custom: readonly CustomRule[];

  /** @throws {SyntaxError} When a rule's pattern is no regular expression. */
  constructor(options: RedactorOptions = {}) {
    this.#custom = (options.rules ?? []).map(({ name, pattern }) => ({
      name: ruleName(name),
      pattern: new RegExp(pattern, "dg"),
    }));
    this.#store = new SecretStore(options.allow);
    for (const { name, value } of options.values ?? []) this.know(name, value);
  }

  /** Hides one more value from now on; shorter than 6 bytes it is ignored. */
  know(name: string, value: string): void {
    this.#store.register(name, value);
  }

  /** Redactions so far by rule name, all streams and texts together. */
  get counts(): Readonly<Record<string, number>> {
    return this.#store.counts;
  }

  /** Redacts a complete text. */
  redactText(text: string): string {
    const input = encoder.encode(text);
    const stream = this.stream();
    const head = stream.push(input);
    const tail = stream.finish();
    if (head.length + tail.length === input.length && Object.keys(stream.counts).length === 0) {
      return text;
    }
    return decoder.decode(head, { stream: true }) + decoder.decode(tail);
  }

  /** Starts the redaction of one stream of bytes. */
  stream(): RedactStream {
    return new RedactStream(this.#book, { store: this.#store, custom: this.#custom });
  }
}
