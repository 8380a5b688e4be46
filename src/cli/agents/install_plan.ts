/** What an installation, or taking it back, would write: worked out from texts, before anything is written. */
import { reasonOf } from "../../errors.ts";
import type { AgentChanges, FileChanges, Link } from "./agent_changes.ts";
import { assignmentOf, reversalOf } from "./config_change.ts";
import { assignInText, type ConfigFormat, readConfig } from "./config_text.ts";
import type { LedgerEntry, LedgerFile } from "./install_ledger.ts";

/** One file as it is and as it is to be; null is no file. */
export interface FilePlan {
  readonly path: string;
  readonly now: string | null;
  readonly text: string | null;
}

/** What is to be written. */
export interface InstallPlan {
  readonly files: readonly FilePlan[];
  readonly links: readonly Link[];
  readonly removedLinks: readonly Link[];
  /** What will be known of it afterwards; null when nothing is installed then. */
  readonly entry: LedgerEntry | null;
}

/** The texts that there are, by path. */
export type Reader = (path: string) => string | null;

function named<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = reasonOf(error);
    throw new Error(`Cannot change "${path}": ${reason}`);
  }
}

function changedText(text: string, { changes, format }: FileChanges): string {
  return changes.reduce((current, change) => {
    const assignment = assignmentOf(readConfig(current, format), change);
    return assignment === null ? current : assignInText(current, { assignment, format });
  }, text);
}

/** The text without what was installed: the old bytes where nobody touched it, else all but what was changed. */
function revertedText(file: LedgerFile, now: string | null): string | null {
  if (now === file.after || now === file.before) return file.before;
  if (now === null) throw new Error("it was removed since");
  const format: ConfigFormat = file.format;
  const before = readConfig(file.before ?? "", format);
  const after = readConfig(file.after, format);
  return file.changes.toReversed().reduce((text, { kind, path, value }) => {
    const versions = { before, after, now: readConfig(text, format) };
    const assignment = reversalOf(versions, { kind, path, value });
    return assignment === null ? text : assignInText(text, { assignment, format });
  }, now);
}

function reverted(entry: LedgerEntry, read: Reader): readonly FilePlan[] {
  return entry.files.map((file) => {
    const now = read(file.path);
    return { path: file.path, now, text: named(file.path, () => revertedText(file, now)) };
  });
}

/** Take back what was installed. @throws {Error} naming what others changed since. */
export function planUndo(entry: LedgerEntry, read: Reader): InstallPlan {
  return { files: reverted(entry, read), links: [], removedLinks: entry.links, entry: null };
}

/** Everything that says what to install. */
export interface Installation extends AgentChanges, Pick<LedgerEntry, "agent" | "mode"> {}

/**
 * Install, in place of what was installed before.
 *
 * @throws {Error} naming the file and the key that cannot be changed.
 */
export function planInstall(
  wanted: Installation,
  { previous, read }: { readonly previous: LedgerEntry | null; readonly read: Reader },
): InstallPlan {
  const now = wanted.files.map((file) => ({ path: file.path, now: read(file.path) }));
  const satisfied = wanted.files.every((file, index) => {
    const text = now[index]?.now ?? null;
    return text !== null && named(file.path, () => changedText(text, file)) === text;
  });
  if (previous?.mode === wanted.mode && satisfied) {
    const files = now.map((file) => ({ ...file, text: file.now }));
    return { files, links: wanted.links, removedLinks: [], entry: previous };
  }
  const cleared = previous === null ? [] : reverted(previous, read);
  const files = wanted.files.map((file) => {
    const known = cleared.find(({ path }) => path === file.path);
    const now = known === undefined ? read(file.path) : known.now;
    const before = known === undefined ? now : known.text;
    const after = named(file.path, () => changedText(before ?? "", file));
    return { ...file, now, before, after };
  });
  const others = cleared.filter(({ path }) => !files.some((file) => file.path === path));
  const kept = files.map(({ path, format, before, after, changes }) => ({
    path,
    format,
    before,
    after,
    changes: [...changes].map(({ kind, path, value }) => ({ kind, path: [...path], value })),
  }));
  return {
    files: [...others, ...files.map(({ path, now, after }) => ({ path, now, text: after }))],
    links: wanted.links,
    removedLinks: (previous?.links ?? []).filter(({ path }) =>
      !wanted.links.some((link) => link.path === path)
    ),
    entry: {
      version: 1,
      agent: wanted.agent,
      mode: wanted.mode,
      files: kept,
      links: [...wanted.links],
    },
  };
}
