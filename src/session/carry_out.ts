/** Carrying a decision out: in the jail, or not at all. */
import { reasonOf } from "../errors.ts";
import type { Trailer } from "../command/harness_wrappers.ts";
import type { Program } from "../command/script.ts";
import { OutputPipeline } from "../output/pipeline.ts";
import { Spool } from "../output/spool.ts";
import type { StreamName } from "../output/summary.ts";
import type { Denial } from "../policy/policy.ts";
import { commandInput, isTerminal } from "../sandbox/command_input.ts";
import { unproxiedHosts } from "../sandbox/denials.ts";
import { JailError } from "../sandbox/jail.ts";
import type { OutputFlow } from "../sandbox/output_flow.ts";
import { refusals } from "../sandbox/plan.ts";
import { hasChildren } from "../sandbox/process_tree.ts";
import { commandDenials } from "./command_denials.ts";
import { refreshCopies } from "./copies.ts";
import type { CommandText, Decision } from "./decide.ts";
import type { EventSink } from "./events.ts";
import { execute } from "./execute.ts";
import { CANCELLED, type Executed } from "./execution.ts";
import type { SessionContext } from "./session_context.ts";
import { joinDenials } from "./session_proxy.ts";
import { OUTPUTS } from "./session_paths.ts";
import type { ShellState } from "./shell_state.ts";
import { ShownOutput } from "./shown_output.ts";
import { shellPathOf } from "./own_links.ts";
import { StateReader } from "./state_reader.ts";
import { trailerNotices } from "./trailer.ts";

/** A command with what the caller says about it. */
export interface CommandRequest {
  /** What to run. */
  readonly text: CommandText;
  /** What the agent expects, one line. */
  readonly note?: string | null;
  /** The earlier attempt that this one retries. */
  readonly parent?: string | null;
  /** Overrides the session's time limit, in ms. */
  readonly timeoutMs?: number | null;
  /** Ends the command early. A number as its reason is the signal that somebody sent for it. */
  readonly signal?: AbortSignal | null;
  /** Descriptor that becomes the command's standard input; without it there is nothing to read. */
  readonly stdin?: number;
  /** Overrides the session's task. */
  readonly task?: string | null;
  /** What it starts from, in place of the session's own shell state; what it leaves of that is then not kept. */
  readonly state?: ShellState;
  /** Takes the events' output on: the command waits while it takes no more. */
  readonly flow?: OutputFlow | null;
  /** A file by which the caller hears where the command left off. */
  readonly trailer?: Trailer | null;
}

/** What came of it. */
export interface Run extends Executed {
  readonly denials: readonly Denial[];
  readonly outputId: string | null;
  readonly notices: readonly string[];
  /** Protected files that were put back. */
  readonly changed: readonly string[];
  readonly endsSession: boolean;
}

/** What to know of a job that prints: see `JobOutput`. */
const HELD =
  "what a background process prints from now on is lost unless it is redirected to a file";
/** What to know when jobs are gone. */
const HELD_UP =
  "a background process kept this command from starting: all that earlier commands left running was ended";

function unproxied(host: string): string {
  return `"${host}" is allowed, but only through the proxy that HTTPS_PROXY and DEBRIEF_SOCKS_PROXY name`;
}

/** The time limit of a request, in ms; 0 is none. */
export function limitOf(
  { options, policy, job }: SessionContext,
  request: CommandRequest,
): number {
  if (job?.isTimed === false) return request.timeoutMs ?? 0;
  return request.timeoutMs ?? options.timeoutMs ?? policy.limits.timeoutMs;
}

/** A decision with all that carrying it out needs. */
export interface Carrying {
  readonly decision: Decision;
  readonly request: CommandRequest;
  readonly commandId: string;
  readonly emit: EventSink;
}

function newPipeline(
  context: SessionContext,
  options: { shown: ShownOutput; spool: Spool | null; emit: EventSink },
): OutputPipeline {
  const raw = context.options.raw ?? [];
  const pass = (stream: StreamName) => (bytes: Uint8Array) =>
    options.emit({ kind: "bytes", stream, bytes });
  return new OutputPipeline({
    redactor: context.redactor,
    budget: context.policy.output,
    spool: options.spool,
    passThrough: context.options.passThrough ?? false,
    passBytes: Object.fromEntries(raw.map((stream) => [stream, pass(stream)])),
    ansi: context.options.ansi ?? false,
    show: (shown) => options.shown.show(shown),
  });
}

/** A run that did not take place. */
function notRun(context: SessionContext, carrying: Carrying, error: string | null): Run {
  const shown = new ShownOutput(carrying.emit, context.nonce);
  const summary = newPipeline(context, { shown, spool: null, emit: carrying.emit }).finish({
    failed: true,
  });
  return {
    ending: {
      exitCode: null,
      signal: null,
      error,
      errno: null,
      timedOut: false,
      durationMs: 0,
      summary,
    },
    proof: null,
    jobs: [],
    outputHeld: false,
    heldUp: false,
    argv: [],
    denials: carrying.decision.kind === "denied" ? carrying.decision.denials : [],
    outputId: null,
    notices: [],
    changed: [],
    endsSession: false,
  };
}

