/** `debrief chain ID`: all attempts at the same thing. */
import { chainStanding } from "../record/chain_standing.ts";
import { newestFirst } from "../record/read.ts";
import { logLine } from "../record/render_log.ts";
import { chainOf } from "../record/retry_chain.ts";
import type { CommandLine } from "./command_line.ts";
import { stateDirectory } from "./directories.ts";
import { recordOf } from "./show_command.ts";
import { writeText } from "./terminal.ts";
import { EXIT } from "../exit_codes.ts";

/** Run the command. @throws {UsageError} when there is no such record. */
export function runChainCommand(line: CommandLine): number {
  const { command_id } = recordOf(line);
  const records = [...newestFirst({ directory: stateDirectory(line) }, () => {})].reverse();
  const chain = chainOf(records, command_id);
  // Rotated away since it was found.
  if (chain === null) return EXIT.findings;
  writeText(
    1,
    line.switches.has("json")
      ? JSON.stringify(chain) + "\n"
      : [...chain.records.map(logLine), chainStanding(chain).join("; ")].join("\n") + "\n",
  );
  return EXIT.ok;
}
