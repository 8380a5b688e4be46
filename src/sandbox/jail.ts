/** The main thread's side of a jail: one worker, restricted for ever, from which every command is started. */
import { UsageError } from "../errors.ts";
import { Acting } from "./acting.ts";
import { closeEnds, openChannel } from "./channel.ts";
import { programCandidates } from "./find_program.ts";
import {
  type BindOrder,
  type FailedReply,
  JAIL_ORDER,
  type RestrictOrder,
  type RestrictReply,
  type SpawnOrder,
} from "./jail_protocol.ts";
import { type HeldOrder, JailThread } from "./jail_thread.ts";
import { address, stringBlock } from "./linux/memory.ts";
import { SpawnMemory, type SpawnRequest } from "./linux/posix_spawn.ts";
import { ERRNO } from "./linux/uapi.ts";
import { Supervisor } from "./supervisor.ts";
import type { CommandProcesses } from "./command_processes.ts";
import type { Kept } from "./process_tree.ts";
import type { Supervision } from "./supervision.ts";
import type { Proof } from "./restrict.ts";
import { close } from "./linux/ffi.ts";
import { openPipe } from "./open_pipe.ts";
import type { ProofPipe } from "./proof_pipe.ts";
import { SpawnWatch } from "./spawn_watch.ts";
import { Watchdog } from "./watchdog.ts";

/** A jail that could not be proven: nothing may be started. */
export class JailError extends UsageError {
  override name = "JailError";
}

/** How a jail is started. */
export interface JailSettings
  extends Omit<RestrictOrder, "kind" | "watchdogInput" | "channel" | "acting"> {
  /** True for one with a watchdog. */
  readonly watched?: boolean;
  /** Processes that are not commands' and that no command's start may cost; read at each. */
  readonly spared?: Kept;
  /** The session's; without one, and without a supervised order, none. */
  readonly supervision: Supervision;
}

/** What came of an order to start a program. */
export type SpawnReply =
  & (
    | { readonly kind: "spawned"; readonly pid: number; readonly path: string }
    | { readonly kind: "not-spawned"; readonly errno: number; readonly path: string }
    | FailedReply
  )
  & {
    /** Where the process reports its restriction; without it the kernel is asked about the process itself. */
    readonly proof?: ProofPipe;
    /** True when a process of an earlier command held the start up, and all such processes were ended for it. */
    readonly heldUp: boolean;
  };

/** What starts commands. */
export interface CommandJail {
  /** What the kernel reported when it was started. */
  readonly proof: Proof;
  /** False when it can start nothing more. */
  readonly isAlive: boolean;
  readonly watchdog: Watchdog | null;
  /** The thread that starts commands, null where that is the main one. */
  readonly tid: number | null;
  /** True when what a command leaves running can go on until the session ends. */
  readonly keepsJobs: boolean;
  /** Start a program. The descriptors stay open here; close the child's ends afterwards. */
  spawn(order: SpawnOrder): Promise<SpawnReply>;
  /** Kill everything that it has started, where one call can; does not wait. */
  killAll(): void;
  /** End it. Processes that it started are the caller's to end. */
  close(): void;
}

/** A restricted thread. Orders are answered in the order in which they are given. */
export class Jail implements CommandJail {
  readonly keepsJobs = true;
  readonly #thread: JailThread;
  /** What the kernel reported of the restricted thread. */
  readonly proof: Proof;
  /** Ends what the jail has started when the shell is gone; null where signals do not stay in their domain. */
  readonly watchdog: Watchdog | null;
  /** The thread's id. */
  readonly tid: number;
  readonly #spared: Kept;
  readonly #processes: CommandProcesses;
  readonly #memory = new SpawnMemory();

  private constructor(
    thread: JailThread,
    facts: {
      readonly proof: Proof;
      readonly tid: number;
      readonly watchdog: Watchdog | null;
      readonly spared: Kept;
      readonly processes: CommandProcesses;
    },
  ) {
    this.#thread = thread;
    this.proof = facts.proof;
    this.watchdog = facts.watchdog;
    this.tid = facts.tid;
    this.#spared = facts.spared;
    this.#processes = facts.processes;
  }

  /** False once the thread has ended: every order is then answered with `failed`. */
  get isAlive(): boolean {
    return this.#thread.isAlive;
  }

  /** Start an unrestricted worker: loading its code takes as long as planning the jail, so both go on at once. */
  static boot(): Worker {
    return new Worker(new URL("./jail_worker.ts", import.meta.url), {
      type: "module",
      name: "jail",
    });
  }

