/** `debrief completions SHELL`: a script by which a shell completes Debrief's command line. */
import { UsageError } from "../errors.ts";
import type { CommandLine } from "./command_line.ts";
import { bashCompletion } from "./completions/bash.ts";
import { fishCompletion } from "./completions/fish.ts";
import { zshCompletion } from "./completions/zsh.ts";
import { writeText } from "./terminal.ts";

const SCRIPTS: ReadonlyMap<string, () => string> = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

/** Run the command. @throws {UsageError} for a shell that is not known. */
export function runCompletionsCommand(line: CommandLine): number {
  const [shell, surplus] = line.operands;
  const accepted = `accepted are ${[...SCRIPTS.keys()].join(", ")}`;
  if (shell === undefined) throw new UsageError(`Cannot go on without a shell: ${accepted}`);
  if (surplus !== undefined) throw new UsageError(`Cannot use "${surplus}": one shell is accepted`);
  const script = SCRIPTS.get(shell);
  if (script === undefined) throw new UsageError(`Cannot use the shell "${shell}": ${accepted}`);
  writeText(1, script());
  return 0;
}
