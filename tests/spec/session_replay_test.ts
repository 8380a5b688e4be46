/**
 * A session on piped standard input against `bash -s` that reads the same text. What stays from command to command is
 * the working directory, exported variables, functions and aliases; what else bash keeps is stated as a divergence.
 */
import { runBash } from "./real_bash.ts";
import { ReplayPlace } from "./replay_place.ts";
import { ReplaySession } from "./replay_session.ts";
import { compareResults, loadTable, type Result, tableNames } from "./replay_table.ts";

/** Bash counts the lines of the whole text, a session those of each command. */
function withoutLines(result: Result): Result {
  return { ...result, stderr: result.stderr.replace(/\bline \d+\b/g, "line N") };
}

for (const table of tableNames("sessions")) {
  Deno.test(`a session on standard input does what bash does: ${table}`, async (t) => {
    using place = new ReplayPlace();
    await using session = new ReplaySession(place, { keepsState: true });
    for (const entry of loadTable("sessions", table)) {
      await t.step(entry.name, async () => {
        place.prepare([]);
        const text = entry.script === "" || /\n$|\\$/.test(entry.script)
          ? entry.script
          : entry.script + "\n";
        const options = { cwd: place.cwd, env: session.environment, stdin: place.input(text) };
        const bash = withoutLines(await runBash(["-s"], options));
        place.prepare([]);
        compareResults(entry, { bash, debrief: withoutLines(await session.feed(text)) });
      });
    }
  });
}
