/** A state directory on a disk that is full: a file system of its own, made by bubblewrap, which the test fills. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { bubblewrapTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { debriefWords, finished, processEnvironment, type Result } from "./run_debrief.ts";

/** Runs a script in which `debrief` stands for the program, with a state directory of so many bytes in all. */
async function onSmallDisk(place: TestPlace, bytes: number, script: string): Promise<Result> {
  const state = place.at("state");
  Deno.mkdirSync(state, { recursive: true });
  const child = new Deno.Command("/usr/bin/bwrap", {
    args: [
      ...["--dev-bind", "/", "/", "--size", String(bytes), "--tmpfs", state, "--"],
      ...["bash", "-c", `debrief() { "\${words[@]}" "$@"; }; words=("$@"); ${script}`, "bash"],
      ...debriefWords([]),
    ],
    cwd: place.at("work"),
    clearEnv: true,
    env: processEnvironment({ place }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await finished(child);
}

bubblewrapTest(
  "output that finds no room is shown all the same, and the record says so",
  async () => {
    using place = new TestPlace();
    const { stdout, stderr } = await onSmallDisk(
      place,
      256 * 1024,
      "debrief --pass-through -c 'seq 100000; exit 3' | tail -n 1; echo status ${PIPESTATUS[0]}; " +
        "debrief log --json; debrief -c 'echo later'",
    );
    const lines = stdout.trimEnd().split("\n");
    assertEquals([lines[0], lines[1], lines.at(-1)], ["100000", "status 3", "later"], stderr);
    assertMatch(stderr, /\nnotice: the kept output is incomplete: .*no space left/i);
    const record = JSON.parse(lines[2] ?? "");
    assertEquals([record.exit_code, record.lines.stdout], [3, 100_000]);
  },
);

bubblewrapTest("commands run where not even a record finds room, and hear of it", async () => {
  using place = new TestPlace();
  const { stdout, stderr } = await onSmallDisk(
    place,
    128 * 1024,
    'debrief -c true 2>/dev/null; head -c 1000000 /dev/zero >"$XDG_STATE_HOME/filler" 2>/dev/null; ' +
      // What is left of the journal's last page has room for a few.
      "for i in 1 2 3 4 5; do debrief -c 'echo goes on; exit 4'; echo status $?; done; " +
      'rm "$XDG_STATE_HOME/filler"; debrief -c "echo again"; debrief log --verify',
  );
  const lines = stdout.trimEnd().split("\n");
  const wants = Array.from({ length: 5 }, () => ["goes on", "status 4"]).flat();
  assertEquals(lines.slice(0, -1), [...wants, "again"], stderr);
  const missing = stderr.match(/\nnotice: no record was written: .*ENOSPC/g)?.length ?? 0;
  assert(missing > 0, stderr);
  // With room there are records again, and the chain shows no gap.
  assertEquals(lines.at(-1), `${7 - missing} records, 0 gaps`, stderr);
});
