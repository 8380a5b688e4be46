/** What a session's jail grants while files come and go. */
import { assertEquals, assertMatch } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";

jailTest("SessionJail grants a file again that was replaced by a rename", async () => {
  using place = new TestPlace();
  const file = place.write("outside/notes", "one\n");
  const policyText = JSON.stringify({ extends: "default", read: [file], write: [file] });
  await using session = new TestSession({ place, policyText });
  const first = await session.run(`cat ${file}; echo more >>${file}`);
  assertEquals([first.stdout, first.exitStatus], ["one\n", 0]);
  Deno.renameSync(place.write("outside/new", "two\n"), file);
  const jail = await session.context.jail.current();
  const second = await session.run(`cat ${file}; echo more >>${file}; cat ${file}`);
  assertEquals([second.stdout, second.exitStatus], ["two\ntwo\nmore\n", 0]);
  // Nothing has changed since, so the jail is still the same.
  assertEquals(await session.context.jail.current() === jail, true);
});

jailTest(
  "SessionJail denies what appears under a denied name, and grants what appears beside it",
  async () => {
    using place = new TestPlace();
    const policyText =
      '{"extends":"default","read":{"deny":["$WORKSPACE/.env"]},"write":{"deny":["$WORKSPACE/.env"]}}';
    place.write("work/src/a", "a\n");
    await using session = new TestSession({ place, policyText });
    assertEquals((await session.run("cat src/a; true")).stdout, "a\n");
    place.write("work/.env", "hidden\n");
    place.write("work/other", "other\n");
    const { stdout, stderr } = await session.run("cat .env; cat other");
    assertEquals(stdout, "other\n");
    assertMatch(stderr, /\.env: Permission denied/);
  },
);

jailTest("SessionJail leaves the jobs of the jail that it replaces alone", async () => {
  using place = new TestPlace();
  const file = place.write("outside/notes", "one\n");
  const policyText = JSON.stringify({ extends: "default", read: [file] });
  await using session = new TestSession({ place, policyText });
  const before = await session.context.jail.current();
  const { record } = await session.run("sleep 77 >/dev/null 2>&1 & true");
  Deno.renameSync(place.write("outside/new", "two\n"), file);
  assertEquals((await session.run(`cat ${file}`)).stdout, "two\n");
  assertEquals(await session.context.jail.current() === before, false);
  const status = Deno.readTextFileSync(`/proc/${record.jobs[0]?.pid}/status`);
  assertMatch(status, /^Name:\s+sleep$/m);
  assertMatch(status, /^State:\s+S/m);
});

jailTest("SessionJail tries again when a jail could not be proven", async () => {
  using place = new TestPlace();
  const file = place.write("outside/notes", "one\n");
  const policyText = JSON.stringify({ extends: "default", read: [file] });
  await using session = new TestSession({ place, policyText });
  assertEquals((await session.run("true")).exitStatus, 0);
  Deno.renameSync(place.write("outside/new", "two\n"), file);
  // Without the file that must be out of reach nothing can be proven; the first record brings it back.
  Deno.removeSync(place.at("state/debrief/journal.jsonl"));
  const refused = await session.run(`cat ${file}`);
  assertEquals([refused.exitStatus, refused.stdout, refused.record.exit_code], [125, "", null]);
  assertMatch(refused.record.error ?? "", /^Cannot prove the jail: /);
  assertEquals((await session.run(`cat ${file}`)).stdout, "two\n");
});
