/** Processes that do not want to end, for the tests of what ends them. */
import { assert } from "@std/assert";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** Processes that wrote their ids into the workspace's file `pids` and still live; zombies do not. */
export async function living(place: Place): Promise<readonly string[]> {
  const noted = await Deno.readTextFile(join(place.workspace, "pids")).catch(() => "");
  const pids = noted.trim().split("\n");
  const states = await Promise.all(
    pids.map((pid) =>
      Deno.readTextFile(`/proc/${pid}/stat`).then((stat) => stat.split(") ")[1]![0], () => "gone")
    ),
  );
  return pids.filter((_, index) => !["gone", "Z", "X"].includes(states[index]!));
}

/**
 * True while a process of `STUBBORN` lives. All hold a lock: their ids say nothing where a jail has its own.
 *
 * @throws {AssertionError} when they have not all been started.
 */
export async function anyHolds(place: Place): Promise<boolean> {
  const noted = await Deno.readTextFile(join(place.workspace, "pids")).catch(() => "");
  assert(noted.trim().split("\n").length >= 6, `started were only ${noted}`);
  return (await place.bare(["flock", "-n", "held", "true"])).code !== 0;
}

/** Processes that do not want to end: they ignore TERM, leave their group, lose their parents, hold the pipes. */
export const STUBBORN = `
exec 9>>held; flock -s 9
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

/**
 * Forks and exits, again and again: who lists processes and kills them one by one is always too late. All of them hold
 * one lock, by which they are found.
 */
export const HOP = `#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  time_t end = time(NULL) + 5;
  flock(open("lock", O_CREAT | O_RDWR, 0600), LOCK_EX);
  for (int fd = 0; fd < 3; fd++) close(fd);
  setsid();
  while (time(NULL) < end) if (fork() > 0) _exit(0);
}
`;
