/** Carrying a decision out: in the jail, or not at all. */
import { escapeLookalikes } from "../feedback/fence.ts";
import { OutputPipeline } from "../output/pipeline.ts";
import { Spool } from "../output/spool.ts";
import type { Denial } from "../policy/policy.ts";
import type { Ending } from "../record/record.ts";
import { DEFAULT_PATH } from "../sandbox/environment.ts";
import { attributeDenials, type NamedPath } from "../sandbox/denials.ts";
import { JailError } from "../sandbox/jail.ts";
import { refusals } from "../sandbox/plan.ts";
import { refreshCopies } from "./copies.ts";
import type { CommandText, Decision } from "./decide.ts";
import type { EventSink } from "./events.ts";
import { execute, type Executed } from "./execute.ts";
import type { SessionContext } from "./session_context.ts";
import { OUTPUTS } from "./session_paths.ts";
import { StateReader } from "./state_reader.ts";

/** A command with what the caller says about it. */
export interface CommandRequest {
  readonly text: CommandText;
  /** What the agent expects, one line. */
  readonly note?: string | null;
  /** The earlier attempt that this one retries. */
  readonly parent?: string | null;
  /** Overrides the session's time limit, in ms. */
  readonly timeoutMs?: number | null;
  /** Ends the command early. */
  readonly signal?: AbortSignal | null;
  /** Descriptor that becomes the command's standard input. */
  readonly stdin: number;
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

/** The time limit of a request, in ms; 0 is none. */
export function limitOf({ options, policy }: SessionContext, request: CommandRequest): number {
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
  options: { emit: EventSink; spool: Spool | null },
): OutputPipeline {
  return new OutputPipeline({
    redactor: context.redactor,
    budget: context.policy.output,
    spool: options.spool,
    passThrough: context.options.passThrough,
    ansi: context.options.ansi,
    show: ({ stream, text }) =>
      options.emit({ kind: "output", stream, text: escapeLookalikes(text, context.nonce) }),
  });
}

/** A run that did not take place. */
function notRun(context: SessionContext, carrying: Carrying, error: string | null): Run {
  const summary = newPipeline(context, { emit: carrying.emit, spool: null }).finish({
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
  const reasons = refusals(context.jail.plan);
  if (reasons.length > 0) {
    return notRun(context, carrying, `the policy cannot be enforced here: ${reasons.join("; ")}`);
  }
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
  const spool = new Spool({
    directory: `${context.user.state}/${OUTPUTS}`,
    id: commandId,
    capBytes: policy.output.spoolBytes,
  });
  refreshCopies(context, decision.programs);
  const reader = decision.stateful ? new StateReader() : null;
  const executed = await execute({
    jail,
    argv: decision.argv,
    fallback: decision.fallback,
    environment: { ...state.environment, PWD: state.cwd },
    inShell: decision.inShell,
    shellPath: [context.options.environment.PATH, DEFAULT_PATH].filter(Boolean).join(":"),
    cwd: state.cwd,
    stdin: request.stdin,
    timeoutMs: limitOf(context, request),
    graceMs: policy.limits.graceMs,
    signal: request.signal ?? null,
    pipeline: newPipeline(context, { emit, spool }),
    state: reader,
    proofRequired: policy.enforcement === "required",
    keepRunning: context.options.keepsState,
    earlier: context.running,
  });
  const report = reader?.finish(state, policy) ?? null;
  if (report?.state) context.state = report.state;
  const { spoolError } = executed.ending.summary;
  const exited = executed.ending.exitCode !== null && executed.ending.signal === null;
  return {
    ...executed,
    denials: denialsOf(context, { ending: executed.ending, named: decision.named, cwd: state.cwd }),
    outputId: spool.isEmpty ? null : commandId,
    notices: [
      ...(report?.dropped ? [`not kept for the next command: ${report.dropped}`] : []),
      ...(spoolError === null ? [] : [`the kept output is incomplete: ${spoolError}`]),
    ],
    changed: context.protected.map((file) => file.restore()).filter((done) => done !== null),
    endsSession: report !== null && exited && !report.finished,
  };
}

function denialsOf(
  context: SessionContext,
  options: {
    ending: Ending;
    named: readonly NamedPath[];
    cwd: string;
  },
): readonly Denial[] {
  const { ending, named, cwd } = options;
  if (ending.exitCode === 0 && ending.summary.notable.length === 0) return [];
  const home = context.variables.HOME;
  return attributeDenials(ending.summary.notable, {
    plan: context.jail.plan,
    context: { cwd, home, named },
  });
}
