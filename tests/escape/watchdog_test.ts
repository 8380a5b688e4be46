/** Nothing that commands started outlives the shell, also when it is killed. */
import { assert, assertEquals } from "@std/assert";
import { readKernelFile } from "../../src/sandbox/linux/files.ts";
import type { Place } from "./place.ts";
import { BOTH, policyOf, runnerTest } from "./runner.ts";
import { anyHolds, HOP, STUBBORN } from "./stubborn.ts";

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

runnerTest("the shell's own SIGKILL leaves no process behind", async (place, backend) => {
  await place.write("work/left.sh", `${STUBBORN} nohup sleep 75 >/dev/null 2>&1 & echo $! >>pids`);
  await place.write("work/hop.c", HOP.replace("time(NULL) + 5", "time(NULL) + 600"));
  await place.bare(["gcc", "-o", "hop", "hop.c"]);
  await place.own();
  const outside = place.idle();
  const words = place.words(...policyOf(place), "--block", "off");
  // Under bubblewrap nothing outlives its command: it is killed amidst one.
  const last = backend === "kernel" ? "" : "; sleep 600";
  const child = place.spawn(words, { stdin: "" });
  const writer = child.stdin.getWriter();
  await writer.write(
    new TextEncoder().encode(`. ./left.sh; ./hop & sleep 0.3; echo ready${last}\n`),
  );
  await readUntil(child.stdout, "ready\n");
  // All of them are there: on a busy machine some start later than the command ends.
  await until(async () => await anyHolds(place) && !(await lockIsFree(place)));
  child.kill("SIGKILL");
  const [status] = await Promise.all([
    child.status,
    // At their end nobody holds the shell's own pipes any more.
    child.stdout.pipeTo(new WritableStream()),
    child.stderr.pipeTo(new WritableStream()),
    writer.close().catch(() => {}),
  ]);
  assertEquals(status.signal, "SIGKILL");
  await until(async () => !(await anyHolds(place)) && await lockIsFree(place));
  // Other processes of the user are none of its business.
  assert(
    !/\) [ZX] /.test(readKernelFile(`/proc/${outside.pid}/stat`) ?? ") Z "),
    "it was ended too",
  );
  outside.kill("SIGKILL");
  await outside.status;
}, { programs: ["gcc", "flock", "python3", "setsid", "nohup"], backends: BOTH });
