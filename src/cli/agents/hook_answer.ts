/**
 * What a host's hook is told: the shell tool's command, rewritten so that it runs through Debrief. Anything that is not
 * understood is an error, and the caller turns it into a refusal: a host that gets no answer runs the command as it is.
 */
import * as v from "valibot";
import { quoteWord } from "../../command/quote.ts";
import type { AgentName } from "./agent_names.ts";

/** Where an agent's hooks differ. */
interface HookTerms {
  /** The event before a tool is used. */
  readonly event: string;
  /** The tool whose commands a shell runs. */
  readonly shell: string;
  /** The key of the answer that holds the tool's new input. */
  readonly input: "updatedInput" | "tool_input";
  /** What is to be said besides. Codex takes no new input without `allow`; the others go on asking their user. */
  readonly besides: Readonly<Record<string, string>>;
}

const CLAUDE: HookTerms = {
  event: "PreToolUse",
  shell: "Bash",
  input: "updatedInput",
  besides: { hookEventName: "PreToolUse" },
};

const TERMS: Readonly<Partial<Record<AgentName, HookTerms>>> = {
  claude: CLAUDE,
  codex: { ...CLAUDE, besides: { ...CLAUDE.besides, permissionDecision: "allow" } },
  gemini: {
    event: "BeforeTool",
    shell: "run_shell_command",
    input: "tool_input",
    besides: { hookEventName: "BeforeTool" },
  },
};

const CallSchema = v.looseObject({
  hook_event_name: v.string(),
  tool_name: v.string(),
  tool_input: v.looseObject({}),
});

const ShellInputSchema = v.looseObject({ command: v.pipe(v.string(), v.minLength(1)) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

function checked<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`${v.getDotPath(issue) ?? "it"}: ${issue.message}`);
}

/** True for an agent that has hooks before its tools. */
export function hasHooks(agent: AgentName): boolean {
  return TERMS[agent] !== undefined;
}

/**
 * The answer to one call, as JSON; null for a tool that runs no shell, of which Debrief says nothing.
 *
 * @throws {Error} when the call is not what the agent's hooks send.
 */
export function hookAnswer(
  call: string,
  { agent, executable }: { readonly agent: AgentName; readonly executable: string },
): string | null {
  const terms = TERMS[agent];
  if (terms === undefined) throw new Error(`${agent} has no hooks`);
  const { hook_event_name: event, tool_name: tool, tool_input: input } = checked(
    CallSchema,
    parsed(call),
  );
  if (event !== terms.event) throw new Error(`hook_event_name: "${event}" is not ${terms.event}`);
  if (tool !== terms.shell) return null;
  const { command } = checked(ShellInputSchema, input);
  if (command.includes("\0")) throw new Error("tool_input.command: it holds a NUL");
  // Behind "--" no text is taken for a flag, whatever it begins with.
  const rewritten = `${quoteWord(executable)} -c -- ${quoteWord(command)}`;
  return JSON.stringify({
    hookSpecificOutput: { ...terms.besides, [terms.input]: { ...input, command: rewritten } },
  });
}
