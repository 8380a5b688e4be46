/**
 * Decides what visible text is hidden. Keyword hits are decided strictly in the order in which the automaton found them;
 * known values that begin before the end of a hit come first. Whatever cannot be decided yet stops the whole sequence, so
 * the result does not depend on how the text arrived.
 */
import { byteTable } from "./ascii.ts";
import { OPEN_VALUE_BYTES } from "./assignment_value.ts";
import { findAssignment } from "./assignments.ts";
import { BlockSpans, type BlockVerdict } from "./block_spans.ts";
import type { Span } from "./emitter.ts";
import { KnownSearch } from "./known_search.ts";
import { CustomLines, type CustomRule } from "./custom_lines.ts";
import type { Entry, StateEntries } from "./rule_book.ts";
import type { Rule } from "./rules.ts";
import { RuleMatcher } from "./rule_matcher.ts";
import { identityOf, type SecretStore } from "./secret_store.ts";
import type { ViewText } from "./view_text.ts";

/** A keyword hit: `end` is the absolute position of the keyword's last byte. */
export type Hit = { readonly end: number; readonly found: StateEntries };

/** Most bytes before a keyword that belong to a token. */
const MAX_LOOKBACK = 96;
const ASSIGNMENT = "assignment";
/** Only seen by the store, which knows the name or the rule under which the value became known. */
const KNOWN = "known-value";

/** Bytes that continue a token which is longer than its window. */
const TOKEN_BYTES = byteTable("A-Za-z0-9_.~%+/=-");

/** A value that is hidden on as long as its bytes belong to the class. */
interface OpenValue {
  at: number;
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly rule: string;
  readonly slot: number;
}

/** What a hit came to: spans to hide, or the position from which on nothing is known yet. */
type Verdict = { readonly kind: "wait"; readonly from: number } | { readonly kind: "done" };

const DONE: Verdict = { kind: "done" };

/** Finds spans in the text of one stream. */
export class SpanFinder {
  readonly #text: ViewText;
  readonly #store: SecretStore;
  readonly #lines: CustomLines | null;
  readonly #hits: Hit[] = [];
  #spans: Span[] = [];
  /** Ends of spans that the text still touches. */
  readonly #ends = new Set<number>();
  #open: OpenValue[] = [];
  readonly #blocks: BlockSpans;
  #waitFrom = Infinity;
  readonly #matcher: RuleMatcher;
  readonly #known: KnownSearch;
  /** End of the last match by slot: a hit inside a match of the same rule is not tried again. */
  readonly #lastEnd: Float64Array;
  readonly #nameSlot: number;

  constructor(
    text: ViewText,
    options: { store: SecretStore; custom: readonly CustomRule[]; slots: number },
  ) {
    this.#text = text;
    this.#store = options.store;
    const add = (span: Span) => this.#add(span);
    this.#blocks = new BlockSpans(text, { store: options.store, add });
    this.#matcher = new RuleMatcher(text, this.#ends);
    this.#known = new KnownSearch(text, options.store.known);
    this.#lines = options.custom.length > 0 ? new CustomLines(text, options.custom) : null;
    this.#nameSlot = options.slots;
    this.#lastEnd = new Float64Array(options.slots + 1).fill(-1);
  }

