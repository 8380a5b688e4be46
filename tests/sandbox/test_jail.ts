/** A real jail around a temporary workspace, driven in-process the way that a session drives it. */
import { loadPolicy } from "../../src/policy/load.ts";
import type { Policy, PolicyVariables } from "../../src/policy/policy.ts";
import { commandEnvironment } from "../../src/sandbox/environment.ts";
import { probeHost } from "../../src/sandbox/host.ts";
import { Jail, type JailSettings } from "../../src/sandbox/jail.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import type { OutputFlow } from "../../src/sandbox/output_flow.ts";
import { type Plan, planJail } from "../../src/sandbox/plan.ts";
import { killTree } from "../../src/sandbox/process_tree.ts";
import { closePipes, openPipes, type ProcessEnd, supervise } from "../../src/sandbox/supervise.ts";
import { Supervision } from "../../src/sandbox/supervision.ts";
import { TempTree } from "./temp_tree.ts";

const SEARCH_PATH = "/usr/bin:/bin";

/** How one command is run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly searchPath?: string;
  readonly withState?: boolean;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly flow?: OutputFlow;
  readonly keep?: ReadonlySet<number>;
  /** Called with all output so far, each time that some arrives. */
  readonly onOutput?: (stdout: string) => void;
}

/** What came of one command. */
export interface Run extends ProcessEnd {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly state: string;
}

/** Thrown when a program was not started. */
export class NotSpawned extends Error {
  constructor(readonly errno: number, readonly path: string) {
    super(`not spawned: errno ${errno} for ${path}`);
  }
}

/** Which policy the jail has, and how its order differs from the plan's. */
export interface TestJailOptions {
  readonly policy?: string;
  readonly order?: (plan: Plan, tree: TempTree) => Partial<JailSettings>;
  /** Called with the tree before the policy is planned. */
  readonly prepare?: (tree: TempTree) => void;
  /** The tree of an earlier jail, planned afresh; it stays that one's to remove. */
  readonly tree?: TempTree;
}

interface TestJailParts {
  readonly tree: TempTree;
  readonly jail: Jail;
  readonly plan: Plan;
  readonly supervision: Supervision;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: number;
  readonly owned: Disposable;
}

/** A jail with the directories `work`, `tmp`, `home`, `outside` and `state` (hidden, holds the file `key`). */
export class TestJail {
  readonly tree: TempTree;
  readonly jail: Jail;
  readonly plan: Plan;
  readonly supervision: Supervision;
  readonly #parts: TestJailParts;

  private constructor(parts: TestJailParts) {
    this.#parts = parts;
    this.tree = parts.tree;
    this.jail = parts.jail;
    this.plan = parts.plan;
    this.supervision = parts.supervision;
  }

  /** Starts the jail; the tree is removed again when that fails. */
  static async start(options: TestJailOptions = {}): Promise<TestJail> {
    const { policy = "default", order, prepare } = options;
    const tree = options.tree ?? jailTree();
    const owned = options.tree ? { [Symbol.dispose]: () => {} } : tree;
    try {
      prepare?.(tree);
      const loaded = policyFor(tree, policy);
      const plan = planJail(loaded, {
        host: probeHost(),
        hidden: [tree.at("state")],
        readable: [],
      });
      const supervision = new Supervision();
      const jail = await Jail.start({
        landlockAbi: plan.landlockAbi,
        net: plan.net === "all" ? "all" : "none",
        loopback: plan.loopback,
        sockets: plan.sockets,
        grants: plan.grants,
        executable: plan.execution?.paths ?? null,
        supervised: plan.supervised,
        shellPid: Deno.pid,
        forbidden: tree.at("state/key"),
        supervision,
        ...order?.(plan, tree),
      });
      const environment = commandEnvironment(loaded, {
        variables: variablesOf(tree),
        inherited: { PATH: SEARCH_PATH, LANG: "C.UTF-8" },
      });
      const stdin = open("/dev/null", OPEN.RDONLY);
      return new TestJail({ tree, jail, plan, supervision, environment, stdin, owned });
    } catch (error) {
      owned[Symbol.dispose]();
      throw error;
    }
  }

  /** Runs a program to its end. @throws {NotSpawned} when it could not be started. */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
    const pipes = openPipes(options.withState ?? false);
    const text = { stdout: "", stderr: "", state: "" };
    const decoders = {
      stdout: new TextDecoder(),
      stderr: new TextDecoder(),
      state: new TextDecoder(),
    };
    const fds = [this.#parts.stdin, pipes.stdout.write, pipes.stderr.write];
    try {
      const reply = await this.jail.spawn({
        argv,
        searchPath: options.searchPath ?? SEARCH_PATH,
        env: options.env ?? this.#parts.environment,
        cwd: options.cwd ?? this.tree.at("work"),
        fds: pipes.state ? [...fds, pipes.state.write] : fds,
      });
      closePipes(pipes, "write");
      if (reply.kind === "not-spawned") throw new NotSpawned(reply.errno, reply.path);
      if (reply.kind !== "spawned") throw new Error(JSON.stringify(reply));
      const end = await supervise(reply.pid, pipes, {
        onOutput: (stream, bytes) => {
          text[stream] += decoders[stream].decode(bytes, { stream: true });
          options.onOutput?.(text.stdout);
        },
        timeoutMs: options.timeoutMs ?? 20_000,
        graceMs: options.graceMs ?? 200,
        signal: options.signal ?? null,
        flow: options.flow ?? null,
        keep: options.keep ?? new Set(),
      });
      return { ...end, ...text, pid: reply.pid };
    } finally {
      closePipes(pipes, "read");
    }
  }

  /** Runs a script with `sh -c`. */
  sh(
    script: string,
    options: RunOptions & { readonly args?: readonly string[] } = {},
  ): Promise<Run> {
    return this.run(["sh", "-c", script, "sh", ...options.args ?? []], options);
  }

  [Symbol.dispose](): void {
    killTree();
    this.jail.close();
    this.supervision.close();
    close(this.#parts.stdin);
    this.#parts.owned[Symbol.dispose]();
  }

  /** As above, and waits until nothing is left to answer a call. */
  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
    await this.supervision.close();
  }
}

function jailTree(): TempTree {
  return new TempTree({
    "state/key": "secret\n",
    "outside/file": "outside\n",
    "work/file": "inside\n",
    "tmp": { directory: true },
    "home": { directory: true },
  });
}

/** The policy variables of a tree. */
function variablesOf(tree: TempTree): PolicyVariables {
  return { WORKSPACE: tree.at("work"), HOME: tree.at("home"), TMP: tree.at("tmp") };
}

/** Loads a built-in policy, or one from its text (JSON), for a tree. */
export function policyFor(tree: TempTree, policy: string): Policy {
  const custom = policy.startsWith("{");
  if (custom) tree.add("policy/p.jsonc", policy);
  return loadPolicy({
    choice: custom ? tree.at("policy/p.jsonc") : policy,
    envChoice: null,
    configDir: tree.at("no-such-directory"),
    variables: variablesOf(tree),
    trustPolicy: false,
  });
}
