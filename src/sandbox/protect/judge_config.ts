/** A repository's configuration after a command: what may stay of it, and what has to be as it was. */
import { type ConfigEntry, configName, formatEntry, parseGitConfig } from "./git_config.ts";
import { isInert, type KeyContext } from "./git_keys.ts";

/** What to make of a changed configuration. */
export type ConfigVerdict =
  | { readonly kind: "accepted" }
  | {
    readonly kind: "reverted";
    /** What the file has to hold; null when there must be none. */
    readonly text: string | null;
    /** Names of the keys that were put back; empty when the file is put back as a whole. */
    readonly keys: readonly string[];
  };

/** What a configuration is judged by. */
export interface ConfigChange {
  /** Null when there was, or is, no such file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly context: KeyContext;
}

/** A name and value, such that equal texts are equal settings. */
function settingOf(entry: ConfigEntry): string {
  return JSON.stringify([entry.section, entry.subsection, entry.key, entry.value]);
}

function split(entries: readonly ConfigEntry[], context: KeyContext) {
  return {
    inert: entries.filter((entry) => isInert(entry, context)),
    active: entries.filter((entry) => !isInert(entry, context)),
  };
}

function same(one: readonly ConfigEntry[], other: readonly ConfigEntry[]): boolean {
  return one.length === other.length &&
    one.every((entry, index) => settingOf(entry) === settingOf(other[index]!));
}

/** Names of settings that one list holds and the other does not, each once. */
function difference(one: readonly ConfigEntry[], other: readonly ConfigEntry[]): string[] {
  const settings = [one, other].map((list) => new Set(list.map(settingOf)));
  const changed = [...one, ...other].filter((entry) =>
    !settings[0]!.has(settingOf(entry)) || !settings[1]!.has(settingOf(entry))
  );
  return [...new Set((changed.length > 0 ? changed : one).map(configName))];
}

function without(text: string, entries: readonly ConfigEntry[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of entries) {
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
}

/**
 * Judge a change. Settings that are not inert must be the same, in the same order, as before; where they are not, they are
 * taken out and the earlier ones written at the end, and the rest of the change stays. A file that does not parse, or
 * is gone, is put back as a whole.
 */
export function judgeConfig({ before, after, context }: ConfigChange): ConfigVerdict {
  if (before === after) return { kind: "accepted" };
  const whole: ConfigVerdict = { kind: "reverted", text: before, keys: [] };
  const entries = after === null ? null : parseGitConfig(after);
  const known = parseGitConfig(before ?? "");
  if (after === null || entries === null || known === null) return whole;
  const [now, then] = [split(entries, context), split(known, context)];
  if (same(now.active, then.active)) return { kind: "accepted" };
  const rest = without(after, now.active);
  const text = then.active.reduce(
    (sum, entry) => sum + formatEntry(entry),
    rest === "" || rest.endsWith("\n") ? rest : rest + "\n",
  );
  const merged = parseGitConfig(text);
  if (merged === null) return whole;
  const result = split(merged, context);
  if (!same(result.active, then.active) || !same(result.inert, now.inert)) return whole;
  return { kind: "reverted", text, keys: difference(now.active, then.active) };
}