  #add(span: Span, goesOn = false): void {
    this.#spans.push(span);
    // Where a part of a value ends says when it arrived.
    if (!goesOn) this.#ends.add(span.end);
  }

  /** Queues a hit; hits come in the order of their ends. */
  add(hit: Hit): void {
    this.#hits.push(hit);
  }

  /** Spans that begin before `safe`, by their start. */
  takeSpans(safe: number): Span[] {
    if (this.#spans.length === 0) return [];
    // A token may begin MAX_LOOKBACK bytes before its keyword, and the keyword at the safe position.
    for (const end of this.#ends) if (end < safe - MAX_LOOKBACK) this.#ends.delete(end);
    const ready = this.#spans.filter((span) => span.start < safe);
    this.#spans = this.#spans.filter((span) => span.start >= safe);
    // Of two that begin together the one that names the issuer gives the label.
    return ready.sort((a, b) => a.start - b.start || generality(a) - generality(b));
  }

  /** The first position at which something undecided may begin. */
  holdFrom(): number {
    // What was learned last may have begun to arrive, also where an open block keeps the search back.
    this.#decideKnown(0);
    let from = Math.min(this.#waitFrom, this.#known.undecided, this.#blocks.holdFrom);
    if (this.#lines !== null) from = Math.min(from, this.#lines.undecided);
    const undecided = this.#waitFrom < Infinity ? 1 : 0;
    for (let i = undecided; i < this.#hits.length; i++) {
      from = Math.min(from, earliest(this.#hits[i] as Hit));
    }
    return from;
  }

  /** Decides as much as can be decided. */
  decide(): void {
    this.#waitFrom = Infinity;
    this.#advanceOpen();
    let head = 0;
    while (this.#decideNext(this.#hits[head])) head++;
    if (head > 0) this.#hits.splice(0, head);
  }

  /** True when `hit` is decided and the next one may follow. */
  #decideNext(hit: Hit | undefined): boolean {
    const limit = this.#blocks.advance();
    // Behind the last decided line of a block nothing may be decided before that line's successor is.
    if (limit < Infinity && (hit === undefined || hit.end >= limit)) return false;
    const bound = hit === undefined ? this.#text.end : hit.end + 1;
    while (this.#blocks.lessonAt < bound) {
      if (!this.#decideKnown(this.#blocks.lessonAt)) return false;
      this.#blocks.learnFirst();
    }
    if (!this.#decideKnown(bound)) return false;
    const isDecided =
      this.#lines?.decide(bound, ({ start, end, rule }) => this.#hide(start, end, { rule })) ??
        true;
    if (!isDecided || hit === undefined) return false;
    const verdict = this.#decideHit(hit);
    if (verdict.kind === "wait") this.#waitFrom = verdict.from;
    return verdict.kind === "done";
  }

  #decideKnown(bound: number): boolean {
    return this.#known.decide(bound, (match) => this.#add({ ...match, rule: KNOWN }));
  }

  #decideHit(hit: Hit): Verdict {
    const apply: (() => void)[] = [];
    for (const entry of hit.found.entries) {
      const from = this.#tryEntry(entry, hit.end, apply);
      if (from >= 0) {
        return { kind: "wait", from: hit.found.reach === 0 ? from : Math.min(from, earliest(hit)) };
      }
    }
    for (const run of apply) run();
    return DONE;
  }

  /** Adds what has to be hidden to `apply`; returns -1, or the position from which on bytes are needed. */
  #tryEntry(entry: Entry, hitEnd: number, apply: (() => void)[]): number {
    const start = hitEnd + 1 - entry.length;
    switch (entry.kind) {
      case "name":
        return this.#tryName(start, hitEnd + 1, apply);
      case "rule":
        return this.#tryRule(entry.rule, { start, behind: hitEnd + 1, slot: entry.slot }, apply);
      case "key":
      case "putty":
        return queue(this.#blocks.tryKey(entry.kind, start, hitEnd + 1), apply);
      case "manifest":
        return queue(this.#blocks.tryManifest(start, hitEnd + 1), apply);
    }
  }

  #tryName(start: number, end: number, apply: (() => void)[]): number {
    if (start < (this.#lastEnd[this.#nameSlot] as number)) return -1;
    const found = findAssignment(this.#text, { start, end, names: this.#store.names });
    if (found.kind === "wait") return found.from;
    if (found.kind === "none") return -1;
    apply.push(() =>
      this.#hide(found.start, found.end, {
        rule: ASSIGNMENT,
        slot: this.#nameSlot,
        open: found.open ? OPEN_VALUE_BYTES : undefined,
      })
    );
    return -1;
  }

  #tryRule(
    rule: Rule,
    at: { start: number; behind: number; slot: number },
    apply: (() => void)[],
  ): number {
    // A keyword that begins in a match and ends behind it is the next token's.
    if (at.behind <= (this.#lastEnd[at.slot] as number)) return -1;
    const found = this.#matcher.match(rule, at);
    if (found.kind === "wait") return found.from;
    // A rule that has failed in a run fails at every later place of it as well; a match moves the mark further.
    if (found.passTo > 0) apply.push(() => this.#passTo(at.slot, found.passTo));
    if (found.kind === "none") return -1;
    apply.push(() =>
      this.#hide(found.start, found.end, {
        rule: rule.name,
        slot: at.slot,
        open: found.open ? TOKEN_BYTES : undefined,
      })
    );
    return -1;
  }

  /** The rule of a slot is not tried again before this position. */
  #passTo(slot: number, position: number): void {
    this.#lastEnd[slot] = Math.max(this.#lastEnd[slot] as number, position);
  }

  #hide(
    start: number,
    end: number,
    as: { rule: string; slot?: number; open?: Uint8Array | undefined },
  ): void {
    const key = identityOf(this.#text.latin1(start, end));
    if (as.slot !== undefined) this.#lastEnd[as.slot] = end;
    // A value that goes on behind its window is another one.
    if (as.open === undefined && this.#store.allows(key)) return;
    this.#add({ start, end, key, rule: as.rule }, as.open !== undefined);
    this.#store.learn(key, () => this.#text.slice(start, end));
    if (as.open === undefined) return;
    this.#open.push({
      at: end,
      bytes: as.open,
      key,
      rule: as.rule,
      slot: as.slot ?? this.#nameSlot,
    });
    this.#advanceOpen();
  }

  /** Hides the continuation of values that are longer than their window. */
  #advanceOpen(): void {
    if (this.#open.length === 0) return;
    const { base, end, view } = this.#text;
    this.#open = this.#open.filter((open) => {
      let at = open.at;
      while (at < end && open.bytes[view.bytes[at - base] as number] === 1) at++;
      if (at > open.at) {
        const { key, rule } = open;
        this.#add({ start: open.at, end: at, key, rule, continues: true }, true);
      }
      if (at < end) this.#ends.add(at);
      open.at = at;
      this.#lastEnd[open.slot] = Math.max(this.#lastEnd[open.slot] as number, at);
      return at === end;
    });
  }
}

/** Adds what a block has to do to `apply`; -1, or where to wait. */
function queue(verdict: BlockVerdict, apply: (() => void)[]): number {
  if (verdict.kind === "wait") return verdict.from;
  if (verdict.kind === "apply") apply.push(verdict.run);
  return -1;
}

function generality(span: Span): number {
  // What began before has its label already.
  if (span.continues) return -1;
  return span.rule === KNOWN ? 2 : span.rule === ASSIGNMENT ? 1 : 0;
}

/** The first position at which a secret of this hit can begin, before it is decided. */
function earliest(hit: Hit): number {
  return hit.end + 1 - hit.found.reach;
}
