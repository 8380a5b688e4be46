/** The part of a plan that is about files: what is granted, and what became of each rule. */
import { coversPath } from "../policy/match.ts";
import type { Policy, Rule } from "../policy/policy.ts";
import { findWritableFile, type WritableFile, writableFinder } from "../policy/writable_file.ts";
import { type Covering, coveringOf, NO_COVERING } from "./covers.ts";
import { Exclusions } from "./exclusions.ts";
import { grantTree, type Watched } from "./grants.ts";
import { realPath, status } from "./linux/files.ts";
import { standingPaths } from "./protect/standing_paths.ts";
import type { PathGrant } from "./restrict.ts";

/** What a policy says of files, compiled for this host. */
export interface PathPlan {
  readonly grants: readonly PathGrant[];
  readonly watched: readonly Watched[];
  /** What is worth knowing of a rule that grants less than it seems to. */
  readonly notes: ReadonlyMap<Rule, string>;
  /** Writable directories that are granted whole; only where mounts cover what is denied in them. */
  readonly roots: readonly string[];
  readonly covering: Covering;
}

/** What a plan of files is made from besides the policy. */
export interface PathContext {
  readonly denied: DeniedPaths;
  /** Paths that no policy can grant. */
  readonly hidden: readonly string[];
  /** Paths that every command may read. */
  readonly readable: readonly string[];
  /** Real path of the private directory, in which nothing is protected. */
  readonly temporary?: string;
  /** True where mounts can cover what is denied in a writable directory. */
  readonly covers: boolean;
}

/** Never writable: what lies there are settings of the kernel, not files. */
export const KERNEL_FILES = ["/proc", "/sys"];
/** Writable one by one only, not through a wide grant. */
export const DEVICES = "/dev";
/** Those that a wide grant means nevertheless: writing to them changes nothing. */
const HARMLESS_DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

/**
 * What a policy itself says of files, looked up once while one plan is made.
 *
 * What may not be read may not be written either, nor may entries beside it: renamed or linked, it would be another file
 * for the next plan, which would grant it.
 */
export class DeniedPaths {
  readonly read: Exclusions;
  readonly write: Exclusions;
  readonly #find: ReturnType<typeof writableFinder>;

  /** Reads the file system. */
  constructor(policy: Policy) {
    this.read = new Exclusions(policy.read.deny.map(({ pattern }) => pattern));
    this.write = this.read.with(policy.write.deny.map(({ pattern }) => pattern));
    let found: ReturnType<typeof writableFinder> | null = null;
    this.#find = (paths) => (found ??= writableFinder(policy))(paths);
  }

