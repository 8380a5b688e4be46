/** From a record to what is sent of it. Pure: what content capture leaves out never reaches the code that sends. */
import { boundText, boundTexts } from "../record/bounds.ts";
import type { CommandRecord } from "../record/record.ts";
import { answered } from "../record/succeeded.ts";
import { ATTRIBUTE, EVENT, OPERATION, TOOL } from "./attribute_names.ts";

/** Attributes as OpenTelemetry has them. */
export type SpanAttributes = Readonly<Record<string, string | number | readonly string[]>>;

/** One event of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: SpanAttributes;
}

/** One command, ready to be sent. */
export interface CommandSpan {
  readonly commandId: string;
  /** The attempt that this one retries. */
  readonly parentId: string | null;
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Why it failed, null when it did not; empty where the reason would be content. */
  readonly failure: string | null;
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  /** The attributes of its data points. */
  readonly dimensions: SpanAttributes;
  readonly outcome: string;
  readonly denials: readonly SpanAttributes[];
  readonly redactions: number;
}

/** Bytes of JSON by attribute. */
const MAX = { command: 8_192, tail: 8_192, text: 1_024 } as const;

/** Events of one name that a span has. */
const MAX_EVENTS = 24;

function withoutNulls(
  attributes: Readonly<Record<string, string | number | readonly string[] | null>>,
): SpanAttributes {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** The name of what was executed: only of a program that exists, because a word that is none may be anything. */
function executableOf({ argv, exit_code }: CommandRecord): string | null {
  const [program] = argv;
  if (program === undefined || exit_code === null || exit_code === 127) return null;
  return boundText(program.slice(program.lastIndexOf("/") + 1), MAX.text);
}

function contentOf(record: CommandRecord): SpanAttributes {
  const { command, cwd, agent_note: note, exit_code, stdout_tail, stderr_tail, error } = record;
  return {
    [ATTRIBUTE.commandArgs]: boundTexts(record.argv, MAX.command),
    [ATTRIBUTE.workingDirectory]: boundText(cwd, MAX.text),
    [ATTRIBUTE.callArguments]: JSON.stringify({
      command: boundText(command.join(" "), MAX.command),
      ...(note === null ? {} : { note: boundText(note, MAX.text) }),
    }),
    [ATTRIBUTE.callResult]: JSON.stringify({
      exit_code,
      ...(error === null ? {} : { error: boundText(error, MAX.text) }),
      stdout_tail: boundText(stdout_tail, MAX.tail),
      stderr_tail: boundText(stderr_tail, MAX.tail),
    }),
  };
}

function eventsOf(record: CommandRecord, content: boolean): readonly SpanEvent[] {
  const only = <T>(value: T): T | null => content ? value : null;
  const event = (name: string, attributes: Parameters<typeof withoutNulls>[0]): SpanEvent => ({
    name,
    attributes: withoutNulls(attributes),
  });
  const streams = (["stdout", "stderr"] as const).flatMap((stream) => {
    const cut = record.truncations[stream];
    return cut === null ? [] : [{ stream, ...cut }];
  });
  return [
    ...record.denials.slice(0, MAX_EVENTS).map(({ permission, by, resource, rule }) =>
      event(EVENT.denial, {
        [ATTRIBUTE.permission]: permission,
        [ATTRIBUTE.deniedBy]: by,
        [ATTRIBUTE.resource]: only(boundText(resource, MAX.text)),
        [ATTRIBUTE.rule]: only(boundText(rule, MAX.text)),
      })
    ),
    ...streams.map(({ stream, lines, bytes }) =>
      event(EVENT.truncation, {
        [ATTRIBUTE.stream]: stream,
        [ATTRIBUTE.lines]: lines,
        [ATTRIBUTE.bytes]: bytes,
      })
    ),
    ...Object.entries(record.redactions).slice(0, MAX_EVENTS).map(([rule, count]) =>
      event(EVENT.redaction, { [ATTRIBUTE.rule]: rule, [ATTRIBUTE.count]: count })
    ),
    ...record.jobs.slice(0, MAX_EVENTS).map(({ pid, state, command }) =>
      event(EVENT.job, {
        [ATTRIBUTE.pid]: pid,
        [ATTRIBUTE.state]: state,
        [ATTRIBUTE.command]: only(boundText(command, MAX.text)),
      })
    ),
    ...record.changed.slice(0, MAX_EVENTS).map((path) =>
      event(EVENT.restored, { [ATTRIBUTE.path]: only(boundText(path, MAX.text)) })
    ),
  ];
}

/**
 * Describe a command for a collector.
 *
 * @param record redacted, as every record is.
 */
export function commandSpan(
  record: CommandRecord,
  { content }: { readonly content: boolean },
): CommandSpan {
  const { outcome, bytes, lines } = record;
  const failed = !answered(record);
  const errorType = failed ? outcome.kind : null;
  const tool = {
    [ATTRIBUTE.operation]: OPERATION,
    [ATTRIBUTE.tool]: TOOL,
    [ATTRIBUTE.toolType]: "function",
    [ATTRIBUTE.errorType]: errorType,
  };
  return {
    commandId: record.command_id,
    parentId: record.parent_command_id,
    startMs: Date.parse(record.started_at),
    durationMs: record.duration_ms,
    failure: failed ? (content ? boundText(outcome.reason, MAX.text) : "") : null,
    attributes: {
      ...withoutNulls({
        ...tool,
        [ATTRIBUTE.executable]: executableOf(record),
        [ATTRIBUTE.exitCode]: record.exit_code,
        [ATTRIBUTE.commandId]: record.command_id,
        [ATTRIBUTE.parentId]: record.parent_command_id,
        [ATTRIBUTE.sessionId]: record.session_id,
        [ATTRIBUTE.taskId]: record.task_id === null ? null : boundText(record.task_id, MAX.text),
        [ATTRIBUTE.outcome]: outcome.kind,
        [ATTRIBUTE.signal]: record.signal,
        [ATTRIBUTE.stdoutBytes]: bytes.stdout,
        [ATTRIBUTE.stderrBytes]: bytes.stderr,
        [ATTRIBUTE.stdoutLines]: lines.stdout,
        [ATTRIBUTE.stderrLines]: lines.stderr,
      }),
      ...(content ? contentOf(record) : {}),
    },
    events: eventsOf(record, content),
    dimensions: withoutNulls(tool),
    outcome: outcome.kind,
    denials: record.denials.map(({ permission, by }) => ({
      [ATTRIBUTE.permission]: permission,
      [ATTRIBUTE.deniedBy]: by,
    })),
    redactions: Object.values(record.redactions).reduce((sum, count) => sum + count, 0),
  };
}
