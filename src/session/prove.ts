/** Proving a plan: its jail is started and everything that can be tried is tried in it. */
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import { close, open } from "../sandbox/linux/ffi.ts";
import { OPEN } from "../sandbox/linux/uapi.ts";
import { closePipes, openPipes, supervise } from "../sandbox/supervise.ts";
import { callProbes } from "./call_probes.ts";
import { type Probe, probesOf } from "./probes.ts";
import type { SessionContext } from "./session_context.ts";

/** What came of one probe. */
export interface Proven {
  readonly about: string;
  readonly result: "proven" | "not provable here" | "FAILED";
  /** Why it could not be tried, or what was expected; null when it is proven. */
  readonly reason: string | null;
}

/** Acts in one shell: its script is one argument, of at most 128 KiB (`MAX_ARG_STRLEN`, `linux/binfmts.h`). */
const ACTS = 100;
/** Time for these, in ms. */
const LIMIT_MS = 30_000;
/** Output that is kept, in characters; a hundred answers are far below it. */
const MAX_TEXT = 65_536;

type Act = Extract<Probe, { kind: "act" }>;

/** Run acts in the jail. @returns for each whether it got through; undefined when it gave no answer. */
async function tryActs(
  context: SessionContext,
  acts: readonly Act[],
): Promise<readonly (boolean | undefined)[]> {
  const script = acts.map(({ script }, index) =>
    `( ${script}; ) </dev/null >/dev/null 2>&1; echo "${index} $?"`
  ).join("\n");
  const jail = await context.jail.current();
  const pipes = openPipes(false);
  const stdin = open("/dev/null", OPEN.RDONLY);
  let text = "";
  try {
    const reply = await jail.spawn({
      argv: ["bash", "--noprofile", "--norc", "-c", script],
      searchPath: DEFAULT_PATH,
      env: context.state.environment,
      cwd: context.state.cwd,
      fds: [stdin, pipes.stdout.write, pipes.stderr.write],
    }).finally(() => closePipes(pipes, "write"));
    if (reply.kind !== "spawned") return acts.map(() => undefined);
    const decoder = new TextDecoder();
    await supervise(reply.pid, pipes, {
      onOutput: (stream, bytes) => {
        if (stream !== "stdout" || text.length > MAX_TEXT) return;
        text += decoder.decode(bytes, { stream: true });
      },
      timeoutMs: LIMIT_MS,
      graceMs: 100,
      signal: null,
      keep: context.running,
      proof: reply.proof ?? null,
    });
  } finally {
    closePipes(pipes, "read");
    close(stdin);
  }
  const answers = new Map(
    [...text.matchAll(/^(\d+) (\d+)$/gm)].map(([, index, code]) => [Number(index), code === "0"]),
  );
  return acts.map((_, index) => answers.get(index));
}

function resultOf(probe: Probe, passed: boolean | undefined): Proven {
  const { about } = probe;
  if (probe.kind === "skip") return { about, result: "not provable here", reason: probe.reason };
  const holds = probe.kind === "known" ? probe.holds : passed === probe.works;
  if (holds) return { about, result: "proven", reason: null };
  const reason = probe.kind === "known"
    ? "the plan grants what the rule denies"
    : passed === undefined
    ? "no answer from the jail"
    : probe.works
    ? "it must work, and fails"
    : "it must fail, and works";
  return { about, result: "FAILED", reason };
}

/** A unix socket that listens outside the jail; null where its name is too long, or cannot be made. */
function listenAt(path: string): (Disposable & { readonly path: string }) | null {
  try {
    const listener = Deno.listen({ transport: "unix", path });
    return { path, [Symbol.dispose]: () => listener.close() };
  } catch {
    return null;
  }
}

/** Try everything that can be tried of the plan in force. @throws {JailError} when the jail cannot be started. */
export async function provePlan(context: SessionContext): Promise<readonly Proven[]> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { plan } = context.jail;
  const { tmp } = context.private;
  const hidden = `${context.user.state}/journal.jsonl`;
  // Commands can write there, but none has run yet.
  using socket = listenAt(`${tmp}/.debrief-probe-${crypto.randomUUID()}`);
  const probes = [
    ...probesOf({
      plan,
      hidden,
      env: Object.keys(context.state.environment),
      port: listener.addr.port,
    }),
    ...callProbes({ plan, hidden, tmp, socket: socket?.path ?? null }),
  ];
  const acts = probes.filter((probe) => probe.kind === "act");
  const passed = new Map<Probe, boolean | undefined>();
  for (let at = 0; at < acts.length; at += ACTS) {
    const some = acts.slice(at, at + ACTS);
    const answers = await tryActs(context, some);
    some.forEach((act, index) => passed.set(act, answers[index]));
  }
  for (const probe of acts) {
    if (probe.leaves !== undefined) await context.jail.remove(probe.leaves);
  }
  return probes.map((probe) => resultOf(probe, passed.get(probe)));
}
