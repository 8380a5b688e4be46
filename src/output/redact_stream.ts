/**
 * Redaction of one stream. Every decision is a function of the visible text alone, never of where a chunk ended:
 *
 *   raw bytes ─► visible view ─► automaton ─► hits, in order ─► spans to hide ─► emitted bytes
 *
 * A hit is decided when its window (to the end of the line, or REACH bytes) has arrived; until then the bytes from its
 * first possible secret on are held back. The output hides the union of all spans; the leftmost span gives the label.
 */
import type { CustomRule } from "./custom_lines.ts";
import { SpanFinder } from "./span_finder.ts";
import { Emitter, EMPTY } from "./emitter.ts";
import type { NotableKind } from "./notable.ts";
import type { RuleBook } from "./rule_book.ts";
import type { SecretStore } from "./secret_store.ts";
import { ViewText } from "./view_text.ts";

/** A notable word in redacted output: `at` is the index of its last byte in the bytes that `push` returned. */
export interface Mark {
  readonly at: number;
  readonly kind: NotableKind;
}

/** Chunks are processed in pieces of at most this many bytes, which bounds memory whatever the caller passes. */
const PIECE = 256 * 1024;
/** Token characters before a partial keyword that are held back; more than any rule looks back. */
const MAX_RUN = 96;

function isRunByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f || byte === 0x2d || byte === 0x7e || byte === 0x2e || byte === 0x2b ||
    byte === 0x2f;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length === 1) return filled[0] as Uint8Array;
  const out = new Uint8Array(filled.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of filled) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Redacts the bytes of one stream as they arrive. Made by `Redactor.stream()`. */
export class RedactStream {
  /** Redactions in this stream by rule name. */
  readonly counts: Record<string, number> = {};
  readonly #book: RuleBook;
  readonly #text: ViewText;
  readonly #finder: SpanFinder;
  readonly #emitter: Emitter;
  readonly #end = { index: 0, state: 0 };
  #scanned = 0;
  #carry: Uint8Array = EMPTY;
  #joined: Uint8Array = EMPTY;
  #plain = true;
  #escapeFree = true;
  #marks: Mark[] = [];
  /** Kinds of notable words that are reported in `marks`; fewer cost less. */
  notable: { refusal: boolean; error: boolean } = { refusal: false, error: false };

  /** A `text` that counts how it is read is how tests measure work. */
  constructor(
    book: RuleBook,
    options: { store: SecretStore; custom: readonly CustomRule[]; text?: ViewText },
  ) {
    this.#book = book;
    this.#text = options.text ?? new ViewText();
    this.#finder = new SpanFinder(this.#text, { ...options, slots: book.slots });
    this.#emitter = new Emitter(this.#text, { store: options.store, counts: this.counts });
  }

  /** Notable words in the bytes that the last `push` or `finish` returned, in order. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** True when the bytes that the last `push` or `finish` returned are known to hold no escape character. */
  get escapeFree(): boolean {
    return this.#escapeFree;
  }

  /**
   * Takes the next bytes and returns those that are final: a part of `chunk` itself when nothing had to be hidden or
   * held back, else memory that the next call uses again, so use or copy them before.
   */
  push(chunk: Uint8Array): Uint8Array {
    this.#marks = [];
    this.#escapeFree = true;
    if (chunk.length <= PIECE) return this.#process(chunk);
    const out: Uint8Array[] = [];
    let length = 0;
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = this.#process(chunk.subarray(at, at + PIECE), length);
      length += piece.length;
      // The next piece may use the memory of this one.
      out.push(piece.slice());
    }
    return concat(out);
  }

  /** Decides what was held back and returns it. The stream must not be used afterwards. */
  finish(): Uint8Array {
    this.#marks = [];
    this.#escapeFree = true;
    this.#text.final = true;
    return this.#process(EMPTY);
  }

  #process(chunk: Uint8Array, markBase = 0): Uint8Array {
    if (chunk.length === 0 && !this.#text.final) return EMPTY;
    const raw = this.#join(chunk);
    this.#scan(raw);
    this.#escapeFree &&= this.#text.view.identical;
    this.#finder.decide();
    const safe = this.#text.final ? this.#text.end : this.#safeEnd();
    const emitted = this.#emitter.emit(raw, { safe, spans: this.#finder.takeSpans(safe) });
    for (const mark of emitted.marks) this.#marks.push({ at: mark.at + markBase, kind: mark.kind });
    this.#carry = emitted.cut === raw.length ? EMPTY : raw.slice(emitted.cut);
    this.#plain = this.#carry.length === 0 || this.#text.view.identical;
    this.#text.advance(safe);
    return emitted.bytes;
  }

  /**
   * What was held back with the next bytes behind it, in memory of its own that is used again: garbage of the size of
   * every chunk would make the heap grow with the length of the output.
   */
  #join(chunk: Uint8Array): Uint8Array {
    const carry = this.#carry;
    if (carry.length === 0) return chunk;
    const length = carry.length + chunk.length;
    if (this.#joined.length < length) this.#joined = new Uint8Array(2 * length);
    this.#joined.set(carry);
    this.#joined.set(chunk, carry.length);
    return this.#joined.subarray(0, length);
  }

  /** Builds the view and runs the automaton over the part of it that is new. */
  #scan(raw: Uint8Array): void {
    const { view, final, base } = this.#text;
    const { automaton } = this.#book;
    const sink = { hit: (index: number, state: number) => this.#hit(base + index, state) };
    const from = this.#scanned - base;
    if (this.#plain) {
      view.assume(raw);
      automaton.scan(raw, { from, to: raw.length, raw: true, end: this.#end, sink });
      if (this.#end.index < raw.length) {
        view.build(raw, { from: this.#end.index, final });
        automaton.scan(view.bytes, {
          from: this.#end.index,
          to: view.length,
          raw: false,
          end: this.#end,
          sink,
        });
      }
    } else {
      view.build(raw, { from: 0, final });
      automaton.scan(view.bytes, { from, to: view.length, raw: false, end: this.#end, sink });
    }
    this.#scanned = this.#text.end;
  }

  #hit(position: number, state: number): void {
    const found = this.#book.at(state);
    if (found.entries.length > 0) this.#finder.add({ end: position, found });
    if (found.notable !== null && this.notable[found.notable]) {
      this.#emitter.mark(position, found.notable);
    }
  }

  /** Everything before this position is decided. */
  #safeEnd(): number {
    const end = this.#text.end;
    let from = end - this.#book.automaton.holdDepth(this.#end.state);
    const limit = Math.max(from - MAX_RUN, this.#text.base);
    while (from > limit && isRunByte(this.#text.at(from - 1))) from--;
    return Math.max(this.#text.base, Math.min(from, this.#finder.holdFrom()));
  }
}
