/** Secrets of several lines: private keys and manifests of cluster secrets. Each is followed beside all other rules. */
import type { Span } from "./emitter.ts";
import { KEY_BEGIN, PrivateKey } from "./private_key.ts";
import { PrivateKeyReader } from "./private_key_reader.ts";
import { PuttyKey } from "./putty_key.ts";
import { REACH } from "./rule_matcher.ts";
import { ManifestReader, readManifestLine } from "./secret_manifest.ts";
import { identityOf, type SecretStore } from "./secret_store.ts";
import type { ViewText } from "./view_text.ts";

/** What to do with a hit: nothing, wait from a position on, or apply when all of the hit is decided. */
export type BlockVerdict =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly from: number }
  | { readonly kind: "apply"; readonly run: () => void };

const NONE: BlockVerdict = { kind: "none" };

/** Values of a finished block; they are looked for behind it only, whatever arrived when. */
interface Lesson {
  readonly end: number;
  readonly learn: () => void;
}

/** The blocks of one stream. */
export class BlockSpans {
  readonly #text: ViewText;
  readonly #store: SecretStore;
  readonly #add: (span: Span) => void;
  #key: PrivateKeyReader | null = null;
  #manifest: ManifestReader | null = null;
  /** True behind `kind: Secret`, until the next object begins. */
  #isSecret = false;
  #lessons: Lesson[] = [];

  constructor(text: ViewText, options: { store: SecretStore; add: (span: Span) => void }) {
    this.#text = text;
    this.#store = options.store;
    this.#add = options.add;
  }

  /** The first position of an open block. */
  get holdFrom(): number {
    return Math.min(this.#key?.start ?? Infinity, this.#manifest?.start ?? Infinity);
  }

  /** Where the first lesson is to be learned, Infinity without one. */
  get lessonAt(): number {
    return this.#lessons[0]?.end ?? Infinity;
  }

  /** Learns what stands in the block that ends first. */
  learnFirst(): void {
    this.#lessons.shift()?.learn();
  }

  /** Reads on in open blocks; returns the position before which hits can be decided. */
  advance(): number {
    let limit = Infinity;
    if (this.#key !== null && !this.#stepKey(this.#key)) limit = this.#key.at;
    if (this.#manifest !== null && !this.#stepManifest(this.#manifest)) {
      limit = Math.min(limit, this.#manifest.at);
    }
    return limit;
  }

  #teach(lesson: Lesson): void {
    this.#lessons.push(lesson);
    this.#lessons.sort((a, b) => a.end - b.end);
  }

  #stepKey(reader: PrivateKeyReader): boolean {
    const end = reader.read();
    if (end < 0) return false;
    const { identity, body } = reader.key;
    this.#add({ start: reader.start, end, key: identity, rule: "private-key" });
    this.#teach({ end, learn: () => this.#store.learnLines(identity, body) });
    this.#key = null;
    return true;
  }

  #stepManifest(reader: ManifestReader): boolean {
    const isSecret = reader.read();
    if (isSecret === null) return false;
    this.#manifest = null;
    if (!isSecret) return true;
    const values = reader.values.map(({ start, end }) => {
      const key = identityOf(this.#text.latin1(start, end));
      this.#add({ start, end, key, rule: "kubernetes-secret" });
      return { key, bytes: this.#text.slice(start, end) };
    });
    const learn = () => {
      for (const { key, bytes } of values) this.#store.learnEncoded(key, bytes);
    };
    this.#teach({ end: reader.at, learn });
    return true;
  }

  /** A BEGIN marker, or the private lines of PuTTY. */
  tryKey(kind: "key" | "putty", start: number, behind: number): BlockVerdict {
    if (kind === "putty") {
      return { kind: "apply", run: () => this.#open({ start, at: behind, key: new PuttyKey() }) };
    }
    const end = this.#text.windowEnd(start, REACH);
    if (end < 0) return { kind: "wait", from: start };
    KEY_BEGIN.lastIndex = 0;
    const match = KEY_BEGIN.exec(this.#text.latin1(start, end));
    if (match === null) return NONE;
    const at = start + match[0].length;
    return { kind: "apply", run: () => this.#open({ start, at, key: new PrivateKey() }) };
  }

  #open(place: { start: number; at: number; key: PrivateKey | PuttyKey }): void {
    this.#key ??= new PrivateKeyReader(this.#text, place);
  }

  /** A word of a manifest. */
  tryManifest(start: number, behind: number): BlockVerdict {
    const line = readManifestLine(this.#text, start, behind);
    switch (line.kind) {
      case "wait":
        return { kind: "wait", from: behind };
      case "none":
        return NONE;
      case "object":
        return { kind: "apply", run: () => this.#isSecret = false };
      case "kind":
        return { kind: "apply", run: () => this.#isSecret = line.isSecret };
      case "data":
        return { kind: "apply", run: () => this.#openManifest(line) };
    }
  }

  #openManifest(block: { next: number; depth: number }): void {
    this.#manifest ??= new ManifestReader(this.#text, { ...block, isSecret: this.#isSecret });
  }
}
