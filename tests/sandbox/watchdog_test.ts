import { assert, assertEquals } from "@std/assert";
import { livingNaming } from "../complaints/living_processes.ts";
import { until } from "./observe.ts";
import { jailTest } from "./require_sandbox.ts";

/** Seconds that no other test sleeps. */
const LONG = String(700_000 + Deno.pid);

jailTest("a watchdog ends what waits for a shell that was killed, and all beside it", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-watchdog-" });
  Deno.chmodSync(directory, 0o777);
  try {
    const program = new URL("killed_at_start.ts", import.meta.url).pathname;
    const shell = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--unstable-worker-options", "-A", program, LONG],
      env: { TMPDIR: directory },
      stdout: "piped",
    }).spawn();
    const output = new Response(shell.stdout).text();
    const { signal } = await shell.status;
    assertEquals(signal, "SIGKILL");
    await until(() => livingNaming(LONG).length === 0);
    // At their end nobody holds the pipe any more. The control: the command was there.
    assertEquals(await output, "up\n");
  } finally {
    const left = livingNaming(LONG);
    for (const pid of left) Deno.kill(Number(pid), "SIGKILL");
    Deno.removeSync(directory, { recursive: true });
    assert(left.length === 0, `still there: ${left.join(" ")}`);
  }
});
