import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "node:path/posix";
import { UsageError } from "../../src/errors.ts";
import {
  createPrivatePaths,
  deadSessions,
  isEmptyDirectory,
  removePrivatePaths,
} from "../../src/session/private_directory.ts";
import { close } from "../../src/sandbox/linux/ffi.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";
import { exists } from "../sandbox/observe.ts";

function create(place: TestPlace, fields: Partial<Parameters<typeof createPrivatePaths>[0]> = {}) {
  Deno.mkdirSync(place.at("state"), { recursive: true });
  return createPrivatePaths({
    temporary: place.at("tmp"),
    state: place.at("state"),
    executable: null,
    ...fields,
  });
}

Deno.test("createPrivatePaths() makes directories that only their owner may enter, and removePrivatePaths() all of them go", () => {
  using place = new TestPlace();
  const paths = create(place, { executable: "/usr/bin/env" });
  const { root, tmp, copies, programs } = paths;
  for (const path of [root, tmp, copies, programs]) {
    assertEquals(Deno.statSync(path).mode! & 0o777, 0o700, path);
  }
  assertMatch(root, new RegExp(`^${place.at("tmp")}/debrief-[0-9a-f]+$`));
  // Not where commands could put a link in its place.
  assertEquals(copies.startsWith(place.at("state/")), true);
  assertEquals(Deno.readLinkSync(join(programs, "debrief")), "/usr/bin/env");
  Deno.writeTextFileSync(join(copies, "journal.jsonl"), "x");
  removePrivatePaths(paths);
  assertEquals([place.leftovers(), exists(copies)], [[], false]);
});

Deno.test("createPrivatePaths() takes no relative TMPDIR, and names one that cannot be used", () => {
  using place = new TestPlace();
  const paths = create(place, { temporary: "tmp" });
  assertMatch(paths.root, /^\/tmp\/debrief-/);
  removePrivatePaths(paths);
  const file = place.write("file", "");
  for (const temporary of [place.at("nosuch"), file]) {
    const error = assertThrows(() => create(place, { temporary }), UsageError);
    assertMatch(
      error.message,
      /^Cannot create a private directory in ".*": .*; set TMPDIR to a writable directory$/,
    );
  }
  const error = assertThrows(() => create(place, { state: file }), UsageError);
  assertMatch(error.message, /^Cannot create "/);
  assertEquals(place.leftovers(), []);
});

Deno.test("removePrivatePaths() follows no link and deletes no file, whatever stands there", () => {
  using place = new TestPlace();
  const paths = create(place);
  const target = place.write("outside/tmp/keep", "x");
  // As a command could, where TMPDIR lies in its workspace.
  Deno.renameSync(paths.root, place.at("tmp/moved"));
  Deno.symlinkSync(place.at("outside"), paths.root);
  removePrivatePaths(paths);
  assertEquals(Deno.readTextFileSync(target), "x");
  Deno.removeSync(target);
  removePrivatePaths(paths);
  assertEquals([exists(place.at("outside/tmp")), exists(paths.root)], [true, true]);
  // Positive control: without the link the same call removes both.
  Deno.removeSync(paths.root);
  Deno.renameSync(place.at("tmp/moved"), paths.root);
  removePrivatePaths(paths);
  assertEquals(place.leftovers(), []);
});

Deno.test("removePrivatePaths() leaves what is not empty", () => {
  using place = new TestPlace();
  const paths = create(place);
  Deno.writeTextFileSync(join(paths.tmp, "file"), "x");
  removePrivatePaths(paths);
  assertEquals([exists(paths.tmp), exists(paths.copies)], [true, false]);
});

Deno.test("isEmptyDirectory() takes what is gone for empty", () => {
  using place = new TestPlace();
  assertEquals(isEmptyDirectory(place.at("outside")), true);
  assertEquals(isEmptyDirectory(place.at("nosuch")), true);
  assertEquals(isEmptyDirectory(place.at("work")), false);
});

Deno.test("deadSessions() finds sessions whose lock nobody holds, and no young ones", () => {
  using place = new TestPlace();
  const state = place.at("state");
  const options = { limit: 4, now: Date.now() + 120_000 };
  assertEquals(deadSessions(state, options), []);
  const paths = create(place);
  assertEquals(deadSessions(state, options), [], "it lives");
  Deno.writeTextFileSync(join(paths.tmp, "file"), "x");
  // As its SIGKILL would.
  close(paths.lock);
  assertEquals(deadSessions(state, { limit: 4 }), [], "too early");
  const [dead, ...others] = deadSessions(state, options);
  assertEquals([dead?.root, dead?.tmp, dead?.copies, others], [
    paths.root,
    paths.tmp,
    paths.copies,
    [],
  ]);
  assertEquals(deadSessions(state, options), [], "another session is at it");
  Deno.removeSync(join(paths.tmp, "file"));
  removePrivatePaths(dead!);
  assertEquals([place.leftovers(), deadSessions(state, options)], [[], []]);
});

jailTest("a session removes what a killed one has left, and nothing of a living one", async () => {
  using place = new TestPlace();
  Deno.mkdirSync(place.at("state/debrief"), { recursive: true });
  const left = () => [...Deno.readDirSync(place.at("tmp"))].length;
  const make = () =>
    createPrivatePaths({
      temporary: place.at("tmp"),
      state: place.at("state/debrief"),
      executable: null,
    });
  const [dead, living] = [make(), make()];
  Deno.mkdirSync(join(dead.tmp, "closed/deep"), { recursive: true });
  Deno.chmodSync(join(dead.tmp, "closed"), 0);
  close(dead.lock);
  for (const { copies } of [dead, living]) Deno.utimeSync(join(copies, "session"), 1, 1);
  assertEquals(left(), 2);
  const session = new TestSession({ place });
  await session.run("true");
  await session[Symbol.asyncDispose]();
  assertEquals([exists(dead.root), exists(dead.copies)], [false, false]);
  assertEquals([exists(living.tmp), exists(living.copies)], [true, true]);
  removePrivatePaths(living);
});
