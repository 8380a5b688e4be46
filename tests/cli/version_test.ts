import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/cli/version.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

Deno.test("VERSION is that of deno.json", () => {
  const { version } = JSON.parse(
    Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)),
  );
  assertEquals(VERSION, version);
});

jailTest("debrief --version and --help need no home and no journal", async () => {
  using place = new TestPlace();
  const env = { HOME: "", TMPDIR: "/nosuch" };
  const [version, help, log] = await Promise.all(
    [["-V"], ["--help", "-c"], ["log", "--help"]].map((args) => runDebrief(args, { place, env })),
  );
  const [debrief, deno, linux, policy] = version!.stdout.split("\n");
  assertEquals(debrief, `debrief ${VERSION}`);
  assertMatch(deno!, /^deno \d+\.\d+\.\d+ \(.+\)$/);
  assertMatch(linux!, /^linux \S+ \S+, Landlock ABI \d+, seccomp filters$/);
  // Without a home there is no policy, and a version all the same.
  assertMatch(policy!, /^policy none can be used: .*HOME/);
  assertStringIncludes(help!.stdout, "Exit status:");
  assertMatch(log!.stdout, /^List the newest records/);
  assertEquals(
    [version, help, log].map((result) => [result!.code, result!.stderr]),
    Array(3).fill([0, ""]),
  );
});

jailTest(
  "debrief --version names the policy in force, also as JSON and with --policy",
  async () => {
    using place = new TestPlace();
    place.write("home/ci.jsonc", `{ "extends": "ci" }`);
    const file = place.at("home/ci.jsonc");
    const [plain, json, named] = await Promise.all(
      [["--version"], ["--version", "--json"], ["-V", "--policy", file]].map((args) =>
        runDebrief(args, { place })
      ),
    );
    assertMatch(plain!.stdout, /\npolicy default \(built-in:readonly, built-in:default\)\n$/);
    const { debrief, host, policy } = JSON.parse(json!.stdout);
    assertEquals([debrief, policy.name, host.seccomp], [VERSION, "default", true]);
    assertStringIncludes(named!.stdout, `${file})\n`);
  },
);
