import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { directoryNames, readKernelFile } from "../../src/sandbox/linux/files.ts";
import { hasChildren } from "../../src/sandbox/process_tree.ts";
import { openDescriptors } from "../sandbox/open_descriptors.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { type TestOptions, TestPlace, TestSession } from "./test_session.ts";

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

jailTest(
  "Session.run() runs one command at a time, in the order in which they are given",
  async () => {
    await using session = new TestSession({ keepsState: false });
    const events: string[] = [];
    const run = (source: string) =>
      session.session.run({ text: { kind: "script", source } }, (event: SessionEvent) => {
        if (event.kind === "output") events.push(event.text.trim());
        if (event.kind === "finished") events.push(event.record.command.join());
      });
    await Promise.all([run("sleep 0.2; echo 1"), run("echo 2; true"), run("echo 3; true")]);
    assertEquals(events, ["1", "sleep 0.2; echo 1", "2", "echo 2; true", "3", "echo 3; true"]);
  },
);

jailTest(
  "Session.run() ends and records a command whose sink throws, and the session goes on",
  async () => {
    await using session = new TestSession();
    let seen = 0;
    const failing = session.session.run(
      { text: { kind: "script", source: "echo x; sleep 30" } },
      (event) => {
        seen++;
        if (event.kind === "arrived") throw new RangeError("nobody listens");
      },
    );
    await assertRejects(() => failing, RangeError, "nobody listens");
    assertEquals([seen, session.place.records().map(({ error }) => error)], [2, ["cancelled"]]);
    assertEquals((await session.run("echo y")).stdout, "y\n");
  },
);

jailTest("Session.close() waits for commands, leaves nothing behind and is final", async () => {
  using place = new TestPlace();
  const session = new TestSession({ place });
  const running = session.run(
    "mkdir -p $TMPDIR/a/b; ln -s /etc $TMPDIR/a/l; chmod 500 $TMPDIR/a; sleep 0.2; echo done; true",
  );
  const closing = session.session.close();
  assertEquals((await running).stdout, "done\n");
  await closing;
  await session.session.close();
  assertEquals(place.leftovers(), []);
  assertEquals([...Deno.readDirSync(place.at("state/debrief/copies"))], []);
  const late = session.session.run({ text: { kind: "script", source: "true" } }, () => {});
  await assertRejects(() => late, TypeError, "session closed");
  await session[Symbol.asyncDispose]();
});

jailTest("Session.open() leaves nothing behind when it cannot open", async () => {
  using place = new TestPlace();
  const cases: readonly { readonly in: TestOptions; readonly want: RegExp }[] = [
    { in: { policy: "nosuch" }, want: /nosuch/ },
    { in: { policyText: '{"read": 7}' }, want: /policy\.jsonc:1: read: / },
    { in: { workspace: "/" }, want: /it is the whole file system/ },
    { in: { workspace: place.at("home") }, want: /it is the home directory/ },
    { in: { workspace: place.root }, want: /it holds the home directory/ },
    { in: { workspace: place.at("nosuch") }, want: /it is not a directory/ },
    { in: { cwd: place.at("nosuch") }, want: /nosuch/ },
    {
      in: { environment: { HOME: "" } },
      want: /^Cannot find the home directory: HOME is not set; set it to [^;]+$/,
    },
    {
      in: { environment: { TMPDIR: "/nosuch" } },
      want: /^Cannot create a private directory in "\/nosuch"/,
    },
    { in: { environment: { DEBRIEF_LANDLOCK_ABI: "-1" } }, want: /a number from 0 is accepted/ },
    { in: { journal: place.write("file", "") }, want: /for the journal: it is not a directory/ },
  ];
  for (const { in: options, want } of cases) {
    const error = assertThrows(() => new TestSession({ place, ...options }), UsageError);
    assertMatch(error.message, want);
  }
  assertEquals(place.leftovers(), []);
  // The place itself is fine.
  await using session = new TestSession({ place });
  assertEquals((await session.run("echo x")).stdout, "x\n");
});

jailTest("Session.open() ends the jail that it has started when the rest fails", async () => {
  using place = new TestPlace();
  const open = () => new TestSession({ place });
  const filtered = () =>
    (directoryNames("/proc/self/task") ?? []).filter((tid) =>
      /^Seccomp:\s+2$/m.test(readKernelFile(`/proc/self/task/${tid}/status`) ?? "")
    );
  // The positive control, which also opens what the process keeps.
  await open()[Symbol.asyncDispose]();
  // Threads of earlier sessions may be ending: what counts is that none comes to stay.
  const earlier = new Set(filtered());
  const settled = async (most: number) => {
    const stays = () => filtered().some((tid) => !earlier.has(tid)) || openDescriptors() > most;
    while (hasChildren() || stays()) await delay(10);
  };
  const before = openDescriptors();
  const shared = place.at("state/debrief/protected");
  Deno.removeSync(shared, { recursive: true });
  Deno.writeTextFileSync(shared, "");
  for (let round = 0; round < 3; round++) {
    const error = assertThrows(open, UsageError);
    assertMatch(
      error.message,
      /^Cannot share ".*\/protected" with other sessions: openat failed with errno 20$/,
    );
  }
  await settled(before);
  assertEquals(place.leftovers(), []);
  // One that begins before the others have ended is none of theirs.
  assertThrows(open, UsageError);
  Deno.removeSync(shared);
  const session = open();
  assertEquals((await session.run("echo works")).stdout, "works\n");
  await session[Symbol.asyncDispose]();
  await settled(before);
});

jailTest("Session.open() hides the state where it really lies", async () => {
  using place = new TestPlace();
  Deno.mkdirSync(place.at("data"));
  Deno.symlinkSync(place.at("data"), place.at("link"));
  const policyText = JSON.stringify({
    extends: "default",
    read: { allow: [place.at("data")] },
    write: { allow: [place.at("data")] },
  });
  await using session = new TestSession({
    place,
    policyText,
    environment: { XDG_STATE_HOME: place.at("link") },
  });
  const { stdout } = await session.run(
    `cd ${place.at("data")} && for f in $(find debrief -type f ! -path '*/copies/*'); do ` +
      `(: <"$f") 2>/dev/null && echo "read $f"; (: >>"$f") 2>/dev/null && echo "wrote $f"; done; ls`,
  );
  assertEquals(stdout, "debrief\n");
  // Were nothing there, nothing would have been hidden.
  assert(
    [...Deno.readDirSync(place.at("data/debrief"))].some(({ name }) => name === "journal.jsonl"),
  );
});