/** Carry a decision out. Whatever stops it is an ending with an error, not an exception. */
export async function carryOut(context: SessionContext, carrying: Carrying): Promise<Run> {
  const { decision } = carrying;
  if (decision.kind === "syntax-error") {
    const { line, column, message } = decision.mistake;
    return notRun(context, carrying, `syntax error at line ${line}, column ${column}: ${message}`);
  }
  if (decision.kind === "denied") return notRun(context, carrying, "denied by the policy");
  if (carrying.request.signal?.aborted) return notRun(context, carrying, CANCELLED);
  const reasons = refusals(context.jail.plan);
  if (reasons.length > 0) {
    return notRun(context, carrying, `the policy cannot be enforced here: ${reasons.join("; ")}`);
  }
  const problem = await context.feedback.problem;
  if (problem !== null) return notRun(context, carrying, problem);
  try {
    return await runInJail(context, { ...carrying, decision });
  } catch (error) {
    if (error instanceof JailError) return notRun(context, carrying, error.message);
    throw error;
  }
}

async function runInJail(
  context: SessionContext,
  carrying: Carrying & { readonly decision: Extract<Decision, { kind: "run" }> },
): Promise<Run> {
  const { decision, request, commandId, emit } = carrying;
  const { policy, state } = context;
  const jail = await context.jail.current();
  const { processes } = context.jail.supervision;
  let leader: number | null = null;
  context.protection.begin(hasChildren(context.jail.watchdogs));
  const spool = new Spool({
    directory: `${context.user.state}/${OUTPUTS}`,
    id: commandId,
    capBytes: policy.output.spoolBytes,
  });
  const copyError = tryRefreshCopies(context, decision.programs);
  const shown = new ShownOutput(emit, context.nonce);
  const reader = decision.stateful ? new StateReader() : null;
  const reopens = context.jail.plan.backend.kind === "bubblewrap";
  const input = commandInput(request.stdin ?? null, { reopens });
  const executed = await execute({
    jail: () => context.jail.latest(),
    argv: decision.argv,
    fallback: decision.fallback,
    environment: { ...state.environment, PWD: state.cwd },
    script: decision.inShell ? scriptOf(request.text) : null,
    shellPath: shellPathOf(context.options.environment.PATH),
    cwd: state.cwd,
    stdin: input.fd,
    timeoutMs: limitOf(context, request),
    idleMs: context.job?.isTimed === false ? 0 : context.limits.bounds.idleMs,
    // Who sits at a terminal takes what time it takes.
    inputMs: context.job?.isTimed === false || isTerminal(input.fd)
      ? 0
      : context.limits.bounds.inputMs,
    redact: (text) => context.redactor.redactText(text),
    limits: context.limits,
    signal: request.signal ?? null,
    flow: request.flow ?? null,
    pipeline: newPipeline(context, { shown, spool, emit }),
    emit,
    state: reader,
    proofRequired: isProofRequired(context),
    // What a job leaves running ends with it.
    jobOutput: context.options.keepsState && jail.keepsJobs && context.job === null
      ? context.jobOutput
      : null,
    earlier: context.running,
    watchdogs: context.jail.watchdogs,
    processes,
    onJob: context.job && ((process) => {
      leader = process.pid;
      context.job?.onProcess(process);
    }),
  }).finally(() => input.close());
  shown.finish();
  if (!spool.isEmpty) context.spoolQuota.add(commandId, spool.storedBytes);
  const report = reader?.finish(state, policy) ?? null;
  if (report?.state) context.state = report.state;
  // A session that ends with this command leaves nothing for a later look.
  const kept = await context.protection.check({
    busy: hasChildren(context.jail.watchdogs),
    tookMs: context.options.keepsState ? executed.ending.durationMs : null,
    remove: (path) => context.jail.remove(path),
  });
  const { spoolError } = executed.ending.summary;
  const egress = context.proxy?.drain() ?? { denials: [], notices: [] };
  const exited = executed.ending.exitCode !== null && executed.ending.signal === null;
  return {
    ...executed,
    denials: joinDenials(
      egress.denials,
      commandDenials(context, {
        ending: executed.ending,
        named: decision.named,
        cwd: state.cwd,
        refused: context.jail.supervision.takeRefused(leader),
      }),
    ),
    outputId: spool.isEmpty ? null : commandId,
    notices: [
      ...(copyError === null ? [] : [`records cannot be read inside the jail: ${copyError}`]),
      ...(report?.dropped && context.options.keepsState
        ? [`not kept for the next command: ${report.dropped}`]
        : []),
      ...(spoolError === null ? [] : [`the kept output is incomplete: ${spoolError}`]),
      ...(executed.heldUp ? [HELD_UP] : []),
      ...(executed.outputHeld ? [HELD] : []),
      ...egress.notices,
      ...unproxiedHosts(executed.ending.summary.notable, context.jail.plan).map(unproxied),
      ...kept.notices,
      ...trailerNotices(context, {
        trailer: request.trailer ?? null,
        isDone: executed.ending.exitCode === 0 && report?.finished !== false,
      }),
    ],
    changed: [...kept.changed, ...await context.jail.removeUncovered()],
    endsSession: context.job === null && report !== null && exited && !report.finished,
  };
}

/** What the shell that reads a command is called by, where it shows up among processes. */
function scriptOf(text: CommandText): string | null {
  if (text.kind === "file") return text.path ?? "-s";
  return text.kind === "script" ? text.source : null;
}

/** Without its report a command of bubblewrap's may not have been started at all. */
function isProofRequired({ jail, policy }: SessionContext): boolean {
  const { kind } = jail.plan.backend;
  return kind === "bubblewrap" || (kind === "kernel" && policy.enforcement === "required");
}

/** Copies are a convenience: without them a command still runs, and hears why its records are missing. */
function tryRefreshCopies(context: SessionContext, programs: readonly Program[]): string | null {
  try {
    refreshCopies(context, programs);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