  /**
   * Restrict a worker for ever.
   *
   * @throws {JailError} when the restriction fails or is not proven; nothing was started then.
   */
  static async start(order: JailSettings, worker = Jail.boot()): Promise<Jail> {
    const { watched = false, spared = new Set<number>(), supervision, ...restriction } = order;
    const pipe = watched ? openPipe() : null;
    const channel = openChannel();
    const acting = new Acting();
    const first = Promise.withResolvers<RestrictReply>();
    let supervisor: Supervisor | null = null;
    worker.onmessage = ({ data }: MessageEvent<RestrictReply>) => {
      if (data.kind !== "supervised") return first.resolve(data);
      const { listener, jailTid } = data;
      supervisor = new Supervisor({ listener, jailTid, rules: restriction, supervision, acting });
    };
    worker.onerror = (event) => {
      event.preventDefault();
      first.resolve({ kind: "failed", message: event.message });
    };
    worker.postMessage(
      {
        kind: "restrict",
        ...restriction,
        watchdogInput: pipe?.read ?? null,
        channel: channel.far,
        acting: acting.memory,
      } satisfies RestrictOrder,
    );
    const reply = await first.promise;
    if (pipe) close(pipe.read);
    const pid = reply.kind === "restricted" || reply.kind === "failed" ? reply.watchdog : null;
    const watchdog = pipe && typeof pid === "number" ? new Watchdog(pid, pipe.write) : null;
    if (pipe && watchdog === null) close(pipe.write);
    if (reply.kind !== "restricted") {
      worker.terminate();
      closeEnds(channel.near, channel.far);
      await watchdog?.end();
      await (supervisor as Supervisor | null)?.close();
      throw new JailError(
        reply.kind === "failed" ? reply.message : "Cannot start the jail: unexpected reply",
      );
    }
    // What the probe has been refused is none of a command's.
    supervision.takeRefused();
    const thread = new JailThread(channel.near, supervisor);
    worker.onerror = (event) => {
      event.preventDefault();
      thread.end(`Cannot use the jail: its thread ended (${event.message})`);
    };
    const { processes } = supervision;
    const jail = new Jail(thread, { ...reply, watchdog, spared, processes });
    supervision.bindInJail = (order) => jail.bind(order);
    return jail;
  }

  /** Bind a unix socket from within the jail. @returns 0, or the negative errno. */
  async bind({ fd, cwd, umask, address: bytes }: BindOrder): Promise<number> {
    const operands = [fd, cwd, umask, address(bytes), bytes.length].map(BigInt);
    const answer = await this.#thread.order(() => ({
      code: JAIL_ORDER.BIND,
      operands,
      memory: bytes,
    }));
    return answer.kind === "answered" ? answer.result : -ERRNO.EACCES;
  }

  /** Start a program in the jail. The descriptors stay open here; close the child's ends afterwards. */
  async spawn({ searchPath, ...request }: SpawnOrder): Promise<SpawnReply> {
    const [name = ""] = request.argv;
    const paths = programCandidates({ name, searchPath });
    let watch: SpawnWatch | null = null;
    const parts = { spared: this.#spared, awaited: this.#processes.awaited };
    const answer = await this.#thread.order(
      () => paths.length === 1 ? this.#one(paths[0]!, request) : this.#search(paths, request),
      () => watch = new SpawnWatch(this.tid, parts),
    );
    const heldUp = (watch as SpawnWatch | null)?.ended ?? false;
    if (answer.kind === "failed") return { ...answer, heldUp };
    const { result, index } = answer;
    const path = paths[index] ?? name;
    return result < 0
      ? { kind: "not-spawned", errno: -result, path, heldUp }
      : { kind: "spawned", pid: result, path, heldUp };
  }

  #one(file: string, request: Omit<SpawnRequest, "path">): HeldOrder {
    const { path, argv, env, cwd, place, fds, memory } = this.#memory.prepare({
      ...request,
      path: file,
    });
    return { code: JAIL_ORDER.SPAWN, operands: [path, argv, env, cwd, place, ...fds], memory };
  }

  #search(paths: readonly string[], request: Omit<SpawnRequest, "path">): HeldOrder {
    const { operands: [, ...others], memory } = this.#one("", request);
    const list = new TextEncoder().encode(stringBlock(paths));
    return {
      code: JAIL_ORDER.SEARCH,
      operands: [BigInt(list.length), address(list), ...others],
      memory: [list, memory],
    };
  }

  /** Kill everything that the jail has started, in one call where signals stay in their domain. */
  killAll(): void {
    this.#thread.tell({ code: JAIL_ORDER.KILL, operands: [] });
  }

  /**
   * End the thread. Processes that it started are the caller's to end; as long as one of them lives, its calls are
   * supervised, until the session's supervision is closed.
   */
  close(): void {
    this.#thread.end("Cannot use the jail: closed");
  }
}
