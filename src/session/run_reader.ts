/** One program in a jail that only reads, for what Debrief itself wants to know: it starts nothing outside of one. */
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import { close } from "../sandbox/linux/ffi.ts";
import { memoryFile } from "../sandbox/memory_file.ts";
import { descendants, killTree } from "../sandbox/process_tree.ts";
import { proves } from "../sandbox/restrict.ts";
import { closePipes, openPipes, type ProcessEnd, supervise } from "../sandbox/supervise.ts";
import type { SessionJail } from "./session_jail.ts";

/** What to run. */
export interface Reading {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Of both streams together. */
  readonly maxBytes: number;
}

/** How it ended. */
export interface ReadingResult {
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Run a program to its end, and end all that it has started; what others have started goes on.
 *
 * @throws {Error} when it cannot be started, or the jail is not proven on it.
 */
export async function runReader(jail: SessionJail, reading: Reading): Promise<ReadingResult> {
  const { plan, supervision: { processes } } = jail;
  // What a command has left running, too: it is not yet known as that of an earlier one.
  const running = descendants().map(({ pid }) => pid);
  const reader = await jail.startReader();
  const spare = jail.watchdogs;
  let leader: number | null = null;
  // Commands may start meanwhile, but where nobody could tell their processes apart.
  const keep = plan.backend.kind !== "kernel" || plan.supervised
    ? processes.besidesJob(() => leader)
    : spare.union(new Set(running));
  const pipes = openPipes(false);
  const captured = { stdout: new Captured(reading), stderr: new Captured(reading) };
  let stdin = -1;
  try {
    stdin = memoryFile(new TextEncoder().encode(reading.input));
    const order = {
      argv: reading.argv,
      searchPath: DEFAULT_PATH,
      env: reading.environment,
      cwd: reading.cwd,
      fds: [stdin, pipes.stdout.write, pipes.stderr.write],
    };
    const { reply } = await processes.start(
      "job",
      async () => ({ reply: await reader.jail.spawn(order) }),
    ).finally(() => closePipes(pipes, "write"));
    if (reply.kind !== "spawned") throw new Error("the jail did not start it");
    leader = reply.pid;
    const end = await supervise(reply.pid, pipes, {
      onOutput: (stream, bytes) => stream !== "state" && captured[stream].add(bytes),
      timeoutMs: reading.timeoutMs,
      graceMs: 0,
      outputBytes: reading.maxBytes,
      signal: null,
      keep,
      awaited: processes.awaited,
      spare,
      isMonitored: reply.proof !== undefined,
      proof: reply.proof ?? null,
      killAll: () => reader.jail.killAll(),
    });
    const { backend, policy: { enforcement } } = plan;
    const required = backend.kind === "bubblewrap" ||
      (backend.kind === "kernel" && enforcement === "required");
    if (required && !proves(end.proof)) {
      throw new Error("the kernel did not report the jail on its process");
    }
    return { end, stdout: captured.stdout.text, stderr: captured.stderr.text };
  } finally {
    closePipes(pipes, "read");
    if (stdin >= 0) close(stdin);
    reader.jail.killAll();
    killTree({ keep, unreaped: processes.awaited });
    if (leader !== null) processes.ended(leader);
    await reader.end();
  }
}

/** What one stream brought, up to the bound. */
class Captured {
  readonly #decoder = new TextDecoder();
  readonly #max: number;
  #text = "";

  constructor({ maxBytes }: Pick<Reading, "maxBytes">) {
    this.#max = maxBytes;
  }

  add(bytes: Uint8Array): void {
    if (this.#text.length <= this.#max) this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  get text(): string {
    return this.#text;
  }
}
