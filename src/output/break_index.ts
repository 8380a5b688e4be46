/**
 * Finds short needles into which a line break was strewn: too short for two windows side by side (needle_index.ts), of
 * which one would be whole. But then four bytes of them stand right before the break, or right behind the fold.
 */
import {
  type Candidate,
  type KnownText,
  longestSpan,
  MAX_CHAIN,
  type Needle,
  skipFold,
  wordAt,
} from "./needle.ts";

const BLOCK = 4;

/** Four bytes of a needle. */
interface Part {
  readonly needle: Needle;
  readonly offset: number;
}

/** Needles of at least eight bytes, without blanks. */
export class BreakIndex {
  readonly #parts = new Map<number, Part[]>();
  #longest = 0;

  /** Enters a needle. */
  insert(needle: Needle): void {
    for (let offset = 0; offset + BLOCK <= needle.bytes.length; offset++) {
      const word = wordAt(needle.bytes, offset);
      const parts = this.#parts.get(word);
      if (parts === undefined) this.#parts.set(word, [{ needle, offset }]);
      else if (parts.length < MAX_CHAIN) parts.push({ needle, offset });
    }
    this.#longest = Math.max(this.#longest, longestSpan(needle));
  }

  /** Reports places in `[from, to)` at which a needle may begin, some of them twice. */
  scan(text: KnownText, { from, to }: { from: number; to: number }, report: Candidate): void {
    if (this.#parts.size === 0) return;
    const end = Math.min(text.length, to + this.#longest);
    const within: Candidate = (needle, start) => {
      if (start >= from && start < to) report(needle, start);
    };
    for (const lineBreak of [0x0a, 0x0d]) {
      let at = text.bytes.indexOf(lineBreak, from);
      for (; at >= 0 && at < end; at = text.bytes.indexOf(lineBreak, at + 1)) {
        for (const { needle, offset } of this.#partsAt(text, at - BLOCK)) {
          within(needle, at - BLOCK - offset);
        }
        for (const { needle, offset } of this.#partsAt(text, skipFold(text, at))) {
          within(needle, at - offset);
        }
      }
    }
  }

  #partsAt(text: KnownText, at: number): readonly Part[] {
    if (at < 0 || at + BLOCK > text.length) return [];
    return this.#parts.get(wordAt(text.bytes, at)) ?? [];
  }
}
