/** Which backend builds the jail, and why. */
import { coversPath } from "../policy/match.ts";
import type { Policy } from "../policy/policy.ts";
import { isSocket } from "../policy/socket_entry.ts";
import type { Bubblewrap } from "./find_bubblewrap.ts";
import type { Host } from "./host.ts";
import { REQUIRED_ABI } from "./landlock_abi.ts";
import { DeniedPaths, deniesBelowWritable } from "./plan_paths.ts";

/** What builds a jail. */
export type BackendKind = "kernel" | "bubblewrap" | "none";

/** The choice with its reason. */
export interface Backend {
  readonly kind: BackendKind;
  /** Why it was chosen, in words. */
  readonly reason: string;
  /** The program `bwrap`, null for another backend and where it cannot be used. */
  readonly program: string | null;
  /** Why the backend that was asked for by name cannot be used, and what would help; null when it can. */
  readonly flaw: string | null;
}

/** Directories whose private form only bubblewrap makes. */
export const PRIVATE_DEVICES = ["/dev/shm", "/dev/pts"];

/** Why a plan would be better off with bubblewrap, in words; null when it would not. */
function needOf(policy: Policy, host: Host, denied: DeniedPaths): string | null {
  for (const rule of [...policy.write.allow, ...policy.read.allow]) {
    const needed = PRIVATE_DEVICES.find((directory) => coversPath(directory, rule.pattern));
    if (needed !== undefined) return `"${rule.written}" gets a private ${needed}`;
  }
  if (deniesBelowWritable(policy, denied)) return "something is denied inside a writable directory";
  if (!host.supervision) return "the kernel has no supervision of system calls";
  return host.landlockAbi < REQUIRED_ABI ? `Landlock ABI ${host.landlockAbi} is too old` : null;
}

/** True where bubblewrap could not keep what the policy says and the kernel can. */
function needsKernel({ net }: Policy): boolean {
  return net.allow.some(({ pattern }) => pattern !== "*") ||
    (net.allow.length > 0 && net.deny.some(({ pattern }) => !isSocket(pattern)));
}

/**
 * Choose the backend.
 *
 * @param find looks for bubblewrap; called only where it matters, because it costs a process.
 */
export function chooseBackend(
  policy: Policy,
  { host, find, denied = new DeniedPaths(policy) }: {
    readonly host: Host;
    readonly find: () => Bubblewrap;
    readonly denied?: DeniedPaths;
  },
): Backend {
  const named = "the policy names it";
  switch (policy.backend) {
    case "none":
      return { kind: "none", reason: named, program: null, flaw: null };
    case "kernel":
      return { kind: "kernel", reason: named, program: null, flaw: null };
    case "bubblewrap": {
      const found = find();
      return found.kind === "available"
        ? { kind: "bubblewrap", reason: named, program: found.path, flaw: null }
        : { kind: "bubblewrap", reason: named, program: null, flaw: flawOf(found) };
    }
    case "auto": {
      const need = needOf(policy, host, denied);
      const kernel = { kind: "kernel", program: null, flaw: null } as const;
      if (need === null) return { ...kernel, reason: "no rule needs another" };
      if (needsKernel(policy)) return { ...kernel, reason: "net by host or socket needs it" };
      const found = find();
      return found.kind === "available"
        ? { kind: "bubblewrap", reason: need, program: found.path, flaw: null }
        : { ...kernel, reason: `${need}, but bubblewrap cannot be used: ${flawOf(found)}` };
    }
  }
}

function flawOf({ reason, remedy }: Extract<Bubblewrap, { kind: "unavailable" }>): string {
  return `${reason} (${remedy})`;
}
