/** A receiver that fails costs nothing: commands, sessions and what they show are as without telemetry. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Result, runDebrief } from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { deadPort, type Manner, Receiver } from "../telemetry/receiver.ts";

function endpoint(url: string): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url };
}

/** What a front end shows, without what differs from run to run. */
function stable({ code, stdout, stderr }: Result): readonly unknown[] {
  const same = (text: string) =>
    text.replace(/\b(?:[0-9]{9}|[0-9a-f]{8}|c[0-9a-z]{7})\b/g, "ID")
      .replace(/\b\d+(?:\.\d+)? ?m?s\b/g, "TIME");
  return [code, stdout, same(stderr)];
}

const MANNERS: readonly Manner[] = [
  "fails",
  "is busy",
  "is silent",
  "talks without end",
  "redirects",
  "talks nonsense",
];

for (const manner of MANNERS) {
  jailTest(`debrief -c ends as without telemetry when the receiver ${manner}`, async () => {
    using place = new TestPlace();
    await using receiver = new Receiver(manner);
    const args = ["-c", "echo out; echo err >&2; exit 7"];
    const want = await runDebrief(args, { place });
    const got = await runDebrief(args, { place, env: endpoint(receiver.url) });
    assertEquals(stable(got), stable(want));
    // One try for each signal: a pause and another would be waited for.
    const { length } = receiver.requests;
    assert(length > 0 && (length <= 2 || manner === "talks nonsense"), `${length} requests`);
    assertEquals(place.records().map(({ exit_code }) => exit_code), [7, 7]);
  });
}

jailTest("debrief ends as without telemetry when nobody listens, in sessions too", async () => {
  using place = new TestPlace();
  const env = endpoint(`http://127.0.0.1:${deadPort()}`);
  const stdin = "cd /\npwd\nexit 5\n";
  const want = await runDebrief([], { place, stdin });
  const got = await runDebrief([], { place, stdin, env });
  assertEquals(
    [got.code, got.stdout.replaceAll(/debrief \w+|\d+ms|c\w{7}/g, "")],
    [want.code, want.stdout.replaceAll(/debrief \w+|\d+ms|c\w{7}/g, "")],
  );
  assertEquals([got.code, got.stderr], [5, ""]);
  const told = await runDebrief(["-c", "true"], { place, env: { ...env, OTEL_LOG_LEVEL: "warn" } });
  assertEquals(told.code, 0);
  assertMatch(told.stderr, /debrief: Cannot send traces: connect ECONNREFUSED/);
});

for (const manner of ["fails", "is silent"] as const) {
  jailTest(`debrief's session ends as without telemetry when the receiver ${manner}`, async () => {
    using place = new TestPlace();
    await using receiver = new Receiver(manner);
    const stdin = "cd /\npwd\nls nowhere\nexit 5\n";
    const want = await runDebrief(["--block", "stderr"], { place, stdin });
    const env = endpoint(receiver.url);
    const got = await runDebrief(["--block", "stderr"], { place, stdin, env });
    assertEquals(stable(got), stable(want));
    assert(receiver.requests.length > 0);
  });
}
