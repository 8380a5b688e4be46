/** `debrief chain ID`: all attempts at the same thing. */
import { newestFirst } from "../record/read.ts";
import { logLine } from "../record/render_log.ts";
import { chainOf, type RetryChain } from "../record/retry_chain.ts";
import { succeeded } from "../record/succeeded.ts";
import { visibleText } from "../record/visible_text.ts";
import type { CommandLine } from "./command_line.ts";
import { stateDirectory } from "./directories.ts";
import { recordOf } from "./show_command.ts";
import { writeText } from "./terminal.ts";
import { EXIT } from "../exit_codes.ts";
import { counted } from "../output/counted.ts";

/** Parents that one line names. */
const LISTED = 4;

/** How a chain stands, in one line: only status 0 of its last record is success. */
function standing({ records, missing, cyclic }: RetryChain): string {
  const last = records.at(-1) ?? records[0];
  const end = succeeded(last)
    ? "succeeded"
    : last.exit_code === null
    ? "has no exit status"
    : `failed with exit status ${last.exit_code}`;
  const names = missing.slice(0, LISTED).map(visibleText).join(", ");
  const more = missing.length > LISTED ? ", …" : "";
  return [
    `${counted(records.length, "attempt")}, the last ${end}`,
    ...(missing.length > 0 ? [`no longer in the journal: ${names}${more}`] : []),
    ...(cyclic ? ["its links form a circle"] : []),
  ].join("; ");
}

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
      : [...chain.records.map(logLine), standing(chain)].join("\n") + "\n",
  );
  return EXIT.ok;
}
