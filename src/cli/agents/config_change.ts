/** What is to be changed in a configuration, on its value; the text follows in `config_text.ts`. */
import { isDeepStrictEqual } from "node:util";

/** Whether two values of configurations are the same, whatever parser made them. */
export function equal(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(structuredClone(left), structuredClone(right));
}

/** Names of keys from the top to the place that is meant. */
export type KeyPath = readonly string[];

/** One change: a key gets a value, or a list gets one more. */
export type Change =
  | { readonly kind: "set"; readonly path: KeyPath; readonly value: unknown }
  | { readonly kind: "add"; readonly path: KeyPath; readonly value: unknown };

/** An object of a configuration. */
export type Table = Readonly<Record<string, unknown>>;

/** Whether a value is an object of a configuration. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path, undefined where there is none. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  let at = value;
  for (const key of path) at = isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** The table with the value at the path. @throws {Error} when something on the way is no table. */
export function withValue(table: Table, path: KeyPath, value: unknown): Table {
  const [key, ...rest] = path;
  if (key === undefined) return table;
  if (rest.length === 0) {
    if (value !== undefined) return { ...table, [key]: value };
    return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
  }
  const inner = Object.hasOwn(table, key) ? table[key] : {};
  if (!isTable(inner)) {
    throw new Error(`Cannot change "${path.join(".")}": "${key}" is no table of keys`);
  }
  return { ...table, [key]: withValue(inner, rest, value) };
}

function listAt(table: unknown, path: KeyPath): readonly unknown[] {
  const list = valueAt(table, path) ?? [];
  if (!Array.isArray(list)) throw new Error(`Cannot add to "${path.join(".")}": it is no list`);
  return list;
}

/** A change as the key that gets a value; null where the value is there already. */
export interface Assignment {
  readonly path: KeyPath;
  /** Undefined where the key is to go. */
  readonly value: unknown;
}

/** What a change comes to. @throws {Error} where a list is meant and there is something else. */
export function assignmentOf(table: Table, { kind, path, value }: Change): Assignment | null {
  if (kind === "set") return equal(valueAt(table, path), value) ? null : { path, value };
  const list = listAt(table, path);
  return list.some((item) => equal(item, value)) ? null : { path, value: [...list, value] };
}

/** A configuration before a change, after it, and now. */
export interface Versions {
  readonly before: Table;
  readonly after: Table;
  readonly now: Table;
}

/** Empty tables that the change has made go with their last key. */
function pruned({ before, now }: Versions, { path, value }: Assignment): Assignment {
  if (value !== undefined) return { path, value };
  const parent = path.slice(0, -1);
  const table = valueAt(now, parent);
  const made = parent.length > 0 && valueAt(before, parent) === undefined;
  const alone = isTable(table) && Object.keys(table).length === 1;
  return made && alone
    ? pruned({ before, now, after: now }, { path: parent, value })
    : { path, value };
}

/**
 * What takes a change back, keeping all that others changed since; null when there is nothing to take back.
 *
 * @throws {Error} naming the key, when just what was changed is not as it was left.
 */
export function reversalOf(versions: Versions, { kind, path, value }: Change): Assignment | null {
  const { before, after, now } = versions;
  if (equal(valueAt(before, path), valueAt(after, path))) return null;
  const current = valueAt(now, path);
  const changed = new Error(`Cannot undo "${path.join(".")}": it was changed since`);
  if (kind === "set") {
    if (!equal(current, value)) throw changed;
    return pruned(versions, { path, value: valueAt(before, path) });
  }
  const index = Array.isArray(current) ? current.findIndex((item) => equal(item, value)) : -1;
  if (!Array.isArray(current) || index < 0) throw changed;
  const rest = current.toSpliced(index, 1);
  const gone = rest.length === 0 && valueAt(before, path) === undefined;
  return pruned(versions, { path, value: gone ? undefined : rest });
}
