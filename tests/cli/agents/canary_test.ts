/** A canary can be told from every other command, and only its record in the journal counts. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { canaryRecord, newCanary } from "../../../src/cli/agents/canary.ts";
import { TestPlace, TestSession } from "../../session/test_session.ts";

Deno.test("newCanary prints a word that does not stand in its command", async () => {
  const { word, command, mark } = newCanary();
  assertEquals([command.includes(word), command.includes(mark)], [false, true]);
  const { stdout } = await new Deno.Command("bash", { args: ["-c", command] }).output();
  assertEquals(new TextDecoder().decode(stdout), `${word}\n`);
  assertNotEquals(newCanary().mark, mark);
});

Deno.test("canaryRecord finds the record of just this canary, with its proof", async () => {
  using place = new TestPlace();
  const [one, other] = [newCanary(), newCanary()];
  const directory = place.at("state/debrief");
  assertEquals(canaryRecord(one, directory), null);
  {
    await using session = new TestSession({ place });
    await session.run(one.command);
    await session.run("true");
  }
  const found = canaryRecord(one, directory);
  assertEquals([found?.exit, found?.isProven], [0, true]);
  assertEquals(canaryRecord(other, directory), null);
});
