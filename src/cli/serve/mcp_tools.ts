/** The tools of `debrief mcp`: what each is for, what it takes and gives, and what it can do to the world. */
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { BLOCK_SCHEMA } from "../../feedback/block_schema.ts";
import { AIM_FIELDS, commandId, OUTPUT_FIELDS, RUN_FIELDS } from "../../protocol/run_fields.ts";
import { coversPath } from "../../policy/match.ts";
import type { Plan } from "../../sandbox/plan.ts";

/** Arguments of each tool. */
export const ARGUMENTS = {
  run: v.strictObject(RUN_FIELDS),
  output: v.strictObject({ id: commandId, ...OUTPUT_FIELDS }),
  status: v.strictObject({}),
  aims: v.strictObject(AIM_FIELDS),
} as const;

/** Names of the tools. */
export type ToolName = keyof typeof ARGUMENTS;

type JsonObject = Record<string, unknown>;

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

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const number = { type: "number" };

function object(properties: JsonObject, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required } as const;
}

const { $schema: _dialect, title: _title, ...block } = BLOCK_SCHEMA;

const aims = object({
  goal: textOrNull,
  task: textOrNull,
  deadline: { anyOf: [object({ at: number, written: text }), { type: "null" }] },
  budget: object({
    tokens: { type: ["number", "null"] },
    seconds: { type: ["number", "null"] },
  }),
  used: object({ tokens: number, seconds: number }),
  calls: number,
});

const OUTPUTS: Readonly<Record<ToolName, Tool["outputSchema"]>> = {
  run: object({
    output: { ...text, description: "What the command printed, redacted, shortened when long." },
    exit_status: { type: "integer", description: "What a shell would report, 0 to 255." },
    block,
  }),
  output: object({
    lines: {
      type: "array",
      items: object({
        stream: { enum: ["stdout", "stderr"] },
        line: { type: "integer" },
        text,
        kind: { enum: ["line", "match", "context", "gap"] },
      }),
    },
    next: {
      anyOf: [object({ stream: { enum: ["stdout", "stderr"] }, line: { type: "integer" } }), {
        type: "null",
      }],
    },
  }),
  status: object({
    version: text,
    session_id: text,
    workspace: text,
    cwd: text,
    policy: text,
    enforcement: { enum: ["required", "best-effort"] },
    backend: text,
    enforced: { type: "object", additionalProperties: text },
    timeout_ms: number,
    aims,
  }),
  aims,
};

const WORDS: Readonly<Record<ToolName, { readonly title: string; readonly description: string }>> =
  {
    run: {
      title: "Run a command",
      description: [
        "Run a shell command (or exact argv) in Debrief's jail and wait for its end.",
        "The result ends with a block: what happened, exit status, what was refused by which rule, and next steps that are worth trying.",
        "Long output is shortened to head and tail; the tool output reads the rest by the block's id.",
        "Every call starts in the same directory with the same variables: give cwd and env instead of cd and export.",
        "Nothing answers prompts: use non-interactive flags.",
        "Say in note what you expect; give parent when you try something again.",
      ].join(" "),
    },
    output: {
      title: "Read kept output",
      description:
        "Read the redacted output of an earlier command of this session by its id: a range of lines, lines that match, the first or the last. A page is bounded; next says where to go on.",
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
    status: { ...looks, idempotentHint: true },
    aims: { ...looks, readOnlyHint: false, idempotentHint: false },
  };
  return (Object.keys(ARGUMENTS) as ToolName[]).map((name) => ({
    name,
    ...WORDS[name],
    inputSchema: inputSchema(name),
    outputSchema: OUTPUTS[name],
    annotations: annotations[name],
  }));
}

function inputSchema(name: ToolName): Tool["inputSchema"] {
  const { $schema: _, ...schema } = toJsonSchema(ARGUMENTS[name], { target: "draft-2020-12" });
  return { ...schema, type: "object" };
}
