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
  assertEquals(
    text.stdout,
    "suggestion       offered   taken  helped\nnear-name              1       1       1\n",
  );
  const json = await runDebrief(["stats", "--json"], { place });
  assertEquals(JSON.parse(json.stdout), {
    records: 2,
    suggestions: [{ rule: "near-name", offered: 1, taken: 1, helped: 1 }],
  });
});