  /** True when a link on the way to a path lies where commands may write: they could make it lead anywhere. */
  isMovable(path: string): boolean {
    return isLink(this.#find([path]), path);
  }
}

/** True when a link on the way to a path lies where commands may write, for one question. */
export function isMovable(policy: Policy, path: string): boolean {
  return isLink(findWritableFile(policy, [path]), path);
}

/** True for what is on the way to a path and not the file itself. */
function isLink(writable: WritableFile | null, path: string): boolean {
  return writable !== null && writable.path !== realPath(path);
}

/** Why a rule grants less than it seems to, in words; null when it does not. */
function noteOf(
  policy: Policy,
  rule: Rule,
  parts: {
    readonly path: string;
    readonly exclusions: Exclusions;
    readonly covered: (directory: string) => boolean;
  },
): string | null {
  const { path, exclusions, covered } = parts;
  if (exclusions.covers(path)) return "grants nothing: a deny covers it";
  if (!exclusions.liesBelow(path) || covered(path)) return null;
  const below = [...policy.read.deny, ...rule.permission === "write" ? policy.write.deny : []]
    .find(({ pattern }) => coversPath(path, pattern));
  const what = below ? `"${below.written}" is denied below it` : "it holds what is never granted";
  const created = rule.permission === "write" ? ": nothing new can be created in it" : "";
  return `granted entry by entry, because ${what}${created}`;
}

function compilePaths(
  policy: Policy,
  permission: "read" | "write",
  context: {
    readonly denied: DeniedPaths;
    /** What the permission must leave out. */
    readonly narrow: Exclusions;
    readonly covered: (directory: string) => boolean;
  },
): Pick<PathPlan, "grants" | "watched" | "notes"> {
  const { denied, narrow, covered } = context;
  const grants: PathGrant[] = [];
  const watched: Watched[] = [];
  const notes = new Map<Rule, string>();
  if (permission === "write" && policy.write.allow.some((rule) => rule.pattern === "/")) {
    for (const path of HARMLESS_DEVICES) {
      grants.push(...grantTree(path, { exclusions: narrow, read: false, write: true }).paths);
    }
  }
  for (const rule of policy[permission].allow) {
    const path = realPath(rule.pattern);
    if (path === null) {
      notes.set(rule, "grants nothing: it does not exist");
      continue;
    }
    if (path !== rule.pattern && denied.isMovable(rule.pattern)) {
      notes.set(rule, "grants nothing: it leads through a link that commands could change");
      continue;
    }
    const isWide = permission === "write" && path === "/";
    const exclusions = isWide ? narrow.with([DEVICES]) : narrow;
    const note = noteOf(policy, rule, { path, exclusions, covered });
    if (note !== null) notes.set(rule, note);
    const granted = grantTree(path, {
      exclusions,
      read: permission === "read",
      write: permission === "write",
      covered,
    });
    grants.push(...granted.paths);
    watched.push(...granted.watched);
  }
  return { grants, watched, notes };
}

function merge(grants: readonly PathGrant[]): readonly PathGrant[] {
  const merged = new Map<string, PathGrant>();
  for (const grant of grants) {
    const known = merged.get(grant.path);
    merged.set(
      grant.path,
      known
        ? {
          ...grant,
          read: known.read || grant.read,
          write: known.write || grant.write,
          list: known.list || grant.list,
        }
        : grant,
    );
  }
  return [...merged.values()];
}

/** True when a rule of the policy itself denies something inside a directory that another lets commands write. */
export function deniesBelowWritable(policy: Policy, denied: DeniedPaths): boolean {
  const roots = writableRoots(policy, { denied, exclusions: denied.write });
  return roots.some((root) => denied.write.liesBelow(root));
}

/** Real paths of the directories that a policy lets commands write, `/` aside. */
function writableRoots(
  policy: Policy,
  { denied, exclusions }: { readonly denied: DeniedPaths; readonly exclusions: Exclusions },
): readonly string[] {
  const found: string[] = [];
  for (const { pattern } of policy.write.allow) {
    const path = realPath(pattern);
    if (path === null || path === "/" || (path !== pattern && denied.isMovable(pattern))) continue;
    const usable = !exclusions.covers(path) &&
      status(path, { follow: false })?.kind === "directory";
    if (usable) found.push(path);
  }
  return [...new Set(found)];
}

/** Compile what a policy says of files. */
export function planPaths(policy: Policy, context: PathContext): PathPlan {
  const { hidden, denied } = context;
  const unwritable = denied.write.with([...KERNEL_FILES, ...hidden]);
  const roots = context.covers ? writableRoots(policy, { denied, exclusions: unwritable }) : [];
  const covered = (directory: string) => roots.some((root) => coversPath(root, directory));
  const unreadable = denied.read.with(hidden);
  const read = compilePaths(policy, "read", { denied, narrow: unreadable, covered });
  const write = compilePaths(policy, "write", { denied, narrow: unwritable, covered });
  const extra = context.readable.flatMap((path) =>
    grantTree(path, { exclusions: new Exclusions([]), read: true, write: false }).paths
  );
  const kept = context.readable;
  const lasting = roots.filter((root) => root !== context.temporary);
  const covering = context.covers
    ? coveringOf(policy, {
      roots,
      hidden,
      standing: standingPaths(policy, { roots: lasting, kept }),
    })
    : NO_COVERING;
  return {
    grants: merge([...read.grants, ...write.grants, ...extra]),
    watched: [...read.watched, ...write.watched, ...covering.watched],
    notes: new Map([...read.notes, ...write.notes]),
    roots,
    covering,
  };
}
