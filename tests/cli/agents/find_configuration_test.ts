/** A configuration counts as followed only when all of it says what `debrief install` writes. */
import { assertEquals } from "@std/assert";
import { agentChanges, type Wish } from "../../../src/cli/agents/agent_changes.ts";
import { AGENTS } from "../../../src/cli/agents/agent_names.ts";
import { applyPlan, isDone } from "../../../src/cli/agents/apply_plan.ts";
import { ConfigFiles, readText } from "../../../src/cli/agents/config_file.ts";
import { findConfigurations } from "../../../src/cli/agents/find_configuration.ts";
import { ledgerPath, readLedger } from "../../../src/cli/agents/install_ledger.ts";
import { planInstall, planUndo } from "../../../src/cli/agents/install_plan.ts";
import { TestPlace } from "../../session/test_session.ts";

for (const agent of AGENTS) {
  for (const mode of ["transparent", "strict"] as const) {
    Deno.test(`findConfigurations finds what applyPlan wrote, and nothing once it is undone: ${agent}, ${mode}`, () => {
      using place = new TestPlace();
      const wish: Wish = {
        agent,
        mode,
        scope: "user",
        executable: place.write("bin/debrief", "", 0o755),
        environment: {},
        home: place.at("home"),
        project: place.at("work"),
        state: place.at("state/debrief"),
      };
      const ledger = ledgerPath(wish.state, wish);
      assertEquals(findConfigurations(wish), []);
      const wanted = { ...wish, ...agentChanges(wish) };
      const plan = planInstall(wanted, { previous: null, read: readText });
      assertEquals(isDone(plan), false);
      applyPlan(plan, { ledger, files: new ConfigFiles(wish) });
      assertEquals(
        findConfigurations(wish).map(({ mode, scope }) => [mode, scope]),
        [[mode, "user"]],
      );
      assertEquals(findConfigurations({ ...wish, executable: "/other/debrief" }), []);
      const previous = readLedger(ledger);
      assertEquals(isDone(planInstall(wanted, { previous, read: readText })), true);
      applyPlan(planUndo(previous!, readText), { ledger, files: new ConfigFiles(wish) });
      assertEquals([findConfigurations(wish), readLedger(ledger)], [[], null]);
      assertEquals([...Deno.readDirSync(place.at("state/debrief/agents"))], []);
    });
  }
}
