import { assertEquals } from "@std/assert";
import { join } from "node:path/posix";
import { callerWorkspace, keepCallerWorkspace } from "../../src/session/caller_workspace.ts";
import { TestPlace } from "./test_session.ts";

Deno.test("callerWorkspace() remembers where the caller works, as long as that is there", () => {
  using place = new TestPlace();
  const state = place.at("state");
  Deno.mkdirSync(state);
  assertEquals(callerWorkspace(state), null);
  keepCallerWorkspace(state, place.at("work"));
  assertEquals(callerWorkspace(state), place.at("work"));
  const mode = (path: string) => Deno.statSync(path).mode! & 0o777;
  const [file] = [...Deno.readDirSync(join(state, "callers"))];
  assertEquals([mode(join(state, "callers")), mode(join(state, "callers", file!.name))], [
    0o700,
    0o600,
  ]);
  // What stands in its place is not it.
  Deno.renameSync(place.at("work"), place.at("moved"));
  assertEquals(callerWorkspace(state), null);
  Deno.symlinkSync(place.at("outside"), place.at("work"));
  assertEquals(callerWorkspace(state), null);
});

Deno.test("keepCallerWorkspace() forgets the callers of long ago", () => {
  using place = new TestPlace();
  const callers = place.at("state/callers");
  Deno.mkdirSync(callers, { recursive: true });
  for (let at = 0; at < 210; at++) {
    Deno.writeTextFileSync(join(callers, `s${at}`), "/gone");
    Deno.utimeSync(join(callers, `s${at}`), 1000 + at, 1000 + at);
  }
  keepCallerWorkspace(place.at("state"), place.at("work"));
  const names = new Set(Array.from(Deno.readDirSync(callers), ({ name }) => name));
  assertEquals([names.size, names.has("s10"), names.has("s11")], [200, false, true]);
  assertEquals(callerWorkspace(place.at("state")), place.at("work"));
});

Deno.test("keepCallerWorkspace() replaces what is known at once, and leaves no draft", () => {
  using place = new TestPlace();
  const state = place.at("state");
  Deno.mkdirSync(state);
  keepCallerWorkspace(state, place.at("outside"));
  const [first] = [...Deno.readDirSync(join(state, "callers"))];
  const path = join(state, "callers", first!.name);
  using held = Deno.openSync(path);
  keepCallerWorkspace(state, place.at("work"));
  assertEquals(callerWorkspace(state), place.at("work"));
  // Who reads the old file reads it whole.
  const buffer = new Uint8Array(4096);
  const length = held.readSync(buffer) ?? 0;
  assertEquals(new TextDecoder().decode(buffer.subarray(0, length)), place.at("outside"));
  assertEquals([...Deno.readDirSync(join(state, "callers"))].length, 1);
});
