/**
 * A session: the only place that composes the stages. A command goes through parse, check, jail, output, record and
 * block; every front end only formats the events.
 */
import { UsageError } from "../errors.ts";
import type { EventSink, SessionEvent } from "./events.ts";
import { Journal } from "../record/journal.ts";
import { hardenProcess } from "../sandbox/harden.ts";
import { type Host, probeHost } from "../sandbox/host.ts";
import { Jail } from "../sandbox/jail.ts";
import { hasChildren } from "../sandbox/process_tree.ts";
import { checkWorkspace, findWorkspace } from "../sandbox/workspace.ts";
import { assembleSession } from "./assemble_session.ts";
import { ownExecutable } from "./own_executable.ts";
import type { CommandRequest } from "./carry_out.ts";
import {
  createPrivatePaths,
  deadSessions,
  isEmptyDirectory,
  removePrivatePaths,
} from "./private_directory.ts";
import type { Job, JobRequest } from "./job.ts";
import { SessionJobs } from "./session_jobs.ts";
import { runCommand } from "./run_command.ts";
import type { SessionContext, SessionOptions } from "./session_context.ts";
import type { AimsReport, SessionAims } from "./session_feedback.ts";
import { userPaths } from "./session_paths.ts";

/** Variable by which tests act as if the kernel's Landlock were older; it can only lower what is there. */
const PRETEND_ABI = "DEBRIEF_LANDLOCK_ABI";

/** Killed sessions that one session cleans up after. */
const DEAD_AT_ONCE = 4;

/**
 * An open session. Commands run one at a time, in the order in which they are given. A session takes every process that
 * descends from its own for one of its commands' and ends it: run one session at a time, in a process of its own.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Session } from "@debrief/debrief";
 *
 * const home = Deno.makeTempDirSync();
 * const session = Session.open({
 *   environment: { HOME: home, PATH: "/usr/bin:/bin" },
 *   cwd: Deno.makeTempDirSync(),
 *   policy: "readonly",
 *   keepsState: true,
 * });
 * const text = { kind: "script", source: "cd /; pwd" } as const;
 * await session.run({ text, note: "prints /" }, (event) => {
 *   if (event.kind === "output") console.log(event.text);
 *   if (event.kind === "finished") assertEquals(event.record.agent_note, "prints /");
 * });
 * await session.close();
 * ```
 */
export class Session {
  readonly #context: SessionContext;
  /** Settles when the command that was given last has ended. */
  #last: Promise<void> = Promise.resolve();
  #closing: Promise<readonly string[]> | null = null;
  readonly #jobs: SessionJobs;

  private constructor(context: SessionContext) {
    this.#context = context;
    this.#jobs = new SessionJobs(context);
  }

  /**
   * Load the policy, open the journal, create the private directory and start the jail. The process itself is hardened
   * first, because the jail's thread shares its memory: see `hardenProcess`.
   *
   * @throws {UsageError} for a policy, workspace or directory that cannot be used; nothing runs then.
   */
  static open(options: SessionOptions): Session {
    hardenProcess();
    let worker: Worker | null = Jail.boot();
    const takeWorker = () => {
      const taken = worker!;
      worker = null;
      return taken;
    };
    try {
      return Session.#open(options, takeWorker);
    } catch (error) {
      // A jail that has begun to start ends its worker itself, once it knows what else to end.
      worker?.terminate();
      throw error;
    }
  }

