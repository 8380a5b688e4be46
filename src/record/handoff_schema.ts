/** The shape of a handoff as JSON: one definition, which types it and becomes `docs/handoff.schema.json`. */
import * as v from "valibot";

const text = v.string();
const textOrNull = v.nullable(text);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const described = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description));

const Attempt = v.object({
  command_id: text,
  command: described(text, "As typed, on one line."),
  cwd: text,
  started_at: text,
  duration_ms: v.number(),
  exit_code: described(v.nullable(v.number()), "Null when no exit was observed."),
  outcome: text,
  error: described(textOrNull, "Why no exit was observed, or the last telling line of the output."),
  expected: described(textOrNull, "What the caller expected."),
});

const Open = v.object({
  kind: described(
    v.picklist(["no-exit", "failed", "missing", "job"]),
    "A command without an exit status, one whose last attempt failed, a required one that did not run, a process left running.",
  ),
  command: text,
  command_id: textOrNull,
  attempts: count,
  reason: text,
  expected: textOrNull,
  suggestion: described(textOrNull, "What the block of the last attempt said could be done."),
});

const Changes = v.object({
  source: described(
    v.picklist(["git", "times", "unknown"]),
    "git: what git says, asked inside the jail; times: files that say that they were changed since the first command; unknown: nobody could be asked.",
  ),
  reason: described(textOrNull, "Why it is not git."),
  branch: textOrNull,
  files: v.array(v.object({
    status: described(text, "The two letters of git status, or blank."),
    path: text,
  })),
  commits: described(
    v.array(v.object({ id: text, subject: text })),
    "Since the first command, newest first.",
  ),
  more: described(count, "Files beyond those that are listed."),
});

/** The definition. */
export const HandoffSchema = v.object({
  version: v.literal(1),
  task: textOrNull,
  goal: textOrNull,
  sessions: v.array(text),
  workspace: text,
  began_at: textOrNull,
  ended_at: textOrNull,
  commands: count,
  outcomes: described(v.record(text, count), "How many commands ended how."),
  required: described(
    v.array(v.object({ command: text, state: v.picklist(["passed", "failed", "missing"]) })),
    "Commands that --require names.",
  ),
  open: described(v.array(Open), "What is not settled, most important first."),
  changed: Changes,
  restored: described(v.array(text), "Protected files that commands had changed."),
  attempts: described(
    v.array(Attempt),
    "The last five commands, and all that failed or have no exit status; oldest first.",
  ),
  next: described(v.array(text), "What is left to do, as facts."),
});

/** A handoff. */
export type Handoff = v.InferOutput<typeof HandoffSchema>;
/** One thing that is not settled. */
export type OpenPoint = Handoff["open"][number];
/** What was changed. */
export type HandoffChanges = Handoff["changed"];
