/** One command of a session, from its text to its record and block. */
import { buildBlock } from "../feedback/block.ts";
import type { Observed } from "../feedback/observed.ts";
import { findings, findingTexts } from "../feedback/findings.ts";
import { classify } from "../feedback/outcome.ts";
import type { EventSink } from "./events.ts";
import { reasonOf, SystemCallError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { boundFeedback, buildRecord } from "../record/build.ts";
import { newId } from "../record/ids.ts";
import type { UnchainedRecord } from "../record/journal.ts";
import { linkParent } from "../record/link_parent.ts";
import { typedText, typedWords } from "../record/typed_command.ts";
import type { CommandRecord, SandboxState } from "../record/record.ts";
import { errnoText } from "../sandbox/errno_text.ts";
import { ERRNO } from "../sandbox/linux/uapi.ts";
import { descendants, reapOrphans } from "../sandbox/process_tree.ts";
import type { Proof } from "../sandbox/restrict.ts";
import { carryOut, type CommandRequest, limitOf, type Run } from "./carry_out.ts";
import type { SessionContext } from "./session_context.ts";
import { type CommandText, decide, type Decision, fileWords } from "./decide.ts";
import { CANCELLED } from "./execution.ts";
import { suggestFor } from "./suggest_for.ts";
import { ShownMeter } from "./session_feedback.ts";
import { redactObserved } from "./redact_observed.ts";
import { nearestDirectory } from "./working_directory.ts";

const SIGKILL = 9;
/** History kept in memory, in records. */
const MAX_HISTORY = 200;

/** Run one command and report it. Never throws for what a command does; a record is written in every case. */
export async function runCommand(
  session: SessionContext,
  request: CommandRequest,
  emit: EventSink,
): Promise<void> {
  // A command that starts from a state of its own writes back to it alone.
  const own = request.state;
  const context = own === undefined ? session : { ...session, state: own };
  const commandId = context.job?.commandId ?? newId("c");
  const startedAt = new Date();
  emit({ kind: "started", commandId });
  context.telemetry?.begin();
  const jobNotice = context.job === null ? context.limits.endJobWatch() : null;
  forgetEnded(context);
  const left = context.state.cwd;
  const cwd = nearestDirectory(left);
  if (cwd !== left) context.state = { ...context.state, cwd };
  const decision = decide(request.text, {
    policy: context.policy,
    state: context.state,
    // A caller that follows the working directory needs the end of it.
    keepsState: own === undefined &&
      (context.options.keepsState || request.trailer?.holds === "directory"),
  });
  const meter = new ShownMeter(emit);
  const run = await carryOut(context, { decision, request, commandId, emit: meter.emit });
  const command = commandWords(request.text, decision);
  const redact = (text: string) => context.redactor.redactText(text);
  const observed: Observed = redactObserved({
    ending: run.ending,
    command,
    programs: decision.kind === "syntax-error" ? [] : decision.programs,
    denials: run.denials,
    syntaxError: decision.kind === "syntax-error" ? decision.mistake : null,
    redirected: decision.kind === "run" && decision.redirected,
  }, redact);
  const outcome = classify(observed);
  const found = findings(observed);
  const parts = {
    ids: { command: commandId, session: context.sessionId, task: taskOf(context, request) },
    command: typedCommand(request.text, decision),
    argv: run.argv,
    cwd,
    startedAt,
    ending: run.ending,
    sandbox: sandboxState(context, run.proof),
    denials: run.denials,
    outcome,
    observations: findingTexts(found),
    suggestions: suggestFor(context, {
      observed,
      outcome,
      findings: found,
      commandId,
      outputId: run.ending.summary.spoolError === null ? run.outputId : null,
      timeoutMs: limitOf(context, request),
      cwd,
    }),
    note: request.note ?? null,
    parent: request.parent ?? null,
    jobs: run.jobs,
    outputId: run.outputId,
    changed: run.changed,
    redact,
  };
  const record = linkParent(context.history, buildRecord(parts));
  const said = await context.feedback.after(record, meter);
  const feedback = boundFeedback(said.texts, redact);
  const notices = [
    ...(jobNotice === null ? [] : [jobNotice]),
    ...(cwd === left ? [] : [`the working directory "${left}" is gone: this ran in "${cwd}"`]),
    ...run.notices,
    ...said.notices,
  ];
  finish(context, { record: { ...record, feedback }, run: { ...run, notices }, request, emit });
}

function finish(
  context: SessionContext,
  options: {
    readonly record: UnchainedRecord;
    readonly run: Run;
    readonly request: CommandRequest;
    readonly emit: EventSink;
  },
): void {
  const { run, request, emit } = options;
  const notices = run.notices.map((notice) => context.redactor.redactText(notice));
  let record: CommandRecord = { ...options.record, prev: null };
  try {
    record = context.journal.append(options.record);
  } catch (error) {
    notices.push(`no record was written: ${context.redactor.redactText(failureText(error))}`);
    record = withoutReference(record);
  }
  context.history.push(record);
  context.telemetry?.command(record);
  if (context.history.length > MAX_HISTORY) context.history.shift();
  for (const job of run.jobs) if (job.state === "running") context.running.add(job.pid);
  if (context.running.size > 0) context.limits.watchJobs();
  const block = buildBlock({ record, notices });
  const exitStatus = exitStatusOf(record, request.signal?.reason);
  context.state = { ...context.state, status: exitStatus };
  emit({
    kind: "finished",
    record,
    block,
    exitStatus,
    endsSession: run.endsSession,
  });
}

function taskOf({ options }: SessionContext, request: CommandRequest): string | null {
  return request.task ?? options.task ?? null;
}

const FULL: ReadonlySet<number> = new Set([ERRNO.ENOSPC, ERRNO.EDQUOT]);

/** Why the journal refused. Of a full disk the path says nothing, and would push the reason out of a line of the block. */
function failureText(error: unknown): string {
  if (error instanceof SystemCallError && FULL.has(error.errno)) {
    return errnoText(error.errno);
  }
  return reasonOf(error);
}

/** A record that nobody can look up leads to no output either, which is found by its record. */
function withoutReference(record: CommandRecord): CommandRecord {
  const suggestions = record.suggestions.filter(({ text }) =>
    !/\bdebrief (?:output|show)\b/.test(text)
  );
  return { ...record, output_id: null, suggestions };
}

/** Forget processes that have ended: their ids may be given to those of another command. */
function forgetEnded({ running, jail }: SessionContext): void {
  if (running.size === 0) return;
  const { watchdogs, supervision: { processes: { awaited } } } = jail;
  const has = (pid: number) => watchdogs.has(pid) || awaited.has(pid);
  reapOrphans({ has, size: watchdogs.size + awaited.size });
  const living = new Set(descendants().map(({ pid }) => pid));
  for (const pid of running) if (!living.has(pid)) running.delete(pid);
}

/**
 * What a shell reports for a record: its exit status, or the status that POSIX shells use for the reason.
 *
 * @param sent the signal by whose number the command was cancelled.
 */
function exitStatusOf(record: CommandRecord, sent: unknown): number {
  if (record.exit_code !== null) return record.exit_code;
  if (record.error === CANCELLED && typeof sent === "number") return EXIT.signalBase + sent;
  switch (record.outcome.kind) {
    case "syntax-error":
      return EXIT.usage;
    case "denied-policy":
    case "not-executable":
      return EXIT.denied;
    case "not-found":
      return EXIT.notFound;
    case "timeout":
    case "needs-input":
      return EXIT.timeout;
    case "killed":
      // By a limit: as if the kernel had done it.
      return EXIT.signalBase + SIGKILL;
    default:
      return EXIT.refused;
  }
}

/** What the record says was typed; `commandWords` says what it means. */
function typedCommand(text: CommandText, decision: Decision): readonly string[] {
  if (text.kind === "argv") return typedWords(text.argv);
  if (text.kind === "file") return typedWords(fileWords(text));
  const isPlain = decision.kind === "run" && decision.fallback !== null;
  return typedText(text.source, isPlain ? decision.argv : null);
}

function commandWords(text: CommandText, decision: Decision): readonly string[] {
  if (text.kind === "argv") return text.argv;
  if (text.kind === "file") return fileWords(text);
  return decision.kind === "run" && decision.fallback !== null ? decision.argv : [text.source];
}

function sandboxState({ jail, policy }: SessionContext, proof: Proof | null): SandboxState {
  const { backend, landlockAbi, labels, guards } = jail.plan;
  return {
    backend: backend.kind,
    landlockAbi,
    policy: [policy.name, ...policy.files.filter((file) => file !== policy.name)].join(" "),
    enforced: {
      ...labels,
      ...Object.fromEntries(guards.map(({ name, enforced }) => [name, enforced])),
    },
    proof,
  };
}
