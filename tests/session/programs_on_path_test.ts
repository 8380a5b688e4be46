import { assertEquals } from "@std/assert";
import { programsOnPath } from "../../src/session/programs_on_path.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "./test_session.ts";

jailTest(
  "programsOnPath() lists what the commands themselves could list, and nothing behind a link",
  async () => {
    await using session = new TestSession();
    const { place } = session;
    place.write("work/bin/own", "", 0o755);
    place.write("outside/secret-name", "");
    Deno.symlinkSync(place.at("outside"), place.at("work/link"));
    Deno.symlinkSync(place.at("work/bin"), place.at("work/inner"));
    const { jail, state } = session.context;
    const listed = (PATH: string) =>
      programsOnPath({ jail, state: { ...state, environment: { PATH } } });
    assertEquals(listed(place.at("work/bin")), ["own"]);
    assertEquals(listed(place.at("work/inner")), ["own"]);
    assertEquals(
      listed(`${place.at("work/link")}:${place.at("outside")}:${place.at("state/debrief")}`),
      [],
    );
    assertEquals(listed(`work/bin::.:${place.at("nosuch")}:/etc/passwd`), []);
    assertEquals(listed("/usr/bin").includes("ls"), true);
  },
);

jailTest("programsOnPath() looks at 64 directories at most, each once", async () => {
  await using session = new TestSession();
  const { place } = session;
  place.write("work/bin/own", "", 0o755);
  const { jail, state } = session.context;
  const listed = (directories: readonly string[]) =>
    programsOnPath({ jail, state: { ...state, environment: { PATH: directories.join(":") } } });
  const many = Array.from({ length: 64 }, (_, index) => place.at(`work/no${index}`));
  assertEquals(listed([...many.slice(0, 63), place.at("work/bin")]), ["own"]);
  assertEquals(listed([...many, place.at("work/bin")]), []);
  assertEquals(listed(Array(100_000).fill(place.at("work/bin"))), ["own"]);
});
