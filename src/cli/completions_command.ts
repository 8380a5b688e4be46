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
  const [shell = "", surplus] = line.operands;
  const script = SCRIPTS.get(shell);
  if (script === undefined || surplus !== undefined) {
    const what = script === undefined ? shell : surplus ?? "";
    throw new UsageError(
      `Cannot complete for "${what}": one shell is accepted, ${[...SCRIPTS.keys()].join(", ")}`,
    );
  }
  writeText(1, script());
  return 0;
}
