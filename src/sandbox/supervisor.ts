/**
 * Answers the calls that a jail's filter hands over, on the main thread: one `poll` on a pool thread waits for all of
 * them, everything else is synchronous. Whatever goes wrong is a refusal.
 */
import type { Acting } from "./acting.ts";
import { Caller, CallError } from "./caller.ts";
import { close, getsid, poll, type PollEntry, read, syscall } from "./linux/ffi.ts";
import { status } from "./linux/files.ts";
import { Gate } from "./linux/gate.ts";
import { type Answer, answer, type Notification, pendingOn, receive } from "./linux/notify.ts";
import { type Architecture, syscallNumbers } from "./linux/syscalls.ts";
import { AUDIT_ARCH, ERRNO, OPEN, POLL } from "./linux/uapi.ts";
import { waitFor } from "./linux/wait.ts";
import { superviseMetadata } from "./supervise_metadata.ts";
import { type Later, type Outcome, superviseSockets } from "./supervise_sockets.ts";
import type { SocketRules } from "./socket_rules.ts";
import type { Refused, Supervision } from "./supervision.ts";
import { superviseWatch } from "./supervise_watch.ts";
import { SUPERVISED } from "./syscall_rules.ts";
import { unprivileged } from "./unprivileged.ts";

/** What one jail's supervisor works with. */
export interface SupervisorOptions {
  /** The filter's listener; the supervisor closes it. */
  readonly listener: number;
  /** The thread that starts the commands. */
  readonly jailTid: number;
  readonly rules: SocketRules;
  readonly supervision: Supervision;
  /** Told of what the supervisor does. */
  readonly acting: Acting;
}

/** Calls answered before the event loop gets a turn: timeouts are kept whatever a command does. */
const BATCH = 32;
/** The same in ms: a call on a file that its caller keeps busy takes long. */
const BATCH_MS = 20;
const METADATA: ReadonlySet<string> = new Set(SUPERVISED.metadata);

/** How often calls that wait are looked at whatever happens, in ms: their callers may have been killed. */
const TICK_MS = 50;
/** Calls that may wait at a time; each holds a descriptor or two, and the shell needs some for itself. */
const MAX_LATER = 128;

interface Waiting extends Pick<Later, "attempt"> {
  readonly caller: Caller;
  readonly entry: PollEntry;
}

