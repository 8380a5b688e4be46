/**
 * Debrief as a library: open a session, run commands in it, read what was recorded. Each stage can be used by itself.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseScript } from "@debrief/debrief";
 *
 * const result = parseScript("git status | head -3");
 * assertEquals(result.kind === "script" && result.script.programs.map(({ name }) => name), ["git", "head"]);
 * ```
 *
 * @module
 */

// Command: from text to what it can start.
export {
  collectPrograms,
  type ParseOptions,
  type ParseResult,
  parseScript,
} from "./command/parse.ts";
export { quoteArgv, quoteWord } from "./command/quote.ts";
export type {
  Assignment,
  Expectation,
  FunctionDefinition,
  Program,
  Redirection,
  Script,
  Session as ShellNames,
  Span,
} from "./command/script.ts";

// Policy: what may be done.
export { checkRun, type RunnableProgram } from "./policy/check.ts";
export { BUILTIN_NAMES, type BuiltinName } from "./policy/builtins.ts";
export { type BuiltinSummary, listBuiltins, renderPolicy } from "./policy/explain.ts";
export { type LoadOptions, loadPolicy } from "./policy/load.ts";
export { narrowPolicy } from "./policy/narrow.ts";
export {
  type Denial,
  type FeedbackSettings,
  type Limits,
  type OutputBudget,
  type PermissionName,
  PERMISSIONS,
  type Policy,
  type PolicyVariables,
  type RedactSettings,
  type Rule,
  type RuleSet,
} from "./policy/policy.ts";

// Sandbox: what a policy comes to on this host.
export type { Watched } from "./sandbox/grants.ts";
export { type Host, probeHost } from "./sandbox/host.ts";
export { type Plan, type PlanContext, planJail, refusals } from "./sandbox/plan.ts";
export type {
  EnforcementLabel,
  Guard,
  PlannedRule,
  RulePlan,
  Unsupported,
} from "./sandbox/plan_rules.ts";
export type { Backend, BackendKind } from "./sandbox/backend.ts";
export type { Cover, Covering } from "./sandbox/covers.ts";
export type { Bubblewrap } from "./sandbox/find_bubblewrap.ts";
export type { GuardName } from "./sandbox/landlock_abi.ts";
export type { Access } from "./sandbox/landlock.ts";
export type { PathGrant } from "./sandbox/restrict.ts";
export type { Architecture } from "./sandbox/linux/syscalls.ts";

// Output: redacted, counted, shortened.
export type { NotableKind } from "./output/notable.ts";
export { OutputPipeline, type PipelineOptions } from "./output/pipeline.ts";
export { type Mark, Redactor, type RedactorOptions, type RedactStream } from "./output/redact.ts";
export { Spool, type SpoolResult } from "./output/spool.ts";
export type {
  OutputSummary,
  Shown,
  StreamName,
  StreamSummary,
  Truncation,
} from "./output/summary.ts";

// Record: what happened, for later.
export { type Appended, JournalFollower } from "./record/follow.ts";
export {
  type FindingName,
  type GateAttempt,
  type GateFinding,
  type GateReport,
  type GateRequirement,
  type GateRules,
  judge,
} from "./record/gate.ts";
export type { RecordQuery } from "./record/query.ts";
export { type Link, type RetryChain, retryChains } from "./record/retry_chain.ts";
export { Journal, type UnchainedRecord } from "./record/journal.ts";
export {
  findRecord,
  type JournalPage,
  readNewest,
  type RecordFilter,
  type SkippedLines,
} from "./record/read.ts";
export type {
  CommandRecord,
  Ending,
  LeftRunning,
  Outcome,
  OutcomeKind,
  SandboxState,
  Suggestion,
} from "./record/record.ts";
export { type ChainGap, type ChainReport, verifyJournal } from "./record/verify.ts";

// Feedback: what happened, what there is, what can be done next.
export { type Block, BLOCK_VERSION, type Heading, type Level } from "./feedback/block.ts";
export type { Observed, ProgramUse, SyntaxMistake } from "./feedback/observed.ts";
export {
  type Feedback,
  type FeedbackCommand,
  type FeedbackContext,
  type FeedbackDraft,
  type FeedbackProvider,
  type FeedbackTrigger,
  type Observation,
  type ProviderState,
  type Severity,
} from "./feedback/providers/provider.ts";
export { renderFeedback } from "./feedback/providers/render_feedback.ts";
export {
  type Evaluation,
  NO_STATES,
  type ProviderStates,
  type RunOptions,
  runProviders,
  type Selection,
} from "./feedback/providers/run_providers.ts";
export { staticProvider } from "./feedback/providers/static_provider.ts";
export { isTriggered } from "./feedback/providers/trigger.ts";
export { type JobReport, type JobView, type Waiting } from "./feedback/job_report.ts";
export { classify } from "./feedback/outcome.ts";
export { renderJson, type RenderOptions, renderText } from "./feedback/render.ts";

// Session: all of it together.
export type { CommandRequest } from "./session/carry_out.ts";
export type { CommandText } from "./session/decide.ts";
export type { EventSink, SessionEvent } from "./session/events.ts";
export type { AimsReport, SessionAims } from "./session/session_feedback.ts";
export { Job, type JobEnd, type JobRequest } from "./session/job.ts";
export { Session } from "./session/session.ts";
export { MAX_JOBS, SessionJobs } from "./session/session_jobs.ts";
export type { SessionOptions } from "./session/session_context.ts";

// Client: the same from outside, over JSON lines.
export { DebriefClient, type RemoteRequest } from "./client/debrief_client.ts";
export { RequestError } from "./client/connection.ts";
export type { OutputChunk } from "./client/output_chunks.ts";
export { type Collected, RemoteCommand } from "./client/remote_command.ts";
export type { StartOptions } from "./client/start_debrief.ts";
export {
  type EndedEvent,
  ERROR_CODES,
  type ErrorCode,
  type ErrorEvent,
  type HelloEvent,
  type OutputEvent,
  PROTOCOL_VERSION,
  type ProtocolEvent,
  type ResultEvent,
  type StartedEvent,
  type WaitingEvent,
} from "./protocol/events.ts";
export type {
  Request,
  RequestFields,
  RequestOf,
  RequestType,
  Target,
} from "./protocol/requests.ts";
export type {
  AimsState,
  JobList,
  KillResult,
  OutputLine,
  OutputPage,
  Results,
  SendResult,
  ServiceStatus,
} from "./protocol/results.ts";
export type {
  AimsOrder,
  InputOrder,
  JobsOrder,
  KillOrder,
  OutputOrder,
  RunOrder,
  SignalName,
} from "./protocol/orders.ts";

export { PolicyError, type SourceLocation, SystemCallError, UsageError } from "./errors.ts";
export { EXIT } from "./exit_codes.ts";
