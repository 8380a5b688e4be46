/** `debrief output ID`: the kept output of an earlier command. */
import { UsageError } from "../errors.ts";
import { readSpool, type ReadSpoolOptions, spoolLines } from "../output/spool_read.ts";
import type { StreamName } from "../output/summary.ts";
import { OUTPUTS } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { countOf, linesOf } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { recordOf } from "./show_command.ts";
import { writeText } from "./terminal.ts";

/** Text is written in pieces of this size, in characters. */
const PIECE = 1 << 16;
/** And of at most so many lines: a line that was found keeps the block alive that it was read in. */
const PIECE_LINES = 256;

/** The streams that the flags choose, both without one. */
export function streamsOf(line: CommandLine): readonly StreamName[] {
  const [stdout, stderr] = [line.switches.has("stdout"), line.switches.has("stderr")];
  if (stdout === stderr) return ["stdout", "stderr"];
  return [stdout ? "stdout" : "stderr"];
}

/** At most one way to choose lines. @throws {UsageError} when there are more, or `--around` has no `--grep`. */
function checkChoice(line: CommandLine): void {
  const given = ["grep", "head", "tail"].filter((flag) => line.values.has(flag));
  if (given.length > 1) {
    throw new UsageError(`Cannot use --${given.join(" and --")} together: one of them is accepted`);
  }
  if (line.values.has("around") && !line.values.has("grep")) {
    throw new UsageError("Cannot use --around without --grep");
  }
}

/** What the flags choose of an output. @throws {UsageError} for flags that cannot be used, or not together. */
export async function choiceOf(
  line: CommandLine,
): Promise<Omit<ReadSpoolOptions, "directory" | "id" | "stream">> {
  checkChoice(line);
  const [lines, around, head, tail] = [
    linesOf(line),
    countOf(line, "around"),
    countOf(line, "head"),
    countOf(line, "tail"),
  ];
  const grep = line.values.get("grep");
  return {
    ...(lines === null ? {} : { lines }),
    ...(grep === undefined
      ? {}
      : { grep: (await import("../output/line_pattern.ts")).linePattern(grep) }),
    ...(around === null ? {} : { around }),
    ...(head === null ? {} : { head }),
    ...(tail === null ? {} : { tail }),
  };
}

/** One line of JSON for each line of the stream, or for what is missing between two. */
function* jsonLines(options: ReadSpoolOptions): Generator<string> {
  for (const { number, text, kind, missing } of spoolLines(options)) {
    const { stream } = options;
    yield JSON.stringify(
      kind === "gap"
        ? { stream, truncated_bytes: missing }
        : { stream, line: number, text, ...(kind === "line" ? {} : { match: kind === "match" }) },
    );
  }
}

/** Run the command. @throws {UsageError} when there is no such output or a flag cannot be used. */
export async function runOutputCommand(line: CommandLine): Promise<number> {
  const choice = await choiceOf(line);
  const record = recordOf(line);
  if (record.output_id === null) {
    throw new UsageError(`Cannot print the output of "${record.command_id}": it has none`);
  }
  const json = line.switches.has("json");
  let piece = "";
  let count = 0;
  for (const stream of streamsOf(line)) {
    const options = {
      directory: `${stateDirectory(line)}/${OUTPUTS}`,
      id: record.output_id,
      stream,
      ...choice,
    };
    for (const part of json ? jsonLines(options) : readSpool(options)) {
      piece += part + "\n";
      if (piece.length < PIECE && ++count < PIECE_LINES) continue;
      writeText(1, piece);
      piece = "";
      count = 0;
    }
  }
  writeText(1, piece);
  return 0;
}
