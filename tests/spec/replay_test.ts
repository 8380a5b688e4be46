/** `debrief -c` against real bash: standard output, standard error and exit status are the same, byte for byte. */
import { assert } from "@std/assert";
import { runBash } from "./real_bash.ts";
import { ReplayPlace } from "./replay_place.ts";
import { ReplaySession } from "./replay_session.ts";
import { compareResults, loadTable, tableNames } from "./replay_table.ts";

for (const table of tableNames("replay")) {
  Deno.test(`Session.run() does what bash does: ${table}`, async (t) => {
    using place = new ReplayPlace();
    await using session = new ReplaySession(place, { keepsState: false });
    for (const entry of loadTable("replay", table)) {
      const { script, args, files } = entry;
      await t.step(entry.name, async () => {
        const stdin = place.input(entry.stdin);
        place.prepare(files);
        const options = { cwd: place.cwd, env: session.environment, stdin };
        const bash = await runBash(["-c", script, ...args], options);
        place.prepare(files);
        compareResults(entry, { bash, debrief: await session.run({ script, args, stdin }) });
      });
    }
  });
}

Deno.test("loadTable() finds at least 500 scripts and 60 sessions", () => {
  const count = (shelf: "replay" | "sessions") =>
    tableNames(shelf).reduce((sum, name) => sum + loadTable(shelf, name).length, 0);
  assert(count("replay") >= 500, `${count("replay")} scripts`);
  assert(count("sessions") >= 60, `${count("sessions")} sessions`);
});
