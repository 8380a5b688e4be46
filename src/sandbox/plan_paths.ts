/** The part of a plan that is about files: what is granted, and what became of each rule. */
import { coversPath } from "../policy/match.ts";
import type { Policy, Rule } from "../policy/policy.ts";
import { findWritableFile } from "../policy/writable_file.ts";
import { Exclusions } from "./exclusions.ts";
import { grantTree, type Watched } from "./grants.ts";
import { realPath } from "./linux/files.ts";
import type { PathGrant } from "./restrict.ts";

/** What a policy says of files, compiled for this host. */
export interface PathPlan {
  readonly grants: readonly PathGrant[];
  readonly watched: readonly Watched[];
  /** What is worth knowing of a rule that grants less than it seems to. */
  readonly notes: ReadonlyMap<Rule, string>;
}

/** Never writable: what lies there are settings of the kernel, not files. */
export const KERNEL_FILES = ["/proc", "/sys"];
/** Writable one by one only, not through a wide grant. */
export const DEVICES = "/dev";
/** Those that a wide grant means nevertheless: writing to them changes nothing. */
const HARMLESS_DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

/**
 * What a permission must leave out. What may not be read may not be written either, nor may entries beside it: renamed
 * or linked, it would be another file for the next plan, which would grant it.
 */
function deniedPaths(policy: Policy, permission: "read" | "write"): readonly string[] {
  const read = policy.read.deny.map((rule) => rule.pattern);
  if (permission === "read") return read;
  return [...read, ...policy.write.deny.map((rule) => rule.pattern), ...KERNEL_FILES];
}

/** True when a link on the way to a path lies where commands may write: they could make it lead anywhere. */
function isMovable(policy: Policy, path: string): boolean {
  const writable = findWritableFile(policy, [path]);
  return writable !== null && writable.path !== realPath(path);
}

/** Why a rule grants less than it seems to, in words; null when it does not. */
function noteOf(
  policy: Policy,
  rule: Rule,
  parts: { readonly path: string; readonly exclusions: Exclusions },
): string | null {
  const { path, exclusions } = parts;
  if (exclusions.covers(path)) return "grants nothing: a deny covers it";
  if (!exclusions.liesBelow(path)) return null;
  const below = [...policy.read.deny, ...rule.permission === "write" ? policy.write.deny : []]
    .find(({ pattern }) => coversPath(path, pattern));
  const what = below ? `"${below.written}" is denied below it` : "it holds what is never granted";
  const created = rule.permission === "write" ? ": nothing new can be created in it" : "";
  return `granted entry by entry, because ${what}${created}`;
}

function compilePaths(
  policy: Policy,
  permission: "read" | "write",
  hidden: readonly string[],
): PathPlan {
  const denied = deniedPaths(policy, permission);
  const narrow = new Exclusions([...denied, ...hidden]);
  const wide = permission === "write" ? new Exclusions([...denied, ...hidden, DEVICES]) : narrow;
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
    if (path !== rule.pattern && isMovable(policy, rule.pattern)) {
      notes.set(rule, "grants nothing: it leads through a link that commands could change");
      continue;
    }
    const exclusions = path === "/" ? wide : narrow;
    const note = noteOf(policy, rule, { path, exclusions });
    if (note !== null) notes.set(rule, note);
    const granted = grantTree(path, {
      exclusions,
      read: permission === "read",
      write: permission === "write",
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

/**
 * Compile what a policy says of files.
 *
 * @param context.hidden paths that no policy can grant.
 * @param context.readable paths that every command may read.
 */
export function planPaths(
  policy: Policy,
  context: { readonly hidden: readonly string[]; readonly readable: readonly string[] },
): PathPlan {
  const read = compilePaths(policy, "read", context.hidden);
  const write = compilePaths(policy, "write", context.hidden);
  const extra = context.readable.flatMap((path) =>
    grantTree(path, { exclusions: new Exclusions([]), read: true, write: false }).paths
  );
  return {
    grants: merge([...read.grants, ...write.grants, ...extra]),
    watched: [...read.watched, ...write.watched],
    notes: new Map([...read.notes, ...write.notes]),
  };
}
