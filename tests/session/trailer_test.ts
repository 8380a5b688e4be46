import { assertEquals, assertMatch } from "@std/assert";
import type { Trailer } from "../../src/command/harness_wrappers.ts";
import { writeTrailer } from "../../src/session/trailer.ts";
import { TestPlace } from "./test_session.ts";

function directoryTrailer(place: TestPlace, name = "tmp/claude-70cc-cwd"): Trailer {
  return { path: place.at(name), holds: "directory" };
}

function write(place: TestPlace, trailer: Trailer, cwd: string | null = place.at("work")) {
  const workspace = place.at("work");
  return writeTrailer(trailer, { cwd, workspace, environment: place.environment });
}

Deno.test("writeTrailer() tells where a command left off, in a new file or the agent's own", () => {
  using place = new TestPlace();
  const trailer = directoryTrailer(place);
  Deno.mkdirSync(place.at("work/sub"));
  Deno.symlinkSync("sub", place.at("work/link"));
  assertEquals(write(place, trailer, place.at("work/sub")), null);
  assertEquals(Deno.readTextFileSync(trailer.path), `${place.at("work/sub")}\n`);
  assertEquals(Deno.statSync(trailer.path).mode! & 0o777, 0o600);
  assertEquals(write(place, trailer), null);
  assertEquals(Deno.readTextFileSync(trailer.path), `${place.at("work")}\n`);
  // Links are resolved: whoever reads it must not meet another one later.
  assertEquals(write(place, trailer, place.at("work/link")), null);
  assertEquals(Deno.readTextFileSync(trailer.path), `${place.at("work/sub")}\n`);
  assertEquals(write(place, trailer, null), null);
  assertEquals(Deno.readTextFileSync(trailer.path), `${place.at("work/sub")}\n`);
});

Deno.test("writeTrailer() names no directory outside of the workspace, also through a link", () => {
  using place = new TestPlace();
  const trailer = directoryTrailer(place);
  Deno.symlinkSync(place.at("outside"), place.at("work/link"));
  Deno.mkdirSync(place.at("workspace"));
  for (const name of ["outside", "work/link", "workspace", "", "work/absent"]) {
    assertMatch(write(place, trailer, place.at(name)) ?? "", /is outside of the workspace/, name);
  }
  assertEquals(place.leftovers(), []);
});

Deno.test("writeTrailer() touches no file but a plain one of the user's own", async (t) => {
  const cases: readonly [string, (place: TestPlace, path: string) => void][] = [
    ["a link", (place, path) => Deno.symlinkSync(place.write("outside/kept", "kept"), path)],
    ["a second name", (place, path) => Deno.linkSync(place.write("outside/kept", "kept"), path)],
    ["a directory", (_place, path) => Deno.mkdirSync(path)],
    ["a pipe", (_place, path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync()],
  ];
  for (const [name, make] of cases) {
    await t.step(name, () => {
      using place = new TestPlace();
      place.write("outside/kept", "kept");
      const trailer = directoryTrailer(place);
      make(place, trailer.path);
      assertMatch(write(place, trailer) ?? "", /^the agent's file "[^"]*" was not written: /);
      assertEquals(Deno.readTextFileSync(place.at("outside/kept")), "kept");
    });
  }
});

Deno.test("writeTrailer() writes in temporary directories only", () => {
  using place = new TestPlace();
  for (const name of ["outside/claude-70cc-cwd", "tmp/x/claude-70cc-cwd"]) {
    const trailer = directoryTrailer(place, name);
    Deno.mkdirSync(place.at("tmp/x"), { recursive: true });
    assertMatch(write(place, trailer) ?? "", /it is in no temporary directory$/);
  }
  // A link where the directory is: its target is no temporary directory.
  Deno.symlinkSync(place.at("outside"), place.at("tmp/gemini-shell-abcdef"));
  const jobs = { path: place.at("tmp/gemini-shell-abcdef/bgpids.tmp"), holds: "jobs" } as const;
  assertMatch(write(place, jobs) ?? "", /was not written/);
  assertEquals([...Deno.readDirSync(place.at("outside"))], []);
});

Deno.test("writeTrailer() says that no background job is left, in a directory of the user's own", () => {
  using place = new TestPlace();
  const jobs = { path: place.at("tmp/gemini-shell-abcdef/bgpids.tmp"), holds: "jobs" } as const;
  Deno.mkdirSync(place.at("tmp/gemini-shell-abcdef"), { mode: 0o700 });
  assertEquals(write(place, jobs, null), null);
  assertEquals(Deno.readTextFileSync(jobs.path), "");
  Deno.chmodSync(place.at("tmp/gemini-shell-abcdef"), 0o777);
  assertMatch(write(place, jobs, null) ?? "", /its directory is not the user's own$/);
});
