/** A provider that is a program of the policy's: it reads JSON and prints JSON, in a jail that only reads. */
import { PolicyError } from "../errors.ts";
import type { FeedbackContext, FeedbackProvider } from "../feedback/providers/provider.ts";
import { describeRule } from "../policy/match.ts";
import type { Policy, ProviderSetting } from "../policy/policy.ts";
import { findWritableFile } from "../policy/writable_file.ts";
import { shortText } from "../record/visible_text.ts";
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import type { CommandJail } from "../sandbox/jail.ts";
import { close } from "../sandbox/linux/ffi.ts";
import { memoryFile } from "../sandbox/memory_file.ts";
import { descendants, killTree } from "../sandbox/process_tree.ts";
import { proves } from "../sandbox/restrict.ts";
import { closePipes, openPipes, type ProcessEnd, supervise } from "../sandbox/supervise.ts";
import type { SessionJail } from "./session_jail.ts";

/** Version of what the program reads. */
const CONTEXT_VERSION = 1;
/** Bytes that it may print on both streams together. */
const MAX_OUTPUT = 65_536;
/** Characters of its complaint that are shown. */
const MAX_COMPLAINT = 160;
/** `S_IXUSR | S_IXGRP | S_IXOTH`, `linux/stat.h`. */
const EXECUTABLE = 0o111;

/** A setting for a program. */
export type ProgramSetting = Extract<ProviderSetting, { kind: "exec" }>;

/** Where programs run. */
export interface ProgramPlace {
  readonly policy: Policy;
  /** Made after the providers, and there when one of them is asked. */
  readonly jail: () => SessionJail;
  /** Where it is started. */
  readonly workspace: string;
}

/**
 * Checks a program before any command could change it.
 *
 * @returns its real path.
 * @throws {PolicyError} when it cannot be started, or commands could change it.
 */
export function checkProgram(setting: ProgramSetting, policy: Policy): string {
  const [path = ""] = setting.argv;
  const refuse = (state: string) =>
    new PolicyError(
      `Cannot use the provider "${setting.name}": "${path}" ${state}`,
      setting.source,
    );
  let found: Deno.FileInfo;
  try {
    found = Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw refuse("does not exist");
    throw refuse(`cannot be looked at: ${error instanceof Error ? error.message : error}`);
  }
  if (!found.isFile || ((found.mode ?? 0) & EXECUTABLE) === 0) {
    throw refuse("is no executable file");
  }
  const real = Deno.realPathSync(path);
  const writable = findWritableFile(policy, [path, real]);
  if (writable === null) return real;
  throw refuse(`could be changed by commands, because ${describeRule(writable.rule)} covers it`);
}

/** Makes the provider; its trigger is looked at before. */
export function programProvider(setting: ProgramSetting, place: ProgramPlace): FeedbackProvider {
  const { timeoutMs } = place.policy.feedback;
  return {
    name: setting.name,
    endsItself: true,
    shouldRun: () => true,
    provide: async (context) => {
      // What the command has left running, too: it is not yet known as that of an earlier one.
      const running = descendants().map(({ pid }) => pid);
      const { jail, end } = await place.jail().startReader();
      const keep = place.jail().watchdogs.union(new Set(running));
      try {
        return readAnswer(await run(jail, { setting, place, context, timeoutMs, keep }), context);
      } finally {
        await end();
      }
    },
  };
}

interface Order {
  readonly setting: ProgramSetting;
  readonly place: ProgramPlace;
  readonly context: FeedbackContext;
  readonly timeoutMs: number;
  /** Processes that are not the program's. */
  readonly keep: ReadonlySet<number>;
}

/** Runs the program to its end, and ends what it leaves. @returns what it printed. @throws {Error} when it failed. */
async function run(jail: CommandJail, order: Order): Promise<string> {
  const { setting, place, context, timeoutMs, keep } = order;
  const text = JSON.stringify({ version: CONTEXT_VERSION, ...context });
  const pipes = openPipes(false);
  const stdin = memoryFile(new TextEncoder().encode(text));
  const said = { stdout: new Captured(), stderr: new Captured() };
  try {
    const reply = await jail.spawn({
      argv: setting.argv,
      searchPath: DEFAULT_PATH,
      env: { PATH: DEFAULT_PATH, LANG: "C.UTF-8", HOME: "/nonexistent" },
      cwd: place.workspace,
      fds: [stdin, pipes.stdout.write, pipes.stderr.write],
    }).finally(() => closePipes(pipes, "write"));
    if (reply.kind !== "spawned") throw new Error("the jail did not start it");
    const end = await supervise(reply.pid, pipes, {
      onOutput: (stream, bytes) => stream !== "state" && said[stream].add(bytes),
      timeoutMs,
      graceMs: 0,
      outputBytes: MAX_OUTPUT,
      signal: null,
      keep,
      spare: place.jail().watchdogs,
      isMonitored: reply.proof !== undefined,
      proof: reply.proof ?? null,
      killAll: () => jail.killAll(),
    });
    check(end, { order, complaint: said.stderr.text });
    return said.stdout.text;
  } finally {
    closePipes(pipes, "read");
    close(stdin);
    jail.killAll();
    killTree({ keep });
  }
}

/** @throws {Error} for every end but status 0. */
function check(end: ProcessEnd, { order, complaint }: { order: Order; complaint: string }): void {
  if (end.endedBy === "output") {
    throw new Error(`it says too much: ${MAX_OUTPUT} bytes are accepted`);
  }
  if (end.timedOut) throw new Error(`it took longer than ${order.timeoutMs} ms`);
  const { policy } = order.place;
  const { kind } = order.place.jail().plan.backend;
  const unproven = kind === "bubblewrap" ||
    (kind === "kernel" && policy.enforcement === "required");
  if (unproven && !proves(end.proof)) {
    throw new Error("the kernel did not report the jail on its process");
  }
  const { status } = end;
  if (status?.kind === "exited" && status.code === 0) return;
  const last = complaint.trim().split("\n").at(-1) ?? "";
  const how = status?.kind === "exited"
    ? `exit status ${status.code}`
    : status === null
    ? "no exit status"
    : `signal ${status.signal}`;
  throw new Error(last === "" ? how : `${how}: ${shortText(last, MAX_COMPLAINT)}`);
}

/** Feedback from what was printed: nothing, `null`, or an object, which may hold notes as `memory`. */
function readAnswer(
  text: string,
  { state }: FeedbackContext,
): Awaited<ReturnType<FeedbackProvider["provide"]>> {
  if (text.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("what it printed is no JSON");
  }
  const { memory } = (value ?? {}) as { readonly memory?: unknown };
  if (typeof memory === "object" && memory !== null && !Array.isArray(memory)) {
    for (const key of Object.keys(state.memory)) delete state.memory[key];
    for (const [key, note] of Object.entries(memory)) {
      // Assigned, this one would be another prototype.
      if (key !== "__proto__") state.memory[key] = note;
    }
  }
  // Its shape is looked at by `readFeedback`, as is that of any other's.
  return value as Awaited<ReturnType<FeedbackProvider["provide"]>>;
}

/** What one stream brought, up to the bound. */
class Captured {
  readonly #decoder = new TextDecoder();
  #text = "";

  add(bytes: Uint8Array): void {
    if (this.#text.length <= MAX_OUTPUT) {
      this.#text += this.#decoder.decode(bytes, { stream: true });
    }
  }

  get text(): string {
    return this.#text;
  }
}
