/** Switches that say how much is printed, and in which form. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

jailTest("debrief --quiet prints no block, --json prints it as one line of JSON", async () => {
  using place = new TestPlace();
  const run = (...args: string[]) => runDebrief(args, { place });
  const [quiet, json, both, forms] = await Promise.all([
    run("-q", "-c", "echo out"),
    run("--json", "-c", "true"),
    run("--quiet", "--block", "stderr", "-c", "true"),
    run("--json", "--format", "text", "-c", "true"),
  ]);
  assertEquals([quiet.code, quiet.stdout, quiet.stderr], [0, "out\n", ""]);
  assertEquals(JSON.parse(json.stderr).outcome, "success");
  assertEquals([both.code, forms.code], [2, 2]);
  assertStringIncludes(both.stderr, "Cannot use --quiet and --block together");
  assertStringIncludes(forms.stderr, 'Cannot use --json and --format "text" together');
});

jailTest("debrief doctor --quiet and gate --quiet say it by their exit status alone", async () => {
  using place = new TestPlace();
  const run = (...args: string[]) => runDebrief(args, { place });
  const old = { DEBRIEF_LANDLOCK_ABI: "2" };
  const policy = place.write("home/k.jsonc", `{ "extends": "default", "backend": "kernel" }`);
  const [well, sick, blocked] = await Promise.all([
    run("doctor", "--quiet"),
    runDebrief(["doctor", "-q", "--policy", policy], { place, env: old }),
    run("gate", "--quiet", "--require", "true"),
  ]);
  const found = [well, sick, blocked].map(({ code, stdout }) => `${code}${stdout}`);
  assertEquals(found, ["0", "1", "1"]);
});
