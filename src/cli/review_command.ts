/** `debrief review`: the records on a screen. */
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { queryOf } from "./record_query.ts";

/** @throws {UsageError} when there is no screen to draw on, or nobody to press keys. */
function checkTerminal(): void {
  const state = !Deno.stdin.isTerminal()
    ? "standard input is no terminal"
    : !Deno.stdout.isTerminal()
    ? "standard output is no terminal"
    : Deno.env.get("TERM") === "dumb"
    ? "this terminal cannot move its cursor (TERM=dumb)"
    : null;
  if (state === null) return;
  throw new UsageError(`Cannot show the review: ${state}; debrief log prints the records`);
}

/**
 * Variables by which others switch the screen's library into a mode for its own developers, in which it connects to a
 * debugger on loopback (DEV), and by which the runtime of its components chooses checks that cost time.
 */
function calmLibraries(): void {
  Deno.env.delete("DEV");
  Deno.env.set("NODE_ENV", "production");
}

/**
 * Run the command. The screen is loaded here and nowhere else: no other command pays for it.
 *
 * @throws {UsageError} when there is no terminal, the journal cannot be read, or a flag cannot be used.
 */
export async function runReviewCommand(line: CommandLine): Promise<number> {
  noOperands(line);
  const query = queryOf(line);
  checkTerminal();
  calmLibraries();
  // A sum, because the bundler adds it up and Deno does not: at each start it would read what is known of all packages
  // behind an import that it can foresee, which takes 30 MB and 100 ms.
  const { runReview }: typeof import("./review/run_review.tsx") = await import(
    "./review/run_review" + ".tsx"
  );
  await runReview({ directory: stateDirectory(line), query });
  return EXIT.ok;
}
