import { assertEquals } from "@std/assert";
import { parseScript } from "../../src/command/parse.ts";
import type { CommandRecord } from "../../src/record/record.ts";
import { refreshCopies } from "../../src/session/copies.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";

/** Refresh for a script; returns the records and outputs that a command could then read. */
function copiesFor(session: TestSession, source: string) {
  const { copies } = session.context.private;
  for (const name of ["journal.jsonl", "outputs"]) {
    try {
      Deno.removeSync(`${copies}/${name}`, { recursive: true });
    } catch {
      // Nothing was copied yet.
    }
  }
  const result = parseScript(source);
  if (result.kind !== "script") throw new Error(source);
  refreshCopies(session.context, result.script.programs);
  const names = (directory: string) => {
    try {
      return [...Deno.readDirSync(directory)].map(({ name }) => name);
    } catch {
      return [];
    }
  };
  const journal = names(copies).includes("journal.jsonl")
    ? Deno.readTextFileSync(`${copies}/journal.jsonl`).trim().split("\n").map((line) =>
      JSON.parse(line) as CommandRecord
    )
    : null;
  return { journal, outputs: names(`${copies}/outputs`) };
}

jailTest(
  "refreshCopies() copies this session's records and the outputs that a script names, never another's",
  async () => {
    using place = new TestPlace();
    await using other = new TestSession({ place });
    const foreign = (await other.run("echo foreign")).record.command_id;
    await using session = new TestSession({ place });
    const [first, second] = [
      (await session.run("echo one")).record,
      (await session.run("echo two; true")).record,
    ];
    const own = [first.command_id, second.command_id];

    const cases = [
      { in: "ls", journal: null, outputs: [] },
      { in: "debrief -c true", journal: null, outputs: [] },
      { in: "echo debrief output", journal: null, outputs: [] },
      { in: "debrief log", journal: own, outputs: [] },
      { in: `debrief show ${own[0]}`, journal: own, outputs: [own[0]] },
      { in: `debrief output ${own[0]} | grep x`, journal: own, outputs: [own[0]] },
      {
        in: `x=$(./bin/debrief --journal x output ${own[1]!.slice(0, 6)})`,
        journal: null,
        outputs: [],
      },
      { in: `timeout 5 debrief output ${own[1]}`, journal: own, outputs: [own[1]] },
      { in: `debrief output ${foreign}`, journal: own, outputs: [] },
      { in: "debrief output $(id)", journal: own, outputs: [] },
      { in: "debrief output ../../../etc", journal: own, outputs: [] },
    ];
    for (const { in: source, journal, outputs } of cases) {
      const found = copiesFor(session, source);
      assertEquals(found.journal?.map(({ command_id }) => command_id) ?? null, journal, source);
      assertEquals(found.outputs, outputs, source);
    }
    assertEquals(
      Deno.statSync(`${session.context.private.copies}/journal.jsonl`).mode! & 0o777,
      0o600,
    );
  },
);

jailTest("refreshCopies() takes an output that was pruned for absent", async () => {
  await using session = new TestSession();
  const { record } = await session.run("echo one");
  Deno.removeSync(session.place.at(`state/debrief/outputs/${record.output_id}`), {
    recursive: true,
  });
  assertEquals(copiesFor(session, `debrief output ${record.command_id}`).journal?.length, 1);
});

jailTest("a command runs all the same when its records cannot be copied", async () => {
  await using session = new TestSession();
  const { copies } = session.context.private;
  // The jail is there before it goes.
  await session.run("true");
  Deno.removeSync(copies, { recursive: true });
  Deno.writeTextFileSync(copies, "");
  const { stdout, block } = await session.run("debrief log 2>/dev/null; echo x");
  assertEquals(stdout, "x\n");
  assertEquals(block.notices.map((notice) => notice.split(":")[0]), [
    "records cannot be read inside the jail",
  ]);
});
