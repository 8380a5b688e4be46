import { assertEquals } from "@std/assert";
import { withOutsidePath } from "../../../src/cli/agents/outside_path.ts";
import { agentProgram } from "../../../src/cli/agents/plan_for.ts";
import { TestPlace } from "../../session/test_session.ts";

Deno.test("withOutsidePath leaves out what commands could put a program in, and nothing else", () => {
  using place = new TestPlace();
  for (const name of ["work/.git", "work/sub", "work/node_modules/.bin", "home/bin", "work2"]) {
    Deno.mkdirSync(place.at(name), { recursive: true });
  }
  Deno.symlinkSync(place.at("work/node_modules"), place.at("home/way"));
  const [home, state] = [place.at("home"), place.at("state/debrief")];
  const own = [place.at("home/bin"), place.at("work2"), "/usr/bin"];
  const theirs = [place.at("work"), place.at("work/node_modules/.bin"), place.at("home/way/.bin")];
  const PATH = [...theirs, own[0], "", ".", "node_modules/.bin", ...own.slice(1)].join(":");
  const pathIn = (cwd: string) => withOutsidePath({ PATH, A: "1" }, { cwd, home, state });
  assertEquals(pathIn(place.at("work/sub")), { PATH: own.join(":"), A: "1" });
  // The home directory is no workspace.
  assertEquals(pathIn(home), { PATH: [...theirs, ...own].join(":"), A: "1" });
  assertEquals(withOutsidePath({ A: "1" }, { cwd: home, home, state }), { A: "1" });
});

Deno.test("agentProgram is no program of the project, also where a link leads to it", () => {
  using place = new TestPlace();
  const theirs = place.write("work/bin/codex", "#!/bin/sh\n", 0o755);
  Deno.mkdirSync(place.at("home/bin"), { recursive: true });
  Deno.symlinkSync(theirs, place.at("home/bin/codex"));
  const own = place.write("bin/codex", "#!/bin/sh\n", 0o755);
  const PATH = [place.at("work/bin"), place.at("home/bin"), place.at("bin")].join(":");
  const wish = { environment: { PATH }, project: place.at("work"), home: place.at("home") };
  assertEquals(agentProgram("codex", wish), own);
  const elsewhere = { ...wish, project: place.at("outside") };
  assertEquals(agentProgram("codex", elsewhere), theirs);
  Deno.removeSync(own);
  assertEquals(agentProgram("codex", wish), null);
});
