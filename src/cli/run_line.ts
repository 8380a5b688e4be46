/** The front ends that run commands. */
import { type CommandLine, isOneCommand } from "./command_line.ts";
import { runOneshot } from "./oneshot.ts";
import { outsideSession } from "./outside_session.ts";
import { runStreamSession } from "./stream_session.ts";

/** True for a command line that runs commands, as without the name of a subcommand. */
export function runsCommands({ command, switches }: CommandLine): boolean {
  return command === "run" && !switches.has("help") && !switches.has("version");
}

/**
 * Run one command, or a session.
 *
 * @param inherited descriptors that the process was started with, besides the standard ones.
 * @returns the exit status.
 * @throws {UsageError} when nothing can be run.
 */
export async function runLine(
  line: CommandLine,
  inherited: ReadonlySet<number>,
): Promise<number> {
  if (line.switches.has("background")) throw outsideSession("--background");
  return isOneCommand(line)
    ? await runOneshot(line, inherited)
    : await runStreamSession(line, inherited);
}
