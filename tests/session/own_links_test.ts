import { assertEquals } from "@std/assert";
import { pathWithoutOwnLinks, shellPathOf } from "../../src/session/own_links.ts";
import { TestPlace } from "./test_session.ts";

function links(place: TestPlace): string {
  const executable = place.write("program", "", 0o755);
  for (const name of ["links", "mixed", "other"]) Deno.mkdirSync(place.at(name));
  for (const name of ["links/bash", "links/sh", "mixed/bash"]) {
    Deno.symlinkSync(executable, place.at(name));
  }
  place.write("mixed/tool", "", 0o755);
  place.write("other/bash", "", 0o755);
  return executable;
}

Deno.test("shellPathOf() leaves out directories whose bash is the program itself", () => {
  using place = new TestPlace();
  const executable = links(place);
  const path = ["links", "mixed", "other", "absent"].map((name) => place.at(name)).join(":");
  const system = "/usr/local/bin:/usr/bin:/bin";
  assertEquals(
    shellPathOf(path, executable).slice(0, -system.length - 1),
    `${place.at("other")}:${place.at("absent")}`,
  );
  assertEquals(shellPathOf(path, null).startsWith(`${path}:`), true);
  assertEquals(shellPathOf(undefined, executable), shellPathOf("", executable));
});

Deno.test("pathWithoutOwnLinks() leaves out directories of nothing but such links", () => {
  using place = new TestPlace();
  const executable = links(place);
  const path = ["links", "mixed", "other", "absent"].map((name) => place.at(name)).join(":");
  assertEquals(
    pathWithoutOwnLinks(path, executable),
    ["mixed", "other", "absent"].map((name) => place.at(name)).join(":"),
  );
  assertEquals(pathWithoutOwnLinks(path, null), path);
  assertEquals(pathWithoutOwnLinks(place.at("links"), executable), "/usr/local/bin:/usr/bin:/bin");
});