/** Nothing that goes wrong may let a call through, nor end the loop that all others wait for. */
function guarded<T>(decide: () => T): T | Answer {
  try {
    return decide();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Answer {
  return error instanceof CallError ? -error.errno : -ERRNO.EPERM;
}

/** False once the thread has ended: processes of its jail may go on, and one of them may get its id. */
function isOwnThread(tid: number): boolean {
  return status(`/proc/self/task/${tid}`, { follow: false }) !== null;
}

/** Serves one listener until no thread is left behind it. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #wake: number;
  readonly #gate: Gate;
  /** That of this process, which nobody in the jail can be in but what its thread has just made. */
  readonly #session = getsid(0);
  readonly #names: ReadonlyMap<number, string>;
  readonly #done: Promise<void>;
  /** Calls that wait for something. */
  readonly #later = new Set<Waiting>();
  #promised = 0;
  /** Calls that wait for the end of a start. */
  #postponed: Notification[] = [];
  #starting = false;
  #stopped = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#gate = new Gate(options.listener);
    this.#wake = syscall("eventfd2", 0, OPEN.CLOEXEC | OPEN.NONBLOCK);
    const numbers = syscallNumbers(Deno.build.arch);
    const supervised = Object.values(SUPERVISED).flat();
    this.#names = new Map(supervised.flatMap((name) => {
      const number = numbers.get(name);
      return number === undefined ? [] : [[number, name]];
    }));
    const forget = options.supervision.endLater(() => this.close());
    this.#done = this.#serve().finally(() => {
      forget();
      this.#stopped = true;
      this.#gate[Symbol.dispose]();
      close(options.listener);
      close(this.#wake);
    });
  }

  /** Stop serving: the kernel then answers what still waits, and all later calls, with ENOSYS. */
  close(): Promise<void> {
    if (!this.#stopped) {
      this.#stopped = true;
      this.#wakeUp();
    }
    return this.#done;
  }

  /**
   * Wait on this thread until a descriptor can be read, and answer calls meanwhile: without the pool thread and the turns
   * of the event loop that each call costs otherwise. Until `goOn` only calls of the jail's thread and of what it starts
   * are answered: any other could hold this thread up, while that one waits for its child and cannot look after it.
   *
   * @param mostMs after this time it is left to the event loop, whatever commands do.
   * @returns false when the time is over before.
   */
  serveUntil(fd: number, mostMs: number): boolean {
    const until = performance.now() + mostMs;
    this.#starting = true;
    let listener = this.#stopped ? -1 : this.#options.listener;
    if (listener >= 0) this.#gate.shut();
    try {
      for (let left = mostMs; left > 0; left = until - performance.now()) {
        const [ready, calls] = waitFor(fd, listener, left);
        if (ready) return true;
        if (calls & POLL.IN) this.#answerNext();
        else if (calls) listener = -1;
      }
      return false;
    } finally {
      if (!this.#stopped) this.#gate.open();
    }
  }

  /** The jail's thread has answered: all calls are served again. */
  goOn(): void {
    this.#starting = false;
    if (this.#postponed.length > 0 && !this.#stopped) this.#wakeUp();
  }

  #wakeUp(): void {
    syscall("write", this.#wake, new BigUint64Array([1n]), 8);
  }

  async #serve(): Promise<void> {
    const calls: PollEntry = { fd: this.#gate.fd, ready: false };
    const woken: PollEntry = { fd: this.#wake, ready: false };
    while (!this.#stopped) {
      const later = [...this.#later];
      await poll(
        [calls, woken, ...later.map(({ entry }) => entry)],
        later.length > 0 ? TICK_MS : -1,
      );
      if (woken.ready) read(this.#wake, new Uint8Array(8));
      if (this.#stopped) break;
      this.#attemptAll(later);
      if (!this.#answerBatch()) break;
      this.#answerPostponed();
    }
    for (const { caller } of this.#later) caller[Symbol.dispose]();
  }

  /** @returns false when no thread is left that could call. */
  #answerBatch(): boolean {
    const { listener } = this.#options;
    const until = performance.now() + BATCH_MS;
    for (let count = 0; count < BATCH && performance.now() < until; count++) {
      const state = pendingOn(listener);
      if (state !== "call") return state !== "over";
      this.#answerNext();
    }
    return true;
  }

  /** There must be one. */
  #answerNext(): void {
    const notification = receive(this.#options.listener);
    if (typeof notification === "number") return;
    if (this.#starting && !this.#isOfStart(notification)) this.#postponed.push(notification);
    else this.#dispatch(notification);
  }

  /** What a thread does that starts a program, and the program's process before it executes it. */
  #isOfStart(notification: Notification): boolean {
    return notification.tid === this.#options.jailTid || this.#nameOf(notification) === "setsid";
  }

  #answerPostponed(): void {
    const until = performance.now() + BATCH_MS;
    let done = 0;
    while (done < this.#postponed.length && !this.#starting && performance.now() < until) {
      this.#dispatch(this.#postponed[done++]!);
    }
    this.#postponed = this.#postponed.slice(done);
    if (this.#postponed.length > 0 && !this.#starting) this.#wakeUp();
  }

  #dispatch(notification: Notification): void {
    const { listener, acting } = this.#options;
    const caller = new Caller(listener, notification);
    const outcome = guarded(() => acting.during(() => this.#decide(caller, notification)));
    if (typeof outcome !== "object") return this.#answer(caller, outcome);
    if (outcome instanceof Promise) {
      this.#promised++;
      outcome.catch(refusalOf).then((given) => {
        this.#promised--;
        this.#answer(caller, given);
      });
      return;
    }
    const { fd, attempt } = outcome;
    this.#later.add({ caller, attempt, entry: { fd, events: POLL.OUT, ready: false } });
  }

  #answer(caller: Caller, given: Answer): void {
    // A listener that is closed may be another file by now.
    if (!this.#stopped) answer(this.#options.listener, caller.id, given);
    caller[Symbol.dispose]();
  }

  /** Those that were looked at longest ago come first: the time of one turn may not be enough for all. */
  #attemptAll(waiting: readonly Waiting[]): void {
    const until = performance.now() + BATCH_MS;
    for (const one of waiting) {
      this.#attempt(one);
      if (performance.now() >= until) return;
    }
  }

  /** Look at a call again that could not be answered at once. */
  #attempt(one: Waiting): void {
    const { acting } = this.#options;
    const attempt = () => acting.during(() => unprivileged(one.attempt));
    const given = one.caller.isWaiting ? guarded(attempt) : -ERRNO.EINTR;
    this.#later.delete(one);
    if (given === null) this.#later.add(one);
    else this.#answer(one.caller, given);
  }

  #nameOf({ arch, number }: Notification): string | null {
    if (arch !== AUDIT_ARCH[Deno.build.arch as Architecture]) return null;
    return this.#names.get(number) ?? null;
  }

  #decide(caller: Caller, notification: Notification): Outcome {
    const name = this.#nameOf(notification);
    if (name === null || caller.tid === 0) throw new CallError(ERRNO.EPERM);
    if (name === "setsid") return this.#newSession(caller);
    const { rules, supervision, jailTid } = this.#options;
    const { args } = notification;
    const { grants } = rules;
    const refuse = (refused: Refused) => supervision.refuse(refused, caller.tid);
    if (name === "inotify_add_watch") {
      return unprivileged(() => superviseWatch({ caller, args, grants, refuse }));
    }
    if (METADATA.has(name)) {
      return unprivileged(() => superviseMetadata(name, { caller, args, grants, refuse }));
    }
    // Its own, on a command's behalf; what it points at lies in this process.
    if (name === "bind" && caller.tid === jailTid && isOwnThread(jailTid)) return "continue";
    if (this.#later.size + this.#promised >= MAX_LATER) throw new CallError(ERRNO.EAGAIN);
    return unprivileged(() => superviseSockets(name, { caller, args, rules, supervision }));
  }

  /** `setsid` has no argument that could change, so it may go on by itself. */
  #newSession(caller: Caller): Answer {
    const { onChild, processes } = this.#options.supervision;
    if (!this.#isNewChild(caller)) processes.makesSession(caller.process);
    else {
      processes.born(caller.tid);
      onChild?.(caller.tid);
    }
    return "continue";
  }

  /**
   * True for a process that the jail's thread has just made and that has executed nothing yet: it is in the shell's
   * session still. All that commands make begins in a session of theirs, and none can be entered from outside, setsid(2).
   */
  #isNewChild(caller: Caller): boolean {
    const session = getsid(caller.tid);
    // Who cannot be told to be a command would go without its bounds.
    if (session < 0 || this.#session < 0) throw new CallError(ERRNO.EPERM);
    if (session !== this.#session) return false;
    caller.assertWaiting();
    return true;
  }
}
