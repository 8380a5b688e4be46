/**
 * Names under which spans and metrics leave. Those of OpenTelemetry are its semantic conventions of November 2026:
 * `gen_ai.*` of `execute_tool` in open-telemetry/semantic-conventions-genai (in development), `process.*` and `error.type`
 * in the registry. What no convention names begins with `debrief.`. The reference is generated from these tables.
 */

/** What `gen_ai.operation.name` says of every span. */
export const OPERATION = "execute_tool";

/** The tool that an agent uses: this shell. */
export const TOOL = "debrief";

/** `service.name` of the resource. */
export const SERVICE_NAME = "service.name";

/** Attributes of spans, events and data points. */
export const ATTRIBUTE = {
  /** `execute_tool` */
  operation: "gen_ai.operation.name",
  /** `debrief` */
  tool: "gen_ai.tool.name",
  /** `function` */
  toolType: "gen_ai.tool.type",
  /** The outcome of a command that failed; absent after success and after the plain no of a search or test. */
  errorType: "error.type",
  /** File name of the program that was executed: `bash` for anything but a plain command. */
  executable: "process.executable.name",
  /** Absent when no exit was observed. */
  exitCode: "process.exit.code",
  /** The id of the record. */
  commandId: "debrief.command.id",
  /** The attempt that this one retries; a link too, when it was in the same session. */
  parentId: "debrief.command.parent_id",
  /** The session of the record. */
  sessionId: "debrief.session.id",
  /** What `--task` said, redacted. */
  taskId: "debrief.task.id",
  /** One of the outcomes. */
  outcome: "debrief.outcome",
  /** The signal that ended it. */
  signal: "debrief.signal",
  /** Bytes as the command wrote them. */
  stdoutBytes: "debrief.stdout.bytes",
  /** Bytes as the command wrote them. */
  stderrBytes: "debrief.stderr.bytes",
  /** Lines as the command wrote them. */
  stdoutLines: "debrief.stdout.lines",
  /** Lines as the command wrote them. */
  stderrLines: "debrief.stderr.lines",
  /** With content: command and note, as JSON. */
  callArguments: "gen_ai.tool.call.arguments",
  /** With content: exit code, error and the last lines of both streams, as JSON. */
  callResult: "gen_ai.tool.call.result",
  /** With content: the argv that was executed. */
  commandArgs: "process.command_args",
  /** With content: where the command started. */
  workingDirectory: "process.working_directory",
  /** Of a denial: the permission. */
  permission: "debrief.permission",
  /** Of a denial: `policy` before the run, or `sandbox`. */
  deniedBy: "debrief.denied_by",
  /** Of a denial, with content: what was refused. */
  resource: "debrief.resource",
  /** Of a redaction: the rule or variable; of a denial, with content: the rule. */
  rule: "debrief.rule",
  /** Of a truncation: `stdout` or `stderr`. */
  stream: "debrief.stream",
  /** Of a truncation: lines that were not shown. */
  lines: "debrief.lines",
  /** Of a truncation: bytes that were not shown. */
  bytes: "debrief.bytes",
  /** Of a redaction: hidden values. */
  count: "debrief.count",
  /** Of a job: its process. */
  pid: "process.pid",
  /** Of a job: `running` or `ended`. */
  state: "debrief.job.state",
  /** Of a job, with content: its command. */
  command: "debrief.job.command",
  /** Of a restored file, with content: its path. */
  path: "debrief.path",
} as const;

/** Events of a span, in the order in which they are added. */
export const EVENT = {
  /** Something was refused. */
  denial: "debrief.denial",
  /** Output of a stream was not shown. */
  truncation: "debrief.truncation",
  /** Values were hidden by a rule. */
  redaction: "debrief.redaction",
  /** A process was left running. */
  job: "debrief.job",
  /** A protected file was put back. */
  restored: "debrief.restored",
} as const;

/** Metrics. */
export const METRIC = {
  /** Histogram in seconds, by tool and `error.type`. */
  duration: "gen_ai.execute_tool.duration",
  /** Counter, by `debrief.outcome`. */
  commands: "debrief.commands",
  /** Counter, by `debrief.permission` and `debrief.denied_by`. */
  denials: "debrief.denials",
  /** Counter of hidden values. */
  redactions: "debrief.redactions",
} as const;
