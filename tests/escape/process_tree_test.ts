/** Whatever a command does to its own processes, the shell ends it and leaves none of them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { BOTH, bounded, runnerTest } from "./runner.ts";
import { anyHolds, HOP, living, STUBBORN } from "./stubborn.ts";

runnerTest("a timeout ends the whole tree", async (place) => {
  const command = `${STUBBORN} note; trap '' TERM; sleep 74; sleep 74`;
  const { code, stderr } = await bounded(place, ["--timeout", "1s", "-c", command]);
  assertEquals(code, 124, stderr);
  assertMatch(stderr, /timeout/);
  assert(!await anyHolds(place), "some went on");
}, { programs: ["python3", "setsid", "flock"], backends: BOTH });

runnerTest("the end of a command ends all that it left running", async (place) => {
  const command = `${STUBBORN} echo done`;
  const { code, stdout } = await bounded(place, ["--block", "off", "-c", command]);
  assertEquals([code, stdout], [0, "done\n"]);
  assert(!await anyHolds(place), "some went on");
}, { programs: ["python3", "setsid", "flock"], backends: BOTH });

runnerTest(
  "the end of a program that was named by its words ends all that it left running",
  async (place) => {
    await place.write("work/left.sh", `${STUBBORN} echo done`);
    await place.own();
    const { code, stdout } = await bounded(place, ["--block", "off", "--", "bash", "left.sh"]);
    assertEquals([code, stdout], [0, "done\n"]);
    assert(!await anyHolds(place), "some went on");
  },
  { programs: ["python3", "setsid", "flock"], backends: BOTH },
);

runnerTest(
  "the end of a session on a terminal ends all that its commands left running",
  async (place) => {
    await place.write("work/left.sh", STUBBORN);
    await place.own();
    // script(1) makes the terminal.
    const words = place.words("--policy", join(place.root, "policy.jsonc"), "--block", "off");
    const typed = await place.bare(
      ["timeout", "-k", "2", "60", "script", "-qec", words.join(" "), "/dev/null"],
      { stdin: ". ./left.sh\nexit 5\n" },
    );
    assertEquals(typed.code, 5, typed.stdout);
    assert(!await anyHolds(place), "some went on");
  },
  { programs: ["python3", "setsid", "flock", "script"], backends: BOTH },
);

runnerTest(
  "the end of a session ends all that its commands left running",
  async (place, backend) => {
    await place.write("work/left.sh", STUBBORN);
    await place.own();
    const { code, stdout } = await bounded(place, ["--block", "off"], {
      stdin: ". ./left.sh\necho done\n",
    });
    assertEquals([code, stdout], [0, "done\n"]);
    assert(!await anyHolds(place), "some went on");
    if (backend !== "kernel") return;
    // The control: bash leaves them all.
    await Deno.remove(join(place.workspace, "pids"));
    await place.bare(["timeout", "20", "bash", "-c", "exec >/dev/null 2>&1; . ./left.sh"]);
    const left = await living(place);
    assert(await anyHolds(place));
    await place.bare(["kill", "-KILL", ...left]);
    assert(left.length >= 5, `only ${left} was left`);
  },
  { programs: ["python3", "setsid", "flock"], backends: BOTH },
);

runnerTest("a process that is never the same one twice ends too", async (place, backend) => {
  await place.write("work/hop.c", HOP);
  await place.bare(["gcc", "-o", "hop", "hop.c"]);
  const command = "./hop & sleep 0.3; echo end";
  const free = async () => (await place.bare(["flock", "-n", "lock", "true"])).code === 0;
  const { code, stdout } = await bounded(place, ["--block", "off", "-c", command], { seconds: 15 });
  assertEquals([code, stdout], [0, "end\n"]);
  assert(await free(), "it went on");
  if (backend !== "kernel") return;
  await place.bare(["bash", "-c", command]);
  assert(!(await free()), "it ends by itself");
  // A lock is free again when the last of them has ended: nothing of the control outlives the test.
  assertEquals((await place.bare(["flock", "lock", "true"])).code, 0);
}, { programs: ["gcc", "flock"], once: true, backends: BOTH });

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
  usleep(100000);
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
  for (const microseconds of [15, 30, 45]) {
    const args = ["--timeout", "500ms", "-c", `./steal ${microseconds}`];
    const { code, stderr } = await bounded(place, args, { seconds: 10 });
    assertEquals(code, 124, stderr);
    assertMatch(stderr, /took -?1/);
  }
}, { programs: ["gcc"], once: true, backends: BOTH });

/** Stops every process that is started half a second after it or later, as early as it can, until it is ended. */
const STOPPER = `#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  time_t end = time(NULL) + 60;
  setsid();
  for (int fd = 0; fd < 3; fd++) close(fd);
  usleep(500000);
  while (time(NULL) < end) {
    int last = 0;
    FILE *file = fopen("/proc/loadavg", "r");
    if (fscanf(file, "%*s %*s %*s %*s %d", &last) != 1) return 1;
    fclose(file);
    for (int round = 0; round < 300; round++)
      for (int id = last + 1; id < last + 40; id++)
        if (id != getpid()) kill(id, SIGSTOP);
  }
}
`;

/**
 * Shells on the search path that cannot be executed, because their interpreter cannot: each costs the jail a child, which
 * ends without having executed anything. One of so many is stopped in time.
 */
const USELESS_SHELLS = 400;

// Under bubblewrap what a command left running ends before the next one, and sees none but its own.
runnerTest(
  "a background process that stops what starts does not hang the session",
  async (place) => {
    await place.write("work/stopper.c", STOPPER);
    await place.write("work/interpreter", "");
    await place.bare(["gcc", "-O1", "-o", "stopper", "stopper.c"]);
    const directories = Array.from(
      { length: USELESS_SHELLS },
      (_, index) => `work/shells/${index}`,
    );
    for (const directory of directories) {
      await place.write(`${directory}/bash`, `#!${place.workspace}/interpreter\n`, 0o755);
    }
    const searchPath = [...directories.map((name) => join(place.root, name)), "/usr/bin", "/bin"];
    const lines = [
      "./stopper & disown",
      ...Array.from({ length: 4 }, () => "echo $((6 * 7))"),
    ];
    const { code, stdout } = await bounded(place, ["--timeout", "5s", "--format", "json"], {
      stdin: lines.join("\n"),
      env: { PATH: searchPath.join(":") },
    });
    assertEquals(code, 0, stdout);
    assertEquals(stdout.match(/"debrief_block"/g)?.length, lines.length);
    // One that was stopped after it had started is timed out; the last starts when nobody is left to stop it.
    assertMatch(stdout, /^42\n.*\n$/m);
    assertMatch(stdout, /kept this command from starting/);
  },
  { programs: ["gcc"], once: true },
);

/** Builds a tree of 20,000 levels from the bottom up, where making one at its depth would take minutes. */
const NEST = `import os
os.chdir(os.environ["TMPDIR"])
below = None
for part in range(200):
    os.makedirs(f"n{part}" + "/d" * 99)
    if below: os.rename(below, f"n{part}" + "/d" * 100)
    below = f"n{part}"
`;

// The shell deletes the directory itself, whatever built the jail.
runnerTest("a tree of 20,000 levels does not stop the end", async (place) => {
  await place.write("work/nest.py", NEST);
  await place.own();
  const args = ["-c", "python3 nest.py"];
  const { code, stderr } = await bounded(place, args, { seconds: 90 });
  assertEquals(code, 0, stderr);
}, { programs: ["python3"], once: true });
