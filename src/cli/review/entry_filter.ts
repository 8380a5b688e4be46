/** Which entries are listed, and in which order. */
import { succeeded } from "../../record/succeeded.ts";
import type { Entry } from "./entry.ts";

/** Ends that can be chosen, in the order in which the key goes through them. */
export const STATUS_CHOICES = ["all", "failed", "non-zero", "no exit", "denied", "ok"] as const;

/** One of them. */
export type StatusChoice = typeof STATUS_CHOICES[number];

/** Orders that can be chosen. */
export type Order = "time" | "duration";

/** What is listed. */
export interface EntryFilter {
  readonly status: StatusChoice;
  /** Occurs in command, note, error or tails; upper and lower case are the same. */
  readonly text: string;
}

const HAS_STATUS: Readonly<Record<StatusChoice, (entry: Entry) => boolean>> = {
  all: () => true,
  failed: ({ record }) => !succeeded(record),
  "non-zero": ({ record }) => record.exit_code !== null && record.exit_code !== 0,
  "no exit": ({ record }) => record.exit_code === null,
  denied: ({ record }) => record.denials.length > 0 || record.outcome.kind.startsWith("denied-"),
  ok: ({ record }) => succeeded(record),
};

/** The entries that a filter lets through, in the same order. */
export function chosenOf(entries: readonly Entry[], filter: EntryFilter): readonly Entry[] {
  const text = filter.text.toLowerCase();
  const hasStatus = HAS_STATUS[filter.status];
  if (filter.status === "all" && text === "") return entries;
  return entries.filter((entry) => hasStatus(entry) && entry.haystack.includes(text));
}

/** Entries, newest first, in the order that was chosen. Among equal durations the newest comes first. */
export function orderedBy(entries: readonly Entry[], order: Order): readonly Entry[] {
  return order === "time"
    ? entries
    : entries.toSorted((a, b) => b.record.duration_ms - a.record.duration_ms);
}

/** True when a filter lets through only what another one does too: then its rows need no new search of all. */
export function narrows(filter: EntryFilter, other: EntryFilter): boolean {
  return filter.status === other.status &&
    filter.text.toLowerCase().includes(other.text.toLowerCase());
}