  static #open(options: SessionOptions, takeWorker: () => Worker): Session {
    const { environment, cwd } = options;
    const host = hostOf(environment);
    const named = userPaths(environment, options.journal ?? null);
    const workspace = options.workspace
      ? checkWorkspace(options.workspace, named)
      : findWorkspace({ cwd, ...named });
    const journal = Journal.open({ directory: named.state });
    try {
      // Links on the way are known only now that it is there; the jail hides where it really lies.
      const user = { ...named, state: Deno.realPathSync(named.state) };
      const directories = createPrivatePaths({
        temporary: environment.TMPDIR ?? null,
        state: user.state,
        executable: ownExecutable(),
      });
      try {
        const parts = { user, host, workspace, journal, directories, takeWorker };
        return new Session(assembleSession(options, parts));
      } catch (error) {
        removePrivatePaths(directories);
        throw error;
      }
    } catch (error) {
      journal.close();
      throw error;
    }
  }

  /**
   * What this session was opened with and made of, for front ends.
   *
   * @internal
   */
  get context(): Readonly<SessionContext> {
    return this.#context;
  }

  /**
   * Run one command, after those that were given before; events come synchronously while it runs.
   *
   * A sink that throws gets no more events: its command is ended and recorded, then the error comes out here.
   *
   * @throws {TypeError} when the session is closed.
   */
  run(request: CommandRequest, emit: EventSink): Promise<void> {
    if (this.#closing !== null) return Promise.reject(new TypeError("Cannot run: session closed"));
    const run = this.#last.then(() => this.#runGuarded(request, emit));
    this.#last = run.catch(() => {});
    return run;
  }

  /**
   * Run a command beside all others. It begins with the session's state (directory, variables, functions) and leaves it as
   * it is; whatever it leaves running ends with it, and it ends with the session at the latest.
   *
   * @param emit hears of its events while it runs, also during other commands.
   * @returns when its first process runs, or when it has ended.
   * @throws {UsageError} when too many run, or the session cannot tell its processes from others'.
   * @throws {TypeError} when the session is closed.
   */
  start(request: JobRequest, emit: EventSink = () => {}): Promise<Job> {
    if (this.#closing !== null) return Promise.reject(new TypeError("Cannot run: session closed"));
    return this.#jobs.start(request, emit);
  }

  /** Its background commands: those that run, and those that have ended lately. */
  get jobs(): SessionJobs {
    return this.#jobs;
  }

  async #runGuarded(request: CommandRequest, emit: EventSink): Promise<void> {
    const broken = new AbortController();
    const sink = (event: SessionEvent) => {
      if (broken.signal.aborted) return;
      try {
        emit(event);
      } catch (error) {
        broken.abort(error);
      }
    };
    const signals = request.signal ? [request.signal, broken.signal] : [broken.signal];
    await runCommand(this.#context, { ...request, signal: AbortSignal.any(signals) }, sink);
    broken.signal.throwIfAborted();
  }

  /**
   * Say anew what the session is for and may take, as `SessionOptions.aims` does at its start; absent fields leave what
   * was said.
   *
   * @returns what holds now, and what was used of it.
   * @throws {Error} when it cannot be stored.
   */
  aim(aims: SessionAims): Promise<AimsReport> {
    return this.#context.feedback.aim(aims);
  }

  /**
   * Wait for the commands that were given, end jobs and what still runs, remove the private directory, close the journal.
   *
   * @returns protected files that were put back only now, in words: no command's block could say so.
   */
  close(): Promise<readonly string[]> {
    return this.#closing ??= this.#last.then(() => this.#close());
  }

  async #close(): Promise<readonly string[]> {
    const { jail, proxy, private: directories, journal, jobOutput, protection } = this.#context;
    await this.#jobs.close();
    this.#context.limits.endJobWatch();
    await this.#context.feedback.close();
    const sent = this.#context.telemetry?.close();
    if (hasChildren(jail.watchdogs)) await jail.killAll();
    await jobOutput.close();
    // A job may have changed something after its command's own check, or made a repository that was not found yet.
    const changed = protection.pending
      ? (await protection.check({
        busy: false,
        tookMs: null,
        remove: (path) => jail.remove(path),
      })).changed
      : [];
    protection.close();
    if (!isEmptyDirectory(directories.tmp)) {
      // Inside the jail: a tree that a command made is nothing for the shell to walk.
      await jail.remove(directories.tmp).catch(() => {});
    }
    for (const dead of deadSessions(this.#context.user.state, { limit: DEAD_AT_ONCE })) {
      if (!isEmptyDirectory(dead.tmp)) await jail.removeElsewhere(dead.tmp).catch(() => {});
      removePrivatePaths(dead);
    }
    await jail.close();
    await proxy?.close();
    removePrivatePaths(directories);
    const last = this.#context.history.at(-1)?.output_id;
    if (last) this.#context.spoolQuota.end(last);
    journal.close();
    await sent;
    return changed.map((text) => this.#context.redactor.redactText(text));
  }

  /** Closes the session at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** What a session in this environment takes for its host. @throws {UsageError} for a variable that cannot be used. */
export function hostOf(environment: Readonly<Record<string, string>>): Host {
  return probeHost(pretendedAbi(environment));
}

function pretendedAbi(environment: Readonly<Record<string, string>>): number {
  const text = environment[PRETEND_ABI];
  if (text === undefined) return Infinity;
  if (!/^\d{1,3}$/.test(text)) {
    throw new UsageError(`Cannot use ${PRETEND_ABI} "${text}": a number from 0 is accepted`);
  }
  return Number(text);
}
