/** Whatever a command does to its own processes, the shell ends it and leaves none of them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import type { Place } from "./place.ts";
import { bounded, runnerTest } from "./runner.ts";

/** Processes that wrote their ids into the workspace's file `pids` and still live; zombies do not. */
async function living(place: Place): Promise<readonly string[]> {
  const pids = (await Deno.readTextFile(join(place.workspace, "pids"))).trim().split("\n");
  const states = await Promise.all(
    pids.map((pid) =>
      Deno.readTextFile(`/proc/${pid}/stat`).then((stat) => stat.split(") ")[1]![0], () => "gone")
    ),
  );
  return pids.filter((_, index) => !["gone", "Z", "X"].includes(states[index]!));
}

/** Processes that do not want to end: they ignore TERM, leave their group, lose their parents, hold the pipes. */
const STUBBORN = `
note() { echo $BASHPID >>pids; }
(note; trap '' TERM INT HUP; exec sleep 70) &
(trap '' TERM; note; setsid bash -c 'echo $$ >>pids; trap "" TERM; exec sleep 71') &
( (note; setsid sh -c 'echo $$ >>pids; exec sleep 72' &) & )
(note; exec python3 -c 'import os, time
for _ in range(3):
    if os.fork(): os._exit(0)
    os.setsid()
open("pids", "a").write(f"{os.getpid()}\\n")
time.sleep(73)') &
(note; kill -STOP $BASHPID) &
sleep 0.5
`;

runnerTest("a timeout ends the whole tree", async (place) => {
  const command = `${STUBBORN} note; trap '' TERM; sleep 74; sleep 74`;
  const { code, stderr } = await bounded(place, ["--timeout", "1s", "-c", command]);
  assertEquals(code, 124, stderr);
  assertMatch(stderr, /timeout/);
  assertEquals(await living(place), []);
}, { programs: ["python3", "setsid"] });

runnerTest("the end of a command ends all that it left running", async (place) => {
  const command = `${STUBBORN} echo done`;
  const { code, stdout } = await bounded(place, ["--block", "off", "-c", command]);
  assertEquals([code, stdout], [0, "done\n"]);
  assertEquals(await living(place), []);
}, { programs: ["python3", "setsid"] });

runnerTest("the end of a session ends all that its commands left running", async (place) => {
  await place.write("work/left.sh", STUBBORN);
  await place.own();
  const { code, stdout } = await bounded(place, ["--block", "off"], {
    stdin: ". ./left.sh\necho done\n",
  });
  assertEquals([code, stdout], [0, "done\n"]);
  assertEquals(await living(place), []);
  // The control: bash leaves them all.
  await Deno.remove(join(place.workspace, "pids"));
  await place.bare(["timeout", "20", "bash", "-c", "exec >/dev/null 2>&1; . ./left.sh"]);
  const left = await living(place);
  await place.bare(["kill", "-KILL", ...left]);
  assert(left.length >= 5, `only ${left} was left`);
}, { programs: ["python3", "setsid"] });

/** Forks and exits, again and again: who lists processes and kills them one by one is always too late. */
const HOP = `#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  time_t end = time(NULL) + 3;
  for (int fd = 0; fd < 3; fd++) close(fd);
  setsid();
  while (time(NULL) < end) if (fork() > 0) _exit(0);
  fclose(fopen("survived", "w"));
}
`;

runnerTest("a process that is never the same one twice ends too", async (place) => {
  await place.write("work/hop.c", HOP);
  await place.bare(["gcc", "-o", "hop", "hop.c"]);
  const command = "./hop & sleep 0.3; echo end";
  const { code, stdout } = await bounded(place, ["--block", "off", "-c", command]);
  assertEquals([code, stdout], [0, "end\n"]);
  const survives = async (seconds: number) => {
    for (let waited = 0; waited < seconds * 10; waited++) {
      if (await Deno.lstat(join(place.workspace, "survived")).then(() => true, () => false)) {
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return false;
  };
  assert(!(await survives(4)), "it went on");
  await place.bare(["bash", "-c", command]);
  assert(await survives(30), "it ends by itself");
}, { programs: ["gcc"], once: true });

/** Writes a byte and takes it out of the pipe again after so many microseconds, when its reader may be on the way. */
const STEAL = `#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}
int main(int argc, char **argv) {
  char byte;
  int reader = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK);
  usleep(200000);
  write(1, "x", 1);
  for (long end = now() + atol(argv[1]); now() < end;) continue;
  fprintf(stderr, "took %d\\n", (int)read(reader, &byte, 1));
  close(reader);
  sleep(600);
}
`;

runnerTest("a command that takes its own output back does not stop its timeout", async (place) => {
  await place.write("work/steal.c", STEAL);
  await place.bare(["gcc", "-o", "steal", "steal.c"]);
  for (const microseconds of [10, 20, 30, 40, 60]) {
    const args = ["--timeout", "1s", "-c", `./steal ${microseconds}`];
    const { code, stderr } = await bounded(place, args, { seconds: 10 });
    assertEquals(code, 124, stderr);
    assertMatch(stderr, /took -?1/);
  }
}, { programs: ["gcc"], once: true });

/** Builds a tree of 20,000 levels from the bottom up, where making one at its depth would take minutes. */
const NEST = `import os
os.chdir(os.environ["TMPDIR"])
below = None
for part in range(200):
    os.makedirs(f"n{part}" + "/d" * 99)
    if below: os.rename(below, f"n{part}" + "/d" * 100)
    below = f"n{part}"
`;

runnerTest("a tree of 20,000 levels does not stop the end", async (place) => {
  await place.write("work/nest.py", NEST);
  await place.own();
  const args = ["-c", "python3 nest.py"];
  const { code, stderr } = await bounded(place, args, { seconds: 90 });
  assertEquals(code, 0, stderr);
}, { programs: ["python3"], once: true });
