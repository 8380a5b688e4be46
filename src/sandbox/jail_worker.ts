/// <reference lib="deno.worker" />
/**
 * The jail's thread. It restricts itself, proves it, and from then on only starts processes, which inherit the
 * restriction. It waits for each order in the kernel and not in its event loop, whose turns cost a third of a bare start.
 * After restricting it makes no asynchronous file call and imports nothing: a pool thread started from
 * here would be inside the commands' domain, where they could reach it.
 */
import { reasonOf } from "../errors.ts";
import { Acting, LOOK_MS } from "./acting.ts";
import { type Answer, AnswerChannel, type Order } from "./channel.ts";
import { isProgram } from "./find_program.ts";
import { isReadable } from "./host.ts";
import { close, cString, pipe, prctl, type Result, syscall, waitid } from "./linux/ffi.ts";
import { posixSpawn, type PreparedRequest, prepareSpawn, Spawner } from "./linux/posix_spawn.ts";
import { status } from "./linux/files.ts";
import { AT_FDCWD, ERRNO, PR, SUID_DUMP_ROOT, WAIT } from "./linux/uapi.ts";
import type { Architecture } from "./linux/syscalls.ts";
import {
  type FailedReply,
  JAIL_ORDER,
  type RestrictOrder,
  type RestrictReply,
} from "./jail_protocol.ts";
import { cStringAt, textsAt } from "./linux/memory.ts";
import { proveThread, restrictThread } from "./restrict.ts";
import { buildFilter } from "./seccomp.ts";
import { SIGNAL_SCOPE_ABI, startWatchdog } from "./watchdog.ts";

const SIGKILL = 9;
const PROBE_PROVEN = 42;
/**
 * Run by the first child: it must be able to read /dev/null (control), must not be able to open the forbidden file, and
 * must see the restriction on itself. `sh` built-ins only.
 */
const PROBE = `exec 2>&-
: </dev/null || exit 40
(: <"$1") && exit 41
[ -e "$1" ] && (: >>"$1") && exit 43
ok=
while read -r key value rest; do
  case $key in
  NoNewPrivs:) [ "$value" = 1 ] || exit 44 ;;
  Seccomp:) [ "$value" = 2 ] || exit 45; ok=1 ;;
  CapEff:|CapPrm:) [ "$value" = 0000000000000000 ] || exit 46 ;;
  esac
done </proc/self/status
[ -n "$ok" ] && exit ${PROBE_PROVEN}
exit 47`;

/** The watchdog's process id once it was started: also a jail that fails afterwards has one. */
let watchdog: number | null = null;
/** True once signals of this thread are known to stay in its domain. */
let signalsStay = false;

/**
 * A supervisor must be there and refuse what no plan grants: without one this thread, whose user owns the forbidden
 * file, could change its mode. The control is a file that is the caller's own business.
 */
function proveSupervision(forbidden: string): void {
  const found = status(forbidden, { follow: true });
  const refused = syscall("fchmodat", AT_FDCWD, cString(forbidden), found?.mode ?? 0o600);
  if (refused !== -ERRNO.EACCES) {
    throw new Error(`Cannot prove the jail: fchmodat answered ${refused}`);
  }
  const ends = pipe();
  if (typeof ends === "number") throw new Error(`Cannot prove the jail: no pipe (errno ${-ends})`);
  const passed = syscall("fchmod", ends.read, 0o600);
  close(ends.read);
  close(ends.write);
  if (passed !== 0) throw new Error(`Cannot prove the jail: fchmod answered ${passed}`);
}

/**
 * True inside a jail of Debrief's own, whose filter answers this with success and not, as the kernel, with EINVAL. One
 * listener is all that the kernel allows a thread: the outer supervisor then decides about files by its own grants, and
 * this jail has no sockets.
 */
function isInJail(): boolean {
  return prctl(PR.SET_DUMPABLE, SUID_DUMP_ROOT) === 0;
}

