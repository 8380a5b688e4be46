/**
 * A session: the only place that composes the stages. A command goes through parse, check, jail, output, record and
 * block; every front end only formats the events.
 */
import { UsageError } from "../errors.ts";
import type { EventSink } from "./events.ts";
import { newNonce } from "../feedback/fence.ts";
import { Redactor } from "../output/redact.ts";
import { secretNameKind } from "../output/secret_names.ts";
import { pruneSpool } from "../output/spool_prune.ts";
import { loadPolicy } from "../policy/load.ts";
import { coversPath } from "../policy/match.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";
import { newId } from "../record/ids.ts";
import { Journal } from "../record/journal.ts";
import { newestFirst } from "../record/read.ts";
import type { CommandRecord } from "../record/record.ts";
import { commandEnvironment, DEFAULT_PATH } from "../sandbox/environment.ts";
import { probeHost } from "../sandbox/host.ts";
import { Jail } from "../sandbox/jail.ts";
import { ProtectedFile } from "../sandbox/protect.ts";
import { hasChildren, killTree } from "../sandbox/process_tree.ts";
import { findWorkspace } from "../sandbox/workspace.ts";
import type { SessionContext, SessionOptions } from "./session_context.ts";
import { callerSessionId } from "./session_id.ts";
import { SessionJail } from "./session_jail.ts";
import {
  COPIES,
  createPrivatePaths,
  isEmptyDirectory,
  OUTPUTS,
  type PrivatePaths,
  removePrivatePaths,
  type UserPaths,
  userPaths,
} from "./session_paths.ts";
import { runCommand } from "./run_command.ts";
import type { CommandRequest } from "./carry_out.ts";

/** Variable by which tests act as if the kernel's Landlock were older; it can only lower what is there. */
const PRETEND_ABI = "DEBRIEF_LANDLOCK_ABI";
/** Variable that counts how many shells a command runs in. */
export const DEPTH = "DEBRIEF_DEPTH";

/** Bytes that all kept outputs of a user may take together. */
const OUTPUT_QUOTA = 1 << 30;
/** How far back a one-shot command looks for its caller's earlier ones, in records. */
const EARLIER_RECORDS = 40;

/** An open session. Commands run one at a time, in the order in which they are given. */
export class Session {
  readonly #context: SessionContext;

  private constructor(context: SessionContext) {
    this.#context = context;
  }

