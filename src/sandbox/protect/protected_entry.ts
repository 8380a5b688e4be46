/** One protected path: what it was, and what to make of what it has become. */
import { resolve } from "node:path/posix";
import { type ByteText, fromByteText } from "../linux/beneath.ts";
import { ABSENT, type FileState, sameState } from "./file_state.ts";
import type { KeyContext } from "./git_keys.ts";
import { judgeConfig } from "./judge_config.ts";

/**
 * How a path is judged: `tree` as a whole; `hooks` but for samples, which git never runs; `profiles` by what in it is
 * evaluated; `config` by key; `git` is the `.git` of a working tree, and `commondir` the file by which a worktree's own
 * directory names the repository's.
 */
export type ProtectedKind = "tree" | "hooks" | "profiles" | "config" | "git" | "commondir";

/** A protected path beneath a root. */
export interface ProtectedEntry {
  readonly kind: ProtectedKind;
  readonly path: ByteText;
  /** The directory without which the path does not matter: the repository's own, or the one that names are protected in. */
  readonly holder: ByteText;
  /** What it has to be; changed by `accept`ed changes. */
  state: FileState;
}

/** What to do about a changed path. */
export type Verdict =
  | { readonly kind: "accepted"; readonly gitDirectory: string | null }
  | { readonly kind: "reverted"; readonly state: FileState; readonly what: string };

/** What verdicts depend on besides the path itself. */
export interface JudgeContext {
  /** The root's absolute path. */
  readonly root: string;
  readonly isWritable: (path: string) => boolean;
  /** True for a directory that a `.git` file may name. */
  readonly mayName: (gitDirectory: string) => boolean;
}

const ACCEPTED: Verdict = { kind: "accepted", gitDirectory: null };
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Names in a protected directory that do not matter: nothing runs them. Null where all do. */
export function ignoredNames(kind: ProtectedKind): ((name: ByteText) => boolean) | null {
  if (kind === "hooks") return (name) => name.endsWith(".sample");
  return kind === "profiles" ? (name) => !name.endsWith(".rc") : null;
}

/** The text of a file, null for anything else. */
export function textOf(state: FileState): string | null {
  if (state.kind !== "file") return null;
  try {
    return decoder.decode(state.bytes);
  } catch {
    return null;
  }
}

function revertTo(state: FileState, what = ""): Verdict {
  return { kind: "reverted", state, what };
}

/** Judge what a path is now. */
export function judge(entry: ProtectedEntry, now: FileState, context: JudgeContext): Verdict {
  switch (entry.kind) {
    case "tree":
      return sameState(entry.state, now) ? ACCEPTED : revertTo(entry.state);
    case "hooks":
    case "profiles":
      return judgeHooks(entry.state, now);
    case "config":
      return judgeConfiguration(entry, now, context);
    case "git":
      return judgeGit(entry, now, context);
    case "commondir":
      return judgeCommonDirectory(entry, now);
  }
}

/** No hooks at all, whether there is a directory for them or not. */
function withoutHooks(state: FileState): boolean {
  return state.kind === "absent" || (state.kind === "directory" && state.entries.size === 0);
}

function judgeHooks(before: FileState, now: FileState): Verdict {
  if (sameState(before, now) || (withoutHooks(before) && withoutHooks(now))) return ACCEPTED;
  const emptied = before.kind === "absent" && now.kind === "directory";
  return revertTo(emptied ? { ...now, entries: new Map() } : before);
}

function judgeConfiguration(entry: ProtectedEntry, now: FileState, context: JudgeContext): Verdict {
  const { state: before } = entry;
  // A link that the user has made is theirs; what it leads to is judged where it lies.
  if (before.kind === "link") return sameState(before, now) ? ACCEPTED : revertTo(before);
  const [then, after] = [textOf(before), textOf(now)];
  if (then === null && before.kind === "file") {
    return sameState(before, now) ? ACCEPTED : revertTo(before);
  }
  if (after === null && now.kind !== "absent") return revertTo(before);
  const gitDirectory = resolve(context.root, fromByteText(entry.holder));
  const keys: KeyContext = { gitDirectory, isWritable: context.isWritable };
  const verdict = judgeConfig({ before: then, after, context: keys });
  if (verdict.kind === "accepted") return ACCEPTED;
  if (verdict.text === null) return revertTo(ABSENT);
  const bytes = new TextEncoder().encode(verdict.text);
  const file = before.kind === "file" ? before : now.kind === "file" ? now : null;
  return file === null ? revertTo(before) : revertTo({ ...file, bytes }, verdict.keys.join(", "));
}

/** The directory that a `.git` file names, null when it names none. */
export function gitDirectoryOf(text: string, holder: string): string | null {
  const target = /^gitdir: ([^\n\r\0]+)\r?\n?$/.exec(text)?.[1];
  return target === undefined ? null : resolve(holder, target);
}

/** A repository's own directory, and places in it where its programs or further ones lie. */
const OWN_PLACE = /(?:^|\/)\.git(?:\/(?:hooks|info|modules|worktrees)(?:\/.*)?)?$/;

function judgeGit(entry: ProtectedEntry, now: FileState, context: JudgeContext): Verdict {
  const { state: before } = entry;
  const holder = resolve(context.root, fromByteText(entry.holder));
  if (now.kind === "absent") return ACCEPTED;
  // A checkout of a repository whose working tree is another's own directory would write that one's hooks.
  if (OWN_PLACE.test(entry.holder) && before.kind !== now.kind) return revertTo(ABSENT);
  if (now.kind === "directory") return { kind: "accepted", gitDirectory: resolve(holder, ".git") };
  const same = sameState(before, now);
  const text = textOf(now);
  const gitDirectory = text === null ? null : gitDirectoryOf(text, holder);
  if (same || (gitDirectory !== null && context.mayName(gitDirectory))) {
    return { kind: "accepted", gitDirectory };
  }
  return revertTo(before.kind === "file" || before.kind === "link" ? before : ABSENT);
}

function judgeCommonDirectory(entry: ProtectedEntry, now: FileState): Verdict {
  if (sameState(entry.state, now) || now.kind === "absent") return ACCEPTED;
  const worktree = /^(?:(.*)\/)?worktrees\/[^/]+$/.exec(entry.holder);
  const target = textOf(now)?.replace(/\n$/, "");
  if (worktree && target && !target.includes("\n")) {
    const holder = resolve("/", fromByteText(entry.holder));
    const meant = resolve("/", fromByteText(worktree[1] ?? ""));
    if (resolve(holder, target) === meant) return ACCEPTED;
  }
  return revertTo(entry.state);
}
