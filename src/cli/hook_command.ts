/** `debrief hook AGENT`: answers an agent's hook with the command as it runs through Debrief. */
import { reasonOf, UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { agentNamed } from "./agents/agent_names.ts";
import { hasHooks, hookAnswer } from "./agents/hook_answer.ts";
import { requiredExecutable } from "./agents/required_executable.ts";
import type { CommandLine } from "./command_line.ts";
import { redactOwnText } from "./own_text.ts";
import { writeText } from "./terminal.ts";

/** Bytes of a call that are read; the longest command that Linux can start is smaller (`ARG_MAX` of 2 MiB). */
const CALL_BYTES = 8 * 1024 * 1024;

async function standardInput(): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  for await (const chunk of Deno.stdin.readable) {
    bytes += chunk.length;
    if (bytes > CALL_BYTES) throw new Error(`it is longer than ${CALL_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Run the command. Every trouble ends with status 2 and a reason: to all hosts that is a refusal, while they take any other
 * failure of a hook for leave to go on.
 */
export async function runHookCommand({ operands }: CommandLine): Promise<number> {
  try {
    const agent = agentNamed(operands[0]);
    if (operands.length > 1) {
      throw new UsageError(`Cannot use "${operands[1]}": one agent is named`);
    }
    if (!hasHooks(agent)) {
      throw new UsageError(
        `Cannot use hooks of ${agent}: it has none; see debrief install ${agent}`,
      );
    }
    const answer = hookAnswer(await standardInput(), { agent, executable: requiredExecutable() });
    if (answer !== null) writeText(1, answer + "\n");
    return EXIT.ok;
  } catch (error) {
    const reason = reasonOf(error);
    const known = error instanceof UsageError || reason.startsWith("Cannot ");
    const message = known ? reason : `Cannot use the hook's call: ${reason}`;
    writeText(2, redactOwnText(`debrief: ${message}\n`));
    return EXIT.usage;
  }
}
