/** Secrets of several lines: private keys and manifests of cluster secrets. Each is followed beside all other rules. */
import type { Span } from "./emitter.ts";
import { KEY_BEGIN, MAX_BEGIN, PrivateKey } from "./private_key.ts";
import { PrivateKeyReader } from "./private_key_reader.ts";
import { isLineCount, MAX_COUNT, PuttyKey } from "./putty_key.ts";
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
  /** End of the last key. */
  #keyEnd = 0;
  /** Behind the last key nothing is an END up to here. */
  #endlessTo = 0;
  #manifest: ManifestReader | null = null;
  /** Manifests that are done, as far as something may still begin in them. */
  #manifests: { readonly end: number; readonly depth: number }[] = [];
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
    this.#keyEnd = end;
    this.#endlessTo = Math.max(this.#endlessTo, reader.readTo);
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
    this.#manifests.push({ end: reader.at, depth: reader.depth });
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
    // How much of a block has arrived must not decide whether another one begins in it.
    if (this.#key !== null) return { kind: "wait", from: start };
    return kind === "putty" ? this.#tryPutty(start, behind) : this.#tryBegin(start);
  }

  #tryPutty(start: number, behind: number): BlockVerdict {
    const end = this.#text.windowEnd(behind, MAX_COUNT);
    if (end < 0) return { kind: "wait", from: start };
    if (!isLineCount(this.#text.latin1(behind, end))) return NONE;
    return { kind: "apply", run: () => this.#open({ start, at: behind, key: new PuttyKey() }) };
  }

  #tryBegin(start: number): BlockVerdict {
    // What begins inside a key is hidden with it, as far as it would go itself.
    if (start < this.#keyEnd) return NONE;
    const end = this.#text.windowEnd(start, MAX_BEGIN);
    if (end < 0) return { kind: "wait", from: start };
    KEY_BEGIN.lastIndex = 0;
    const match = KEY_BEGIN.exec(this.#text.latin1(start, end));
    if (match === null) return NONE;
    const at = start + match[0].length;
    const key = new PrivateKey({ endless: at < this.#endlessTo });
    return { kind: "apply", run: () => this.#open({ start, at, key }) };
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
        if (this.#isRead(start, line.depth)) return NONE;
        // One inside another is looked at when the outer one is done, however much of that has arrived.
        if (this.#manifest !== null) return { kind: "wait", from: behind };
        return { kind: "apply", run: () => this.#openManifest(line) };
    }
  }

  /** True when a manifest has taken the lines behind a place that are deeper than `depth`. */
  #isRead(start: number, depth: number): boolean {
    this.#manifests = this.#manifests.filter(({ end }) => start < end);
    const open = this.#manifest === null ? [] : [this.#manifest];
    return [...this.#manifests, ...open].some((manifest) => depth <= manifest.depth);
  }

  #openManifest(block: { next: number; depth: number }): void {
    this.#manifest ??= new ManifestReader(this.#text, { ...block, isSecret: this.#isSecret });
  }
}