function restrict(order: RestrictOrder): RestrictReply {
  if (order.landlockAbi > 0 && !isReadable(order.forbidden)) {
    // What cannot be opened anyway would prove nothing.
    throw new Error(`Cannot prove the jail: "${order.forbidden}" cannot be opened without it`);
  }
  const { watchdogInput } = order;
  const watched = watchdogInput !== null && order.landlockAbi >= SIGNAL_SCOPE_ABI;
  const jailTid = syscall("gettid");
  const supervised = order.supervised && !isInJail();
  const startBeside = () => watchdog = startWatchdog(watchdogInput!);
  const restriction = {
    ...order,
    supervised,
    filter: buildFilter({
      architecture: Deno.build.arch as Architecture,
      net: order.net,
      supervised,
      announced: order.announced ?? true,
      shellPid: order.shellPid,
      jailTid,
    }),
  };
  const listener = restrictThread(restriction, watched ? startBeside : null);
  const proof = proveThread();
  signalsStay = watched;
  if (listener !== null) {
    // Before the next call of this thread that is supervised, or nobody would answer it.
    self.postMessage({ kind: "supervised", listener, jailTid } satisfies RestrictReply);
  }
  const pid = posixSpawn({
    path: "/bin/sh",
    // Without Landlock (a best-effort policy) no file is out of reach; the rest must still hold.
    argv: ["sh", "-c", PROBE, "probe", order.landlockAbi > 0 ? order.forbidden : "/nonexistent"],
    env: {},
    cwd: "/",
    fds: [0, 1, 2],
  });
  if (pid < 0) throw new Error(`Cannot prove the jail: probe child not started (errno ${-pid})`);
  // Blocking: this thread has nothing else to do, and the probe ends within a millisecond.
  syscall("waitid", WAIT.P_PID, pid, new Uint8Array(128), WAIT.EXITED | WAIT.NOWAIT, 0);
  const status = waitid(WAIT.P_PID, pid, 0);
  const code = typeof status === "object" && status?.kind === "exited" ? status.code : -1;
  if (code !== PROBE_PROVEN) throw new Error(`Cannot prove the jail: probe child answered ${code}`);
  if (listener !== null) proveSupervision(order.forbidden);
  return { kind: "restricted", proof, tid: jailTid, watchdog };
}

type Operands = Order["operands"];

function requestOf(operands: Operands): PreparedRequest {
  const [path = 0n, argv = 0n, env = 0n, cwd = 0n, place = 0n, ...fds] = operands;
  return { path, argv, env, cwd, place, fds };
}

/** As execvp(3): a program that may not be executed is passed over, and named when there is no other. */
function search([length = 0n, ...operands]: Operands, spawner: Spawner): Answer {
  const request = requestOf(operands);
  const cwd = cStringAt(request.cwd);
  let refused = -1;
  for (const [index, { text, address: path }] of textsAt(request.path, Number(length)).entries()) {
    if (!isProgram(text, cwd)) continue;
    const result = spawner.spawn({ ...request, path });
    if (result !== -ERRNO.EACCES) return { result, index };
    if (refused < 0) refused = index;
  }
  return { result: refused < 0 ? -ERRNO.ENOENT : -ERRNO.EACCES, index: refused };
}

function bind([fd = -1n, cwd = -1n, umask = 0n, address = 0n, length = 0n]: Operands): Result {
  const moved = syscall("fchdir", cwd);
  if (moved < 0) return moved;
  const own = syscall("umask", umask);
  const result = syscall("bind", fd, address, length);
  syscall("umask", own);
  syscall("chdir", cString("/"));
  return result;
}

function carryOut({ code, operands }: Order, spawner: Spawner): Answer {
  switch (code) {
    case JAIL_ORDER.SPAWN:
      return { result: spawner.spawn(requestOf(operands)), index: 0 };
    case JAIL_ORDER.SEARCH:
      return search(operands, spawner);
    case JAIL_ORDER.BIND:
      return { result: bind(operands), index: 0 };
    case JAIL_ORDER.KILL:
      if (signalsStay) killAll();
      return { result: 0, index: 0 };
    default:
      return { result: -ERRNO.ENOSYS, index: 0 };
  }
}

/** Every process that it may signal: those of its domain, without the calling process itself. */
function killAll(): void {
  syscall("kill", -1, SIGKILL);
}

function failure(error: unknown): FailedReply {
  return { kind: "failed", message: reasonOf(error), watchdog };
}

/** Wait for an order, and look after the main thread meanwhile: what holds it up for seconds is ended. */
function nextOrder(
  channel: AnswerChannel,
  { acting, lookMs }: { readonly acting: Acting; readonly lookMs: number },
): Order | null {
  while (signalsStay && !channel.wait(lookMs)) {
    if (acting.look()) killAll();
  }
  return channel.receive();
}

/** Carry orders out, one after another, until the other end is closed. */
function serve(channel: AnswerChannel, order: RestrictOrder): void {
  const looks = { acting: new Acting(order.acting), lookMs: order.lookMs ?? LOOK_MS };
  using spawner = new Spawner();
  const next = () => nextOrder(channel, looks);
  for (let order = next(); order !== null; order = next()) {
    channel.send(carryOut(order, spawner));
  }
}

// While the order is being prepared: later there is no time, and once restricted nothing more is opened.
prepareSpawn();

self.onmessage = ({ data: order }: MessageEvent<RestrictOrder>) => {
  let reply: RestrictReply;
  try {
    reply = restrict(order);
  } catch (error) {
    return self.postMessage(failure(error));
  }
  self.postMessage(reply);
  const channel = new AnswerChannel(order.channel);
  try {
    serve(channel, order);
  } finally {
    channel.close();
    self.close();
  }
};
