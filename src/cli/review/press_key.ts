/** What keys do to the screen of `debrief review`. */
import { chainOf } from "../../record/retry_chain.ts";
import { succeeded } from "../../record/succeeded.ts";
import { detailLines } from "./detail_view.ts";
import type { Entry } from "./entry.ts";
import { helpLines } from "./help_view.ts";
import { actionOf, type KeyAction } from "./key_table.ts";
import {
  clamp,
  currentEntry,
  nextStatus,
  type ReviewState,
  type View,
  viewOf,
  withFilter,
  withOrder,
} from "./review_state.ts";

/** Columns and lines that the body of the screen has. */
export interface BodySize {
  readonly columns: number;
  readonly lines: number;
}

/** What a key asks for beyond the screen. */
export type Effect = { readonly kind: "quit" } | { readonly kind: "copy"; readonly id: string };

/** What came of a key. */
export interface Pressed {
  readonly state: ReviewState;
  readonly effect: Effect | null;
}

/** Characters of a text to filter by. */
const MAX_TEXT = 200;

/** Carries out a key by its name (`keyNames`). */
export function pressKey(before: ReviewState, key: string, size: BodySize): Pressed {
  const state = { ...before, touched: true, message: null };
  if (state.prompt !== null) return { state: typed(state, key, state.prompt), effect: null };
  const action = actionOf(key);
  if (action === null) return { state, effect: null };
  if (action === "quit") return { state, effect: { kind: "quit" } };
  if (action === "copy") return copied(state);
  const view = viewOf(state);
  if (view !== null) return { state: inView(state, view, { action, size }), effect: null };
  return { state: inList(state, action, size), effect: null };
}

function copied(state: ReviewState): Pressed {
  const entry = currentEntry(state);
  if (entry === null) return { state, effect: null };
  const id = entry.command_id;
  return { state: { ...state, message: `copied ${id}` }, effect: { kind: "copy", id } };
}

/** A key while the text to filter by is typed; the list follows each one. */
function typed(state: ReviewState, key: string, prompt: string): ReviewState {
  const to = (text: string) => ({
    ...withFilter(state, { ...state.filter, text }),
    prompt: text,
  });
  if (key === "return") return { ...state, prompt: null };
  if (key === "escape") return { ...to(""), prompt: null };
  if (key === "backspace") return to([...prompt].slice(0, -1).join(""));
  const isText = [...key].length === 1 && !/\p{C}/u.test(key);
  return isText && prompt.length < MAX_TEXT ? to(prompt + key) : state;
}

/** How far an action moves among so many lines; null when it moves nothing. */
function moved(
  action: KeyAction,
  from: number,
  bounds: { readonly length: number; readonly page: number },
): number | null {
  const { length, page } = bounds;
  switch (action) {
    case "down":
      return clamp(from + 1, length);
    case "up":
      return clamp(from - 1, length);
    case "page-down":
      return clamp(from + page, length);
    case "page-up":
      return clamp(from - page, length);
    case "first":
      return 0;
    case "last":
      return clamp(length - 1, length);
    default:
      return null;
  }
}

function inList(state: ReviewState, action: KeyAction, size: BodySize): ReviewState {
  const { rows, filter } = state;
  const cursor = moved(action, state.cursor, { length: rows.length, page: size.lines });
  // Whoever moves away does not want to be taken back.
  if (cursor !== null) return { ...state, cursor, follow: false };
  switch (action) {
    case "older-failure":
      return toFailure(state, rows.findIndex((row, index) => index > state.cursor && failed(row)));
    case "newer-failure":
      return toFailure(
        state,
        rows.findLastIndex((row, index) => index < state.cursor && failed(row)),
      );
    case "search":
      return { ...state, prompt: filter.text };
    case "status":
      return withFilter(state, { ...filter, status: nextStatus(filter.status) });
    case "order":
      return withOrder({ ...state, follow: false }, state.order === "time" ? "duration" : "time");
    case "follow":
      // The newest is first only in the order of time.
      return state.follow
        ? { ...state, follow: false }
        : { ...withOrder(state, "time"), follow: true, cursor: 0 };
    case "back":
      return withFilter(state, { status: "all", text: "" });
    default:
      return opened(state, action);
  }
}

function failed({ record }: Entry): boolean {
  return !succeeded(record);
}

function toFailure(state: ReviewState, index: number): ReviewState {
  return index < 0
    ? { ...state, message: "no further failure" }
    : { ...state, cursor: index, follow: false };
}

/** Puts a view on top for the current record. */
function opened(state: ReviewState, action: KeyAction): ReviewState {
  if (action === "help") return pushed(state, { kind: "help", top: 0 });
  const entry = currentEntry(state);
  if (entry === null) return state;
  if (action === "open") return pushed(state, { kind: "detail", entry, top: 0 });
  if (action === "chain") {
    const chain = chainOf(state.entries.toReversed(), entry.command_id);
    const { records = [entry], missing = [], cyclic = false } = chain ?? {};
    const cursor = Math.max(0, records.indexOf(entry));
    return pushed(state, {
      kind: "chain",
      entry,
      chain: { entries: records, missing, cyclic },
      cursor,
    });
  }
  if (action === "output") {
    if (entry.record.output_id === null) return { ...state, message: "it has no kept output" };
    const stream = entry.record.bytes.stdout === 0 ? "stderr" : "stdout";
    return pushed(state, { kind: "output", entry, stream, top: 1 });
  }
  return state;
}

function pushed(state: ReviewState, view: View): ReviewState {
  // A view of each kind once: keys that lead from view to view do not pile them up.
  return { ...state, views: [...state.views.filter(({ kind }) => kind !== view.kind), view] };
}

function replaced(state: ReviewState, view: View): ReviewState {
  return { ...state, views: [...state.views.slice(0, -1), view] };
}

function inView(
  state: ReviewState,
  view: View,
  { action, size }: { readonly action: KeyAction; readonly size: BodySize },
): ReviewState {
  if (action === "back") return { ...state, views: state.views.slice(0, -1) };
  const page = size.lines;
  switch (view.kind) {
    case "help":
    case "detail": {
      const lines = view.kind === "help"
        ? helpLines(size.columns)
        : detailLines(view.entry, size.columns);
      const top = moved(action, view.top, { length: Math.max(1, lines.length - page + 1), page });
      return top === null ? opened(state, action) : replaced(state, { ...view, top });
    }
    case "chain": {
      const cursor = moved(action, view.cursor, { length: view.chain.entries.length, page });
      return cursor === null ? opened(state, action) : replaced(state, { ...view, cursor });
    }
    case "output": {
      if (action === "stream") {
        const stream = view.stream === "stdout" ? "stderr" : "stdout";
        return replaced(state, { ...view, stream, top: 1 });
      }
      const length = Math.max(1, view.entry.record.lines[view.stream]);
      // The last page, not the last line alone.
      const from = action === "last" ? length - page : view.top - 1;
      const top = action === "last" ? Math.max(0, from) : moved(action, from, { length, page });
      return top === null ? opened(state, action) : replaced(state, { ...view, top: top + 1 });
    }
  }
}
