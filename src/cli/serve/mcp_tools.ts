/** The tools of `debrief mcp`: what each is for, what it takes and gives, and what it can do to the world. */
import * as v from "valibot";
import { jsonSchemaOf } from "../../protocol/json_schema.ts";
import { BlockSchema, JobViewSchema, RESULT_SCHEMAS } from "../../protocol/result_schemas.ts";
import {
  AIM_FIELDS,
  commandId,
  INPUT_FIELDS,
  JOB_FIELDS,
  OUTPUT_FIELDS,
  RUN_FIELDS,
  SIGNAL_FIELDS,
} from "../../protocol/order_fields.ts";
import { coversPath } from "../../policy/match.ts";
import type { Plan } from "../../sandbox/plan.ts";

/** Arguments of each tool. */
export const ARGUMENTS = {
  run: v.strictObject(RUN_FIELDS),
  output: v.strictObject({ id: commandId, ...OUTPUT_FIELDS }),
  jobs: v.strictObject(JOB_FIELDS),
  send: v.strictObject({ id: commandId, ...INPUT_FIELDS }),
  kill: v.strictObject({ id: commandId, ...SIGNAL_FIELDS }),
  status: v.strictObject({}),
  aims: v.strictObject(AIM_FIELDS),
} as const;

/** What each gives as data. */
const RESULTS: Readonly<Record<ToolName, v.GenericSchema>> = {
  run: v.looseObject({
    output: v.pipe(
      v.string(),
      v.description("What the command printed, redacted, shortened when long."),
    ),
    exit_status: v.nullable(v.pipe(
      v.number(),
      v.description("What a shell would report, 0 to 255; null while it runs in the background."),
    )),
    block: v.nullable(BlockSchema),
    job: v.nullable(JobViewSchema),
  }),
  output: RESULT_SCHEMAS.output,
  jobs: RESULT_SCHEMAS.jobs,
  send: RESULT_SCHEMAS.write_stdin,
  kill: RESULT_SCHEMAS.kill,
  status: RESULT_SCHEMAS.status,
  aims: RESULT_SCHEMAS.aims,
};

/** Names of the tools. */
export type ToolName = keyof typeof ARGUMENTS;

/** A tool as `tools/list` describes it. */
export interface Tool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
  readonly outputSchema: { readonly type: "object" };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

const WORDS: Readonly<Record<ToolName, { readonly title: string; readonly description: string }>> =
  {
    run: {
      title: "Run a command",
      description: [
        "Run a shell command (or exact argv) in Debrief's jail and wait for its end.",
        "The result ends with a block: what happened, exit status, what was refused by which rule, and next steps that are worth trying.",
        "Long output is shortened to head and tail; the tool output reads the rest by the block's id.",
        "Every call starts in the same directory with the same variables: give cwd and env instead of cd and export.",
        "Calls may run at the same time. For servers and watchers set background, and use the tools jobs, output, send and kill with the id that is returned.",
        "Nothing answers prompts: use non-interactive flags, or give stdin.",
        "Say in note what you expect; give parent when you try something again.",
      ].join(" "),
    },
    output: {
      title: "Read kept output",
      description:
        "Read the redacted output of an earlier command of this session by its id: a range of lines, lines that match, the first or the last. A page is bounded; next says where to go on.",
    },
    jobs: {
      title: "List commands that run",
      description:
        "List the commands of this session that run, and those that ended lately: id, state, outcome, bytes printed so far, and what it asks when it waits for input. With id only that one, with its block when it has ended; waitMs waits for its end or for a question.",
    },
    send: {
      title: "Send input to a command",
      description:
        "Send text to the standard input of a running command that was started with background or openStdin; end closes the input. The text needs its newline.",
    },
    kill: {
      title: "End a command",
      description:
        "Send a signal to a running command and all of its processes. TERM and KILL end it; the result is then its block.",
    },
    status: {
      title: "Show what is in force",
      description:
        "Show the policy, how each permission is enforced, directory, time limit, goal, deadline, budget and what was used of it.",
    },
    aims: {
      title: "Set goal, deadline and budget",
      description:
        "Say what the session is for, when it ends and what it may use; feedback after each command refers to it. Absent fields stay as they are; without any it only reports.",
    },
  };

/**
 * All tools, true to what commands may do under this plan.
 *
 * @param options.temporary the session's private directory: what is written there is gone with it.
 */
export function toolsUnder(
  plan: Plan,
  { temporary }: { readonly temporary: string },
): readonly Tool[] {
  const lasts = ({ path, write, device }: Plan["grants"][number]) =>
    write && !device && !coversPath(temporary, path);
  const canWrite = plan.backend.kind === "none" || plan.grants.some(lasts);
  const canReach = plan.net !== "none";
  const looks = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
  const annotations: Readonly<Record<ToolName, Tool["annotations"]>> = {
    run: {
      readOnlyHint: !canWrite && !canReach,
      destructiveHint: canWrite || canReach,
      idempotentHint: false,
      openWorldHint: canReach,
    },
    output: { ...looks, idempotentHint: true },
    jobs: { ...looks, idempotentHint: true },
    // What is sent can have a command do whatever it may.
    send: {
      readOnlyHint: !canWrite && !canReach,
      destructiveHint: canWrite || canReach,
      idempotentHint: false,
      openWorldHint: canReach,
    },
    kill: { ...looks, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    status: { ...looks, idempotentHint: true },
    aims: { ...looks, readOnlyHint: false, idempotentHint: false },
  };
  return (Object.keys(ARGUMENTS) as ToolName[]).map((name) => ({
    name,
    ...WORDS[name],
    inputSchema: { ...jsonSchemaOf(ARGUMENTS[name]), type: "object" },
    outputSchema: { ...jsonSchemaOf(RESULTS[name]), type: "object" },
    annotations: annotations[name],
  }));
}