  /**
   * Load the policy, open the journal, create the private directory and start the jail.
   *
   * @throws {UsageError} for a policy, workspace or directory that cannot be used; nothing runs then.
   */
  static open(options: SessionOptions): Session {
    const worker = Jail.boot();
    try {
      return Session.#open(options, worker);
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  static #open(options: SessionOptions, worker: Worker): Session {
    const user = userPaths(options.environment, options.journal);
    const host = probeHost(pretendedAbi(options.environment));
    const workspace = options.workspace ??
      findWorkspace({ cwd: options.cwd, home: user.home, state: user.state });
    const journal = Journal.open({ directory: user.state });
    const directories = createPrivatePaths(options.environment, executable());
    try {
      return new Session(
        assemble(options, { user, host, workspace, journal, directories, worker }),
      );
    } catch (error) {
      removePrivatePaths(directories);
      throw error;
    }
  }

  /** What this session was opened with and made of. */
  get context(): Readonly<SessionContext> {
    return this.#context;
  }

  /** Run one command; events come synchronously while it runs. */
  async run(request: CommandRequest, emit: EventSink): Promise<void> {
    await runCommand(this.#context, request, emit);
  }

  /** End what still runs, remove the private directory, close the journal. */
  async close(): Promise<void> {
    const { jail, private: directories, journal, state } = this.#context;
    if (hasChildren()) killTree();
    if (!isEmptyDirectory(directories.tmp)) {
      // Inside the jail: a tree that a command made is nothing for the shell to walk.
      await jail.remove(directories.tmp, state.environment).catch(() => {});
    }
    await jail.close();
    removePrivatePaths(directories);
    this.#prune();
    journal.close();
  }

  /** Keep the kept outputs within their quota; looked at after every 32nd command or so, because it costs a walk. */
  #prune(): void {
    const { history, user } = this.#context;
    const last = history.at(-1)?.output_id;
    if (last?.endsWith("0")) {
      pruneSpool({ directory: `${user.state}/${OUTPUTS}`, maxBytes: OUTPUT_QUOTA, keep: [last] });
    }
  }
}

function pretendedAbi(environment: Readonly<Record<string, string>>): number {
  const text = environment[PRETEND_ABI];
  if (text === undefined) return Infinity;
  if (!/^\d{1,3}$/.test(text)) {
    throw new UsageError(`Cannot use ${PRETEND_ABI} "${text}": a number from 0 is accepted`);
  }
  return Number(text);
}

function knownSecrets(environment: Readonly<Record<string, string>>, policy: Policy) {
  return Object.entries(environment)
    .filter(([name]) => secretNameKind(name) !== null || policy.redact.env.includes(name))
    .map(([name, value]) => ({ name, value }));
}

/** The compiled program, null when Deno runs its source. */
function executable(): string | null {
  return Deno.build.standalone ? Deno.execPath() : null;
}

function firstEnvironment(
  options: SessionOptions,
  parts: {
    readonly policy: Policy;
    readonly variables: PolicyVariables;
    readonly directories: PrivatePaths;
  },
): Record<string, string> {
  const { policy, variables, directories } = parts;
  const environment = commandEnvironment(policy, { variables, inherited: options.environment });
  return {
    ...environment,
    PATH: [environment.PATH ?? DEFAULT_PATH, directories.programs].join(":"),
    [COPIES]: directories.copies,
    [DEPTH]: String(Number(options.environment[DEPTH] ?? 0) + 1),
  };
}

/** What the same caller ran before, oldest first. */
function earlierRecords(directory: string, sessionId: string): CommandRecord[] {
  const found: CommandRecord[] = [];
  let looked = 0;
  for (const record of newestFirst({ directory }, () => {})) {
    if (record.session_id === sessionId) found.unshift(record);
    if (++looked >= EARLIER_RECORDS) break;
  }
  return found;
}

/** The executable, where a grant lets commands write to it. */
function protectedFiles(jail: SessionJail): readonly ProtectedFile[] {
  const path = Deno.execPath();
  const writable = jail.plan.grants.some((grant) => grant.write && coversPath(grant.path, path));
  const executable = writable ? ProtectedFile.executable() : null;
  return executable === null ? [] : [executable];
}

interface Parts {
  readonly user: UserPaths;
  readonly host: ReturnType<typeof probeHost>;
  readonly workspace: string;
  readonly journal: Journal;
  readonly directories: PrivatePaths;
  readonly worker: Worker;
}

function assemble(options: SessionOptions, parts: Parts): SessionContext {
  const { user, host, directories } = parts;
  const { environment } = options;
  const variables = { WORKSPACE: parts.workspace, HOME: user.home, TMP: directories.tmp };
  const policy = loadPolicy({
    choice: options.policy,
    envChoice: environment.DEBRIEF_POLICY ?? null,
    configDir: user.config,
    variables,
    trustPolicy: options.trustPolicy,
  });
  const jail = new SessionJail({
    policy,
    host,
    hidden: [user.state],
    // The executable too, so that commands can read their records with it.
    readable: [directories.copies, ...[executable() ?? []].flat()],
    forbidden: `${user.state}/journal.jsonl`,
    worker: parts.worker,
  });
  const sessionId = options.keepsState ? newId("s") : callerSessionId();
  return {
    options,
    sessionId,
    nonce: newNonce(),
    policy,
    variables,
    user,
    private: directories,
    host,
    jail,
    redactor: new Redactor({
      values: knownSecrets(environment, policy),
      rules: policy.redact.rules,
    }),
    journal: parts.journal,
    protected: protectedFiles(jail),
    history: options.keepsState ? [] : earlierRecords(user.state, sessionId),
    running: new Set(),
    state: {
      cwd: options.cwd,
      environment: firstEnvironment(options, { policy, variables, directories }),
      functions: new Map(),
      aliases: new Map(),
    },
  };
}
