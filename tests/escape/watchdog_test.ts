/** Nothing that commands started outlives the shell, also when it is killed. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { readKernelFile } from "../../src/sandbox/linux/files.ts";
import type { Place } from "./place.ts";
import { runnerTest } from "./runner.ts";
import { HOP, living, STUBBORN } from "./stubborn.ts";

/** Reads a stream until a text has come. */
async function readUntil(stream: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const decoder = new TextDecoder();
  let read = "";
  const reader = stream.getReader();
  while (!read.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended after ${JSON.stringify(read)}`);
    read += decoder.decode(value, { stream: true });
  }
  // To its end: whoever holds the pipe keeps this waiting.
  reader.releaseLock();
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await condition()); looks++) {
    assert(looks < 1500, "what is waited for does not come");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function lockIsFree(place: Place): Promise<boolean> {
  return place.bare(["flock", "-n", "lock", "true"]).then(({ code }) => code === 0);
}

runnerTest("the shell's own SIGKILL leaves no process behind", async (place) => {
  await place.write("work/left.sh", `${STUBBORN} nohup sleep 75 >/dev/null 2>&1 & echo $! >>pids`);
  await place.write("work/hop.c", HOP.replace("time(NULL) + 5", "time(NULL) + 600"));
  await place.bare(["gcc", "-o", "hop", "hop.c"]);
  await place.own();
  const outside = place.idle();
  const child = place.spawn([...place.words("--block", "off")], { stdin: "" });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(". ./left.sh\n./hop & sleep 0.3\necho ready\n"));
  await readUntil(child.stdout, "ready\n");
  // All of them are there: on a busy machine some start later than the command ends.
  await until(async () => (await living(place)).length >= 6 && !(await lockIsFree(place)));
  child.kill("SIGKILL");
  const [status] = await Promise.all([
    child.status,
    // At their end nobody holds the shell's own pipes any more.
    child.stdout.pipeTo(new WritableStream()),
    child.stderr.pipeTo(new WritableStream()),
    writer.close().catch(() => {}),
  ]);
  assertEquals(status.signal, "SIGKILL");
  await until(async () => (await living(place)).length === 0 && await lockIsFree(place));
  // Other processes of the user are none of its business.
  assert(
    !/\) [ZX] /.test(readKernelFile(`/proc/${outside.pid}/stat`) ?? ") Z "),
    "it was ended too",
  );
  outside.kill("SIGKILL");
  await outside.status;
}, { programs: ["gcc", "flock", "python3", "setsid", "nohup"] });

runnerTest("the shell's own SIGKILL leaves no process of bubblewrap's behind", async (place) => {
  const policy = join(place.root, "policy.jsonc");
  await place.write("policy.jsonc", '{ "extends": "default", "backend": "bubblewrap" }\n');
  await place.own();
  const script =
    "exec 9>lock; flock 9; trap '' TERM HUP; (setsid setsid sleep 600 &); echo ready; sleep 600";
  const words = place.words("--policy", policy, "--block", "off", "-c", script);
  const child = place.spawn([...words], { stdin: "" });
  await readUntil(child.stdout, "ready\n");
  assertEquals(await lockIsFree(place), false);
  child.kill("SIGKILL");
  const [status] = await Promise.all([
    child.status,
    child.stdout.pipeTo(new WritableStream()),
    child.stderr.pipeTo(new WritableStream()),
    child.stdin.close().catch(() => {}),
  ]);
  assertEquals(status.signal, "SIGKILL");
  await until(() => lockIsFree(place));
}, { programs: ["bwrap", "flock", "setsid"] });
