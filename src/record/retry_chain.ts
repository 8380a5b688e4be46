/**
 * Retry chains: records that parent links join.
 *
 *     c1 failed <- c2 timeout <- c3 ok        one chain, oldest first; its last record says how it stands
 *     c4 ok                                   a chain of one
 *
 * Links may lead anywhere, since callers give them: to themselves, in circles, to ids that rotation has dropped. Joining
 * sets instead of following links ends in every case.
 */
import type { CommandRecord } from "./record.ts";

/** What chains are made of. */
export type Link = Pick<CommandRecord, "command_id" | "parent_command_id">;

/** Attempts at one thing. */
export interface RetryChain<T extends Link = CommandRecord> {
  /** In the order of the journal, oldest first; never empty. */
  readonly records: readonly [T, ...T[]];
  /** Parents that are not in the journal (any more). */
  readonly missing: readonly string[];
  /** True when a record retries itself or, by way of others, a record that retries it. */
  readonly cyclic: boolean;
}

/**
 * Divides records into chains, in the order of their first records. Almost linear in their number.
 *
 * @param records in the order of the journal, oldest first.
 */
export function retryChains<T extends Link>(records: readonly T[]): readonly RetryChain<T>[] {
  const sets = new Map<string, string>();
  for (const { command_id } of records) sets.set(command_id, command_id);
  const missing = new Map<T, string>();
  const backward = new Set<string>();
  for (const record of records) {
    const parent = record.parent_command_id;
    if (parent === null) continue;
    if (!sets.has(parent)) missing.set(record, parent);
    else if (!join(sets, record.command_id, parent)) backward.add(record.command_id);
  }
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const root = find(sets, record.command_id);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [record]);
    else group.push(record);
  }
  return [...groups.values()].map((group) => ({
    records: group as [T, ...T[]],
    missing: group.flatMap((record) => missing.get(record) ?? []),
    cyclic: group.some(({ command_id }) => backward.has(command_id)),
  }));
}

/** The chain of one record, null when no record has this id. */
export function chainOf<T extends Link>(records: readonly T[], id: string): RetryChain<T> | null {
  return retryChains(records).find((chain) =>
    chain.records.some(({ command_id }) => command_id === id)
  ) ?? null;
}

/** The name of an id's set; halves the path on the way, so that long chains stay cheap. */
function find(sets: Map<string, string>, id: string): string {
  let at = id;
  for (;;) {
    const above = sets.get(at) ?? at;
    if (above === at) return at;
    const next = sets.get(above) ?? above;
    sets.set(at, next);
    at = next;
  }
}

/** Joins two sets; false when they were one already, which among links of one parent each means a circle. */
function join(sets: Map<string, string>, child: string, parent: string): boolean {
  const [a, b] = [find(sets, child), find(sets, parent)];
  if (a === b) return false;
  sets.set(a, b);
  return true;
}
