/** Writes the decided part of a stream: visible and invisible bytes as they came, a label for every hidden span. */
import type { NotableKind } from "./notable.ts";
import type { SecretStore } from "./secret_store.ts";
import type { ViewText } from "./view_text.ts";

/** A stretch of visible text to hide, by absolute positions. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Identity of the hidden value. */
  readonly key: string;
  readonly rule: string;
  /** True for what follows a part of the same value. */
  readonly continues?: boolean;
}

/** What one call emitted: `cut` is the number of raw bytes that are done with. */
export interface Emitted {
  readonly bytes: Uint8Array;
  readonly cut: number;
  readonly marks: readonly { readonly at: number; readonly kind: NotableKind }[];
}

/** No bytes. */
export const EMPTY: Uint8Array = new Uint8Array(0);

const ESCAPE = 0x1b;

interface Piece {
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly label: boolean;
}

/** Keeps what must be known between two calls: how far the last hidden span reaches, and marks not yet passed. */
export class Emitter {
  readonly #text: ViewText;
  readonly #store: SecretStore;
  readonly #counts: Record<string, number>;
  #dropTo = 0;
  #dropKey: string | null = null;
  #marks: { position: number; kind: NotableKind }[] = [];

  constructor(text: ViewText, options: { store: SecretStore; counts: Record<string, number> }) {
    this.#text = text;
    this.#store = options.store;
    this.#counts = options.counts;
  }

  /** Notes a notable word whose last byte stands at an absolute position. */
  mark(position: number, kind: NotableKind): void {
    this.#marks.push({ position, kind });
  }

  /** Emits everything before `safe`; `spans` are those that begin before it, by their start. */
  emit(raw: Uint8Array, options: { safe: number; spans: readonly Span[] }): Emitted {
    const { view, base, final, end } = this.#text;
    const cut = final ? raw.length : view.rawEnd(options.safe - base);
    const pieces: Piece[] = [];
    let cursor = this.#dropTo > base ? view.rawEnd(Math.min(this.#dropTo, end) - base) : 0;
    const copyTo = (to: number) => {
      if (to > cursor) pieces.push({ from: cursor, bytes: raw.subarray(cursor, to), label: false });
    };
    for (const span of options.spans) {
      if (span.end <= this.#dropTo) continue;
      const joins = span.start < this.#dropTo ||
        (span.start === this.#dropTo && (span.continues || span.key === this.#dropKey));
      if (!joins) {
        const start = view.rawStart(span.start - base);
        // A lone ESC would take the bracket of the label for the beginning of a control sequence.
        copyTo(start > 0 && raw[start - 1] === ESCAPE ? start - 1 : start);
        pieces.push({ from: cursor, bytes: this.#label(span), label: true });
        this.#dropKey = span.key;
      }
      this.#dropTo = span.end;
      cursor = view.rawEnd(Math.min(span.end, end) - base);
    }
    copyTo(cut);
    return { bytes: join(pieces), cut, marks: this.#takeMarks(pieces, options.safe) };
  }

  #label(span: Span): Uint8Array {
    const { bytes, rule } = this.#store.label(span.key, span.rule);
    this.#counts[rule] = (this.#counts[rule] ?? 0) + 1;
    this.#store.count(rule);
    return bytes;
  }

  /** Marks in emitted text, as indexes of the emitted bytes; those in hidden text are gone. */
  #takeMarks(pieces: readonly Piece[], safe: number): { at: number; kind: NotableKind }[] {
    if (this.#marks.length === 0) return [];
    const out: { at: number; kind: NotableKind }[] = [];
    const { view, base } = this.#text;
    let next = 0;
    let offset = 0;
    let piece = 0;
    for (; next < this.#marks.length; next++) {
      const { position, kind } = this.#marks[next] as { position: number; kind: NotableKind };
      if (position >= safe) break;
      const raw = view.rawStart(position - base);
      let current = pieces[piece];
      while (
        current !== undefined && (current.label || current.from + current.bytes.length <= raw)
      ) {
        offset += current.bytes.length;
        current = pieces[++piece];
      }
      if (current !== undefined && raw >= current.from) {
        out.push({ at: offset + raw - current.from, kind });
      }
    }
    this.#marks = this.#marks.slice(next);
    return out;
  }
}

function join(pieces: readonly Piece[]): Uint8Array {
  if (pieces.length === 0) return EMPTY;
  if (pieces.length === 1) return (pieces[0] as Piece).bytes;
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.bytes.length, 0));
  let at = 0;
  for (const { bytes } of pieces) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}
