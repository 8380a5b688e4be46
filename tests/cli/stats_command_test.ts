/** `debrief stats`, end to end. */
import { assertEquals } from "@std/assert";
import { Journal } from "../../src/record/journal.ts";
import { sample } from "../record/sample.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

Deno.test("debrief stats prints a table, or JSON", async () => {
  using place = new TestPlace();
  {
    using journal = Journal.open({ directory: place.at("state/debrief") });
    const suggestions = [{ rule: "near-name", text: "`git status`: git is on PATH and allowed" }];
    const outcome = { kind: "not-found", reason: "" } as const;
    journal.append(sample({ command: ["gti", "status"], exit_code: 127, outcome, suggestions }));
    journal.append(sample({ command_id: "c2aaaaaa", command: ["git", "status"] }));
  }
  const text = await runDebrief(["stats"], { place });
  assertEquals(text.stdout.split("\n"), [
    "suggestion            offered    taken   helped",
    "near-name                   1        1        1",
    "",
    "outcome              commands     time   tokens  offered    taken   helped",
    "not-found                   1     12ms        2        1        1        1",
    "success                     1     12ms        2        0        0        0",
    "all                         2     24ms        4",
    "failed                      1     12ms        2",
    "",
    "retries: 0 of 1 failures came to a success",
    "loops: 0 seen, 0 broken, 0 continued",
    "",
  ]);
  const json = await runDebrief(["stats", "--json"], { place });
  const { version, records, suggestions, retries, loops, spent } = JSON.parse(json.stdout);
  assertEquals([version, records], [1, 2]);
  assertEquals(suggestions, [{ rule: "near-name", offered: 1, taken: 1, helped: 1 }]);
  assertEquals(retries, { chains: 1, succeeded: 0, mean: null, most: 0 });
  assertEquals(loops, { seen: 0, broken: 0, continued: 0 });
  assertEquals(spent.failed, { commands: 1, ms: 12, tokens: 2 });
});
