/** What a session knows of secrets: their identities, their labels and how often each rule was applied. */
import { KnownValues } from "./known_values.ts";
import { SecretNames } from "./secret_names.ts";

/** Identities that are remembered; later ones still get a label, a new one at each appearance. */
const MAX_IDENTITIES = 10_000;
/** Characters of a value that make its identity. */
const MAX_IDENTITY = 512;
const MIN_LEARNED = 8;
/** Different characters of a value that is worth learning. */
const MIN_DISTINCT = 6;

const encoder = new TextEncoder();

/** What is written in place of a value. */
export interface Label {
  readonly bytes: Uint8Array;
  readonly rule: string;
}

/** Shared by all streams of one session. Nothing in it is ever printed but labels. */
export class SecretStore {
  readonly known: KnownValues = new KnownValues();
  readonly names: SecretNames = new SecretNames();
  readonly counts: Record<string, number> = {};
  readonly #labels = new Map<string, Label>();
  readonly #seen = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #allowed: ReadonlySet<string>;
  #ordinal = 0;

  /** @param allowed Values that are no secrets, of at most 512 bytes. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed.map((value) => identityOf(byteText(encoder.encode(value)))));
  }

  /** True when the value of this identity is no secret, whatever finds it. */
  allows(key: string): boolean {
    return this.#allowed.has(key);
  }

  /** Registers a value under a name, as the environment of the shell or a policy gives it. */
  register(name: string, value: string): void {
    const bytes = encoder.encode(value);
    const key = identityOf(byteText(bytes));
    if (!this.allows(key) && this.known.add(key, bytes)) this.#names.set(key, ruleName(name));
  }

  /** Remembers a value that a pattern has found, so that its other appearances are found as well. */
  learn(key: string, value: () => Uint8Array): void {
    if (this.known.isFull || this.#seen.has(key) || this.allows(key)) return;
    if (this.#seen.size < MAX_IDENTITIES) this.#seen.add(key);
    // What is short or has letters only may be a word that harmless output holds too.
    const isWord = key.length < MIN_LEARNED || !/[0-9]/.test(key) || !/[A-Za-z]/.test(key);
    if (isWord || key.includes("[REDACTED:") || matchesItself(key.slice(0, MAX_IDENTITY))) return;
    this.known.add(key, value());
  }

  /** Remembers a value of a manifest, and what it is the base64 form of. */
  learnEncoded(key: string, value: Uint8Array): void {
    this.learn(key, () => value);
    const text = String.fromCharCode(...value.subarray(0, MAX_IDENTITY));
    if (value.length < MIN_LEARNED || value.length > MAX_IDENTITY || value.length % 4 !== 0) return;
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return;
    const decoded = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    if (decoded.length >= MIN_LEARNED) this.known.add(key, decoded);
  }

  /** Remembers the lines of a private key. */
  learnLines(key: string, lines: readonly string[]): void {
    for (const line of lines) {
      if (line.length >= 40) this.known.add(key, encoder.encode(line), { plainOnly: true });
    }
  }

  /** The label for a value, `[REDACTED:rule#n]`: one number for each distinct value, in the order of appearance. */
  label(key: string, rule: string): Label {
    const found = this.#labels.get(key);
    if (found !== undefined) return found;
    const name = this.#names.get(key) ?? rule;
    const entry = { bytes: encoder.encode(`[REDACTED:${name}#${++this.#ordinal}]`), rule: name };
    if (this.#labels.size < MAX_IDENTITIES) this.#labels.set(key, entry);
    return entry;
  }

  /** Counts one applied redaction. */
  count(rule: string): void {
    this.counts[rule] = (this.counts[rule] ?? 0) + 1;
  }
}

/** True for text of a short period, which would be found again in itself, at every place of a longer one. */
function matchesItself(text: string): boolean {
  if (new Set(text).size < MIN_DISTINCT) return true;
  for (let period = 1; 3 * period <= text.length; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

/** Identity of a value given with one character for each byte. */
export function identityOf(value: string): string {
  return value.length <= MAX_IDENTITY ? value : `${value.slice(0, MAX_IDENTITY)}\n${value.length}`;
}

/** One character for each byte. */
function byteText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** A name as it may stand in a label. */
export function ruleName(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, 64) || "value";
}
