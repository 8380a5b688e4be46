/** What `debrief review` shows, as one immutable value, and how records change it. Keys do so in press_key.ts. */
import type { StreamName } from "../../output/summary.ts";
import { succeeded } from "../../record/succeeded.ts";
import type { Entry } from "./entry.ts";
import {
  chosenOf,
  type EntryFilter,
  narrows,
  type Order,
  orderedBy,
  STATUS_CHOICES,
  type StatusChoice,
} from "./entry_filter.ts";

/** What lies on top of the list. `top` is the first line shown. */
export type View =
  | { readonly kind: "help"; readonly top: number }
  | { readonly kind: "detail"; readonly entry: Entry; readonly top: number }
  | {
    readonly kind: "chain";
    readonly entry: Entry;
    readonly chain: Chain;
    readonly cursor: number;
  }
  | {
    readonly kind: "output";
    readonly entry: Entry;
    readonly stream: StreamName;
    /** First line shown, counted from 1. */
    readonly top: number;
  };

/** Attempts at one thing, oldest first. */
export interface Chain {
  readonly entries: readonly Entry[];
  readonly missing: readonly string[];
  readonly cyclic: boolean;
}

/** The state of the screen. */
export interface ReviewState {
  /** All records that are held, newest first. */
  readonly entries: readonly Entry[];
  /** Those that are listed, in their order. */
  readonly rows: readonly Entry[];
  /** Index in `rows`; 0 when there are none. */
  readonly cursor: number;
  readonly filter: EntryFilter;
  readonly order: Order;
  /** The text of the filter while it is typed, else null. */
  readonly prompt: string | null;
  /** The cursor stays on the newest record. */
  readonly follow: boolean;
  /** False until the first key: then the cursor still seeks the latest failure. */
  readonly touched: boolean;
  /** Newest record whose exit status is not 0, null when there is none. */
  readonly latestFailure: Entry | null;
  /** Views on top of the list; the last one is seen. */
  readonly views: readonly View[];
  readonly loading: boolean;
  /** One line about what just happened, null when nothing did. */
  readonly message: string | null;
  /** Characters that the entries hold, about. */
  readonly held: number;
}

/** The state before any record is read. */
export function emptyReview(): ReviewState {
  return {
    entries: [],
    rows: [],
    cursor: 0,
    filter: { status: "all", text: "" },
    order: "time",
    prompt: null,
    follow: false,
    touched: false,
    latestFailure: null,
    views: [],
    loading: true,
    message: null,
    held: 0,
  };
}

/**
 * Characters that entries may hold together. A full journal has 12 million; only following for a long time, or a journal
 * from elsewhere, comes near.
 */
const MAX_HELD = 256_000_000;

/** What one entry costs: record and searched text hold the same characters, the rest is about constant. */
function costOf({ haystack }: Entry): number {
  return 2 * haystack.length + 1_000;
}

function costOfAll(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + costOf(entry), 0);
}

/** Adds records that are older than all that are held, newest first. What is beyond the bound is left out. */
export function addOlder(state: ReviewState, older: readonly Entry[]): ReviewState {
  const held = state.held + costOfAll(older);
  if (held > MAX_HELD) return { ...state, message: "older records are left out: too many" };
  const entries = [...state.entries, ...older];
  const rows = orderedBy([...state.rows, ...chosenOf(older, state.filter)], state.order);
  const latestFailure = state.latestFailure ?? older.find(({ record }) => !succeeded(record)) ??
    null;
  const next = { ...state, entries, latestFailure, held };
  if (state.touched || latestFailure === null) return withRows(next, rows);
  return { ...next, rows, cursor: Math.max(0, rows.indexOf(latestFailure)) };
}

/** Adds records that are newer than all that are held, newest first. Beyond the bound the oldest are dropped. */
export function addNewer(state: ReviewState, newer: readonly Entry[]): ReviewState {
  const all = [...newer, ...state.entries];
  let held = state.held + costOfAll(newer);
  let kept = all.length;
  while (held > MAX_HELD && kept > 1) held -= costOf(all[--kept]!);
  const dropped = new Set(all.slice(kept));
  const shown = [...chosenOf(newer, state.filter), ...state.rows];
  const rows = dropped.size === 0 ? shown : shown.filter((entry) => !dropped.has(entry));
  const latestFailure = newer.find(({ record }) => !succeeded(record)) ?? state.latestFailure;
  const next = { ...state, entries: all.slice(0, kept), latestFailure, held };
  return state.follow
    ? { ...next, rows: orderedBy(rows, state.order), cursor: 0 }
    : withRows(next, orderedBy(rows, state.order));
}

/** Chooses what is listed. The cursor stays on its record where that is still listed. */
export function withFilter(state: ReviewState, filter: EntryFilter): ReviewState {
  const rows = narrows(filter, state.filter)
    ? chosenOf(state.rows, filter)
    : orderedBy(chosenOf(state.entries, filter), state.order);
  return withRows({ ...state, filter }, rows);
}

/** The next end to choose by. */
export function nextStatus(status: StatusChoice): StatusChoice {
  return STATUS_CHOICES[(STATUS_CHOICES.indexOf(status) + 1) % STATUS_CHOICES.length] ?? "all";
}

/** Chooses the order. The cursor stays on its record. */
export function withOrder(state: ReviewState, order: Order): ReviewState {
  const chosen = chosenOf(state.entries, state.filter);
  return withRows({ ...state, order }, orderedBy(chosen, order));
}

function withRows(state: ReviewState, rows: readonly Entry[]): ReviewState {
  const current = state.rows[state.cursor];
  const index = current === undefined ? -1 : rows.indexOf(current);
  return { ...state, rows, cursor: index >= 0 ? index : clamp(state.cursor, rows.length) };
}

/** An index that exists in a list of so many; 0 for an empty one. */
export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

/** The view that is seen, null for the list. */
export function viewOf(state: ReviewState): View | null {
  return state.views.at(-1) ?? null;
}

/** The record that keys act on: that of the view, else that of the cursor; null when nothing is listed. */
export function currentEntry(state: ReviewState): Entry | null {
  const view = viewOf(state);
  if (view?.kind === "chain") return view.chain.entries[view.cursor] ?? null;
  if (view !== null && view.kind !== "help") return view.entry;
  return state.rows[state.cursor] ?? null;
}
