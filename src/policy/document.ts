/**
 * Text of a policy file -> value and the line of every key. Everything that would make the value mean something else than
 * a reader sees (a key written twice, a key that is special to JavaScript, bytes that are no UTF-8) is refused here.
 */
import { parse as parseJsonc } from "@std/jsonc";
import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { PolicyError, type SourceLocation } from "../errors.ts";
import { readBoundedText } from "./bounded_text.ts";
import type { KeyPath, Problem } from "./problems.ts";
import { showValue } from "./show_value.ts";

/** Largest accepted policy file in bytes; the built-in ones are below 20 KiB. */
export const MAX_POLICY_BYTES = 1024 * 1024;

/** Deepest accepted nesting; the schema needs four. */
const MAX_DEPTH = 16;

/** Most problems that one message lists. */
const MAX_PROBLEMS = 20;

/** A document that was read and checked when Debrief was made: a built-in policy's. */
export interface StoredDocument {
  readonly value: unknown;
  /** Line of each key and list entry, from 1, by its path. */
  readonly lines: Readonly<Record<string, number>>;
}

/** One parsed policy file. */
export class PolicyDocument {
  /** How messages name the file: its path or `built-in:NAME`. */
  readonly file: string;
  readonly value: unknown;
  readonly #lines: ReadonlyMap<string, number>;

  /**
   * @param source The file's text, without a byte order mark, or what `stored` gave for it.
   * @param file How messages name it.
   * @throws {PolicyError} When it is no JSON with comments, nests too deeply, or repeats a key.
   */
  constructor(source: string | StoredDocument, file: string) {
    this.file = file;
    if (typeof source !== "string") {
      this.#lines = new Map(Object.entries(source.lines));
      this.value = source.value;
      return;
    }
    const scan = new DocumentScan(source, file);
    this.#lines = scan.lines;
    if (scan.problems.length > 0) throw this.error(scan.problems);
    this.value = parseJsonc(source);
  }

  /** The same document, without its text. */
  get stored(): StoredDocument {
    return { value: this.value, lines: Object.fromEntries(this.#lines) };
  }

  /** Returns where a value stands; for a path that does not exist, where its nearest existing part does. */
  locate(path: KeyPath): SourceLocation {
    let length = path.length;
    while (length > 0 && !this.#lines.has(lineKey(path.slice(0, length)))) length--;
    const line = this.#lines.get(lineKey(path.slice(0, length))) ?? 1;
    return { file: this.file, line, keyPath: formatKeyPath(path) };
  }

  /** Makes one error of all problems of the file, located at the first. */
  error(problems: readonly Problem[]): PolicyError {
    const located = problems.map(({ path, message }) => ({ at: this.locate(path), message }))
      .sort((a, b) => a.at.line - b.at.line);
    const [first, ...others] = located;
    if (!first) throw new TypeError("Cannot make a policy error: there are no problems");
    const more = others.slice(0, MAX_PROBLEMS - 1).map(({ at, message }) =>
      new PolicyError(message, at).message
    );
    const left = others.length - more.length;
    if (left > 0) more.push(`${this.file}: and ${left} more`);
    return new PolicyError([first.message, ...more].join("\n"), first.at);
  }
}

/** An object or list that is open where the scan stands. */
interface Container {
  /** Keys so far with their lines; null in a list. */
  readonly keys: Map<string, number> | null;
}

/** One pass over the text for what the value alone cannot tell: lines, repeated keys, depth. */
class DocumentScan {
  /** Line of each key and list entry, from 1. */
  readonly lines = new Map<string, number>();
  readonly problems: Problem[] = [];
  readonly #file: string;
  readonly #open: Container[] = [];
  readonly #path: (string | number)[] = [];

  constructor(text: string, file: string) {
    this.#file = file;
    visit(text, {
      onObjectBegin: (_offset, _length, line) => this.#begin({ keys: new Map() }, line + 1),
      onArrayBegin: (_offset, _length, line) => this.#begin({ keys: null }, line + 1),
      onObjectEnd: () => this.#end(),
      onArrayEnd: () => this.#end(),
      onObjectProperty: (key, _offset, _length, line) => this.#key(key, line + 1),
      onLiteralValue: (_value, _offset, _length, line) => this.#entry(line + 1),
      onSeparator: (character) => this.#separator(character),
      onError: (code, _offset, _length, line) => this.#refuse(describeSyntax(code), line + 1),
    }, { allowTrailingComma: true });
  }

  #begin(container: Container, line: number): void {
    this.#entry(line);
    this.#open.push(container);
    this.#path.push(container.keys ? "" : 0);
    // The parser recurses: to throw is the only way to stop it before the stack does.
    if (this.#open.length > MAX_DEPTH) {
      this.#refuse(`Cannot use the file: it nests deeper than ${MAX_DEPTH} levels`, line);
    }
  }

  #end(): void {
    this.#open.pop();
    this.#path.pop();
  }

  #key(key: string, line: number): void {
    const keys = this.#open.at(-1)?.keys;
    this.#path.splice(-1, 1, key);
    const first = keys?.get(key);
    const shown = showValue(key);
    if (first !== undefined) {
      this.problems.push({
        path: [...this.#path],
        message: `Cannot use the key ${shown} again on line ${line}: it stands on line ${first}`,
      });
    } else if (isSpecial(key)) {
      this.problems.push({
        path: [...this.#path],
        message: `Cannot use the key ${shown}: it is unknown`,
      });
    }
    keys?.set(key, first ?? line);
    if (first === undefined) this.lines.set(lineKey(this.#path), line);
  }

  #entry(line: number): void {
    const isListEntry = this.#open.at(-1)?.keys === null;
    if (isListEntry) this.lines.set(lineKey(this.#path), line);
  }

  #separator(character: string): void {
    const index = this.#path.at(-1);
    if (character === "," && typeof index === "number") this.#path.splice(-1, 1, index + 1);
  }

  #refuse(message: string, line: number): never {
    throw new PolicyError(message, { file: this.#file, line, keyPath: "" });
  }
}

/** Reads a policy file's text. @throws {Error} as `readBoundedText` does. */
export function readPolicyText(path: string): string {
  return readBoundedText(path, MAX_POLICY_BYTES);
}

/** Writes a key path as messages show it: `read.deny[2]`. */
export function formatKeyPath(path: KeyPath): string {
  return path.map((part, index) =>
    typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`
  ).join("");
}

// Deno 2.7 has no accessor named __proto__ on objects, so it is named besides what every object inherits.
function isSpecial(key: string): boolean {
  return key === "__proto__" || key in {};
}

function lineKey(path: KeyPath): string {
  return path.join("\0");
}

function describeSyntax(code: ParseErrorCode): string {
  const words = printParseErrorCode(code).replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => " " + letter);
  return `Cannot parse the file: ${words.toLowerCase()}`;
}
