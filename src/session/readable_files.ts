/** Files that suggestions may be made from: only what a command itself could read, looked at without following a link. */
import { basename, dirname } from "node:path/posix";
import type { ReadableFiles } from "../feedback/rules/rule.ts";
import { decidePath } from "../policy/match.ts";
import { refusedPath } from "../sandbox/denials.ts";
import type { Plan } from "../sandbox/plan.ts";
import { close } from "../sandbox/linux/ffi.ts";
import {
  fromByteText,
  LIST,
  listEntries,
  LOOKUP,
  readBeneath,
  toByteText,
} from "../sandbox/linux/beneath.ts";
import { openResolved, realPath } from "../sandbox/linux/files.ts";
import type { SessionContext } from "./session_context.ts";

/** Bytes of a file: a package.json with more is not one to be parsed while an agent waits. */
const MAX_BYTES = 262_144;
/** Names of a directory. */
const MAX_NAMES = 20_000;
/** Directories and files that one command's suggestions look at, whatever rules ask for. */
const MAX_LOOKS = 400;

/**
 * A view for the suggestions after one command. The shell is no deputy: every path must be one that the plan lets
 * commands read, no component may be a link when it is opened, and only regular files are read.
 */
export function readableFiles({ jail }: Pick<SessionContext, "jail">): ReadableFiles {
  const listed = new Map<string, readonly string[] | null>();
  let looks = 0;
  const reached = (path: string): string | null => {
    if (looks++ >= MAX_LOOKS || path.includes("\0")) return null;
    const real = realPath(path);
    return real === null || !mayRead(jail.plan, real) ? null : real;
  };
  return {
    names(directory) {
      const known = listed.get(directory);
      if (known !== undefined) return known;
      const real = reached(directory);
      const names = real === null ? null : namesIn(real);
      listed.set(directory, names);
      return names;
    },
    text(path) {
      const real = reached(path);
      return real === null ? null : textIn(real);
    },
  };
}

/** What `/proc/self` and its like say is about Debrief itself, not about the command. */
const KERNEL = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Whether both the plan and the policy grant it: a deny counts here also where the jail could not be told of it yet. */
function mayRead(plan: Plan, path: string): boolean {
  return !KERNEL.test(path) && refusedPath(plan, { permission: "read", path }) === null &&
    decidePath(plan.policy, { permission: "read", path }).allowed;
}

function namesIn(directory: string): readonly string[] | null {
  const fd = openResolved(directory, LIST);
  if (fd < 0) return null;
  try {
    let left = MAX_NAMES;
    return listEntries(fd, { wanted: () => left-- > 0 })?.map(({ name }) => fromByteText(name)) ??
      null;
  } finally {
    close(fd);
  }
}

function textIn(path: string): string | null {
  const directory = openResolved(dirname(path), LOOKUP);
  if (directory < 0) return null;
  try {
    const bytes = readBeneath(directory, toByteText(basename(path)), MAX_BYTES);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  } finally {
    close(directory);
  }
}
