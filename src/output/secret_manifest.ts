/**
 * The values of a Kubernetes `kind: Secret`, in YAML or in JSON over several lines (kubernetes.io/docs/concepts/
 * configuration/secret). `kubectl` prints the data before the kind, so a block of data waits until the kind is known.
 *
 *   apiVersion: v1 ─► forget the kind
 *   kind: Secret ───► remember it
 *   data: ──────────► deeper lines are values ─► lines as deep: does one say the kind? ─► a line less deep: end
 */
import { BACKSLASH, COLON, isAlphanumeric, isBlank, isQuote, LINE_FEED } from "./ascii.ts";
import { BEFORE, PENDING, type ViewText } from "./view_text.ts";

/** Lower-case keywords at which something of a manifest is looked at. */
export const MANIFEST_KEYWORDS: readonly string[] = ["apiversion", "kind", "data"];

/** Bytes of a manifest that are held while its kind is not known: an object of a cluster is at most 1 MiB, few come near. */
const MAX_BLOCK = 64 * 1024;
const MAX_LINE_START = 64;
/** Values shorter than this are flags. */
const MIN_VALUE = 4;

const HEAD = /^([ \t+]*(?:- )?[ \t]*)(\\?["']?)(apiVersion|kind|data|stringData)\2\s{0,4}:/;
const KIND = /^[ \t+]*(?:- )?[ \t]*["']?kind["']?\s{0,4}:\s{0,4}["']?([A-Za-z]+)/;
const BLOCK_OPENS = /:\s{0,4}\{?\s{0,4}$/;
const NAME = /^[ \t+]*["']?[A-Za-z0-9_.-]{1,253}["']?\s{0,4}:(?:\s{1,4}|$)/;
const NO_VALUE = /^(?:[|>][+-]?\d?|\{\}|null|~)?$/;

/** Depth of a line, in characters; a list's dash counts as a blank. */
function depthOf(line: string): number {
  return /^[ \t+]*(?:- )?[ \t]*/.exec(line)?.[0].length ?? 0;
}

/** What one line that holds a keyword of a manifest says. */
export type ManifestLine =
  | { readonly kind: "none" }
  | { readonly kind: "wait" }
  | { readonly kind: "object" }
  | { readonly kind: "kind"; readonly isSecret: boolean }
  | { readonly kind: "data"; readonly depth: number; readonly next: number };

/** Bytes that may stand before a name of a manifest in its line: blanks, marks and the beginning of `stringData`. */
function isLead(byte: number): boolean {
  return isBlank(byte) || isQuote(byte) || byte === 0x2b || byte === 0x2d ||
    (isAlphanumeric(byte) && byte > 0x39);
}

/** Reads the line around a keyword, which ends before `behind`. */
export function readManifestLine(text: ViewText, start: number, behind: number): ManifestLine {
  const next = text.at(behind);
  if (next === PENDING) return { kind: "wait" };
  if (!isQuote(next) && next !== COLON && next !== BACKSLASH) return { kind: "none" };
  let from = start;
  while (start - from < MAX_LINE_START && isLead(text.at(from - 1))) from--;
  if (text.at(from - 1) !== LINE_FEED && text.at(from - 1) !== BEFORE) return { kind: "none" };
  const end = text.windowEnd(start, 256);
  if (end < 0) return { kind: "wait" };
  const line = text.latin1(from, end);
  const head = HEAD.exec(line);
  if (head === null) return { kind: "none" };
  if (head[3] === "apiVersion") return { kind: "object" };
  if (head[3] === "kind") return { kind: "kind", isSecret: KIND.exec(line)?.[1] === "Secret" };
  return BLOCK_OPENS.test(line) ? { kind: "data", depth: depthOf(line), next: end + 1 } : {
    kind: "none",
  };
}

/** A value of a block; positions are absolute. */
export interface ManifestValue {
  readonly start: number;
  readonly end: number;
}

/** Reads a block of data line by line, and what follows it until the kind of the object is known. */
export class ManifestReader {
  readonly values: ManifestValue[] = [];
  /** Where the block begins. */
  readonly start: number;
  /** Where the next line begins that has to be judged. */
  at: number;
  /** Depth of the line that opens the block. */
  readonly depth: number;
  readonly #text: ViewText;
  #isSecret: boolean;
  #inBlock = true;

  constructor(text: ViewText, block: { next: number; depth: number; isSecret: boolean }) {
    this.#text = text;
    this.start = block.next;
    this.at = block.next;
    this.depth = block.depth;
    this.#isSecret = block.isSecret;
  }

  /** Reads on: null when more lines are needed, else whether the values are those of a secret. */
  read(): boolean | null {
    for (;;) {
      if (this.at - this.start > MAX_BLOCK) return this.#isSecret;
      const end = this.#text.windowEnd(this.at, MAX_BLOCK);
      if (end < 0) return null;
      const answer = this.#step(this.#text.latin1(this.at, end));
      if (answer !== null) return answer;
      if (end === this.#text.end) return this.#isSecret;
      this.at = end + 1;
    }
  }

  #step(line: string): boolean | null {
    const depth = depthOf(line);
    if (line.trim() === "") return null;
    if (depth > this.depth) {
      if (this.#inBlock) this.#take(line);
      return null;
    }
    if (/^\s*\}/.test(line) && depth === this.depth) {
      this.#inBlock = false;
      return this.#isSecret ? true : null;
    }
    if (depth < this.depth || line.startsWith("---")) return this.#isSecret;
    const head = HEAD.exec(line);
    this.#inBlock = head !== null && (head[3] === "data" || head[3] === "stringData");
    const kind = KIND.exec(line)?.[1];
    if (kind !== undefined) this.#isSecret = kind === "Secret";
    if (kind !== undefined && !this.#isSecret) return false;
    return null;
  }

  #take(line: string): void {
    // A line without a name continues a block scalar.
    const from = NAME.exec(line)?.[0].length ?? depthOf(line);
    let value = line.slice(from).trimEnd();
    if (value.endsWith(",")) value = value.slice(0, -1);
    const isQuoted = /^["']/.test(value);
    if (isQuoted) value = value.slice(1, value.at(-1) === value[0] ? -1 : undefined);
    if (value.length < MIN_VALUE || NO_VALUE.test(value) || value.includes("[REDACTED:")) return;
    const start = this.at + from + (isQuoted ? 1 : 0);
    this.values.push({ start, end: start + value.length });
  }
}
