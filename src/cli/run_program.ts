/** The part of main.ts that runs commands, which the executable carries as bytecode: see `tools/bytecode.ts`. */
import "./check_system.ts";
import { begin } from "./begin.ts";
import { runLine, runsCommands } from "./run_line.ts";

/** Carry out a command line that runs commands. @returns the exit status, null for another, which is left to main.ts. */
export function runProgram(args: readonly string[]): Promise<number | null> {
  return begin<number | null>(
    args,
    async (line, inherited) => runsCommands(line) ? await runLine(line, inherited) : null,
  );
}
