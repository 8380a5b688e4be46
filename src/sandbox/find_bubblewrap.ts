/** Whether bubblewrap can be used on this host: its program, who could change it, and whether the kernel lets it work. */
import { findWritableFile } from "../policy/writable_file.ts";
import type { Policy } from "../policy/policy.ts";
import { close, open, pipe, read, syscall, waitid } from "./linux/ffi.ts";
import { posixSpawn } from "./linux/posix_spawn.ts";
import { realPath, status } from "./linux/files.ts";
import { OPEN, WAIT } from "./linux/uapi.ts";
import { dirname } from "node:path/posix";

/** What was found. */
export type Bubblewrap =
  | { readonly kind: "available"; readonly path: string }
  | {
    readonly kind: "unavailable";
    readonly reason: string;
    /** What would make it available. */
    readonly remedy: string;
  };

/** Where packages put it. */
const PLACES = [
  "/usr/bin/bwrap",
  "/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/run/current-system/sw/bin/bwrap",
];
const INSTALL = "install the package bubblewrap";
const OTHERS_WRITE = 0o022;
/** Everything that a jail asks of it; nothing of the host but what `true` needs. */
const TRIAL = [
  ..."--unshare-pid --unshare-ipc --unshare-uts --unshare-net --cap-drop ALL --new-session --die-with-parent"
    .split(" "),
  ..."--ro-bind / / --proc /proc --dev /dev --tmpfs /tmp --remount-ro /dev -- /bin/sh -c".split(
    " ",
  ),
  ":",
];
const MAX_REASON = 300;

/** The program if it and the directories above it belong to root alone. */
function flawOfOwner(path: string): string | null {
  for (let at = path;; at = dirname(at)) {
    const info = status(at, { follow: false });
    if (info === null) return `"${at}" cannot be looked at`;
    // A directory with the sticky bit lets others add entries, never replace this one.
    const sticky = at !== path && (info.mode & 0o1000) !== 0;
    if (info.uid !== 0 || ((info.mode & OTHERS_WRITE) !== 0 && !sticky)) {
      return `others than root can change "${at}"`;
    }
    if (at === "/") return null;
  }
}

/** Run it once. @returns what it complains of, null when it works. */
function complaintOf(path: string): string | null {
  const ends = pipe();
  const idle = open("/dev/null", OPEN.RDWR);
  if (typeof ends === "number" || idle < 0) return "no descriptor is left to try it";
  const fds = [idle, idle, ends.write];
  const pid = posixSpawn({ path, argv: ["bwrap", ...TRIAL], env: {}, cwd: "/", fds });
  close(ends.write);
  close(idle);
  const buffer = new Uint8Array(MAX_REASON);
  const length = pid < 0 ? 0 : Math.max(0, read(ends.read, buffer));
  close(ends.read);
  if (pid < 0) return `it cannot be started (errno ${-pid})`;
  // Blocking: it ends within milliseconds, and the plan depends on it.
  syscall("waitid", WAIT.P_PID, pid, new Uint8Array(128), WAIT.EXITED | WAIT.NOWAIT, 0);
  const end = waitid(WAIT.P_PID, pid, 0);
  if (typeof end === "object" && end?.kind === "exited" && end.code === 0) return null;
  const said = new TextDecoder().decode(buffer.subarray(0, length)).split("\n")[0]?.trim();
  return said || "it fails without a word";
}

/** Look for bubblewrap and try it. Costs about ten milliseconds: ask only where a plan needs it. */
export function findBubblewrap(policy: Policy): Bubblewrap {
  const unavailable = (reason: string, remedy: string): Bubblewrap => ({
    kind: "unavailable",
    reason,
    remedy,
  });
  const found = PLACES.find((place) => realPath(place) !== null);
  const path = found === undefined ? null : realPath(found);
  if (found === undefined || path === null) return unavailable("bwrap is not installed", INSTALL);
  const owner = flawOfOwner(path);
  if (owner !== null) {
    return unavailable(owner, "let root alone own the program and its directories");
  }
  const writable = findWritableFile(policy, [found, path]);
  if (writable !== null) {
    return unavailable(
      `commands may write "${writable.path}"`,
      `do not grant writing where bwrap lies: ${writable.rule.source.file}:${writable.rule.source.line}`,
    );
  }
  const complaint = complaintOf(path);
  return complaint === null ? { kind: "available", path } : unavailable(
    complaint,
    "allow user namespaces (kernel.unprivileged_userns_clone, user.max_user_namespaces, " +
      "kernel.apparmor_restrict_unprivileged_userns; a container needs them from its host)",
  );
}
