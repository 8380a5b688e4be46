/** A command whose standard input is the user's terminal. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { compileProbes } from "./attempt.ts";
import { Place, type Result } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

const TERMINAL = new URL("./probes/terminal.py", import.meta.url).pathname;

/** Runs a program on a terminal of its own; what that shows is the standard output. */
async function onTerminal(place: Place, words: readonly string[]): Promise<Result> {
  await place.write("terminal.py", await Deno.readTextFile(TERMINAL));
  return await place.bare(["python3", `${place.root}/terminal.py`, ...words]);
}

/** Statuses of the probes by name. A host may refuse TIOCSTI itself (EIO: dev.tty.legacy_tiocsti is 0). */
const IOCTLS = [
  { in: "TIOCSTI", want: 1, bare: [0, 5] },
  { in: "TIOCSTI-dirty", want: 1, bare: [0, 5] },
  // The terminal is no virtual console: ENOTTY.
  { in: "TIOCLINUX", want: 1, bare: [25] },
] as const;

Deno.test({
  ...jailTest("a command does nothing to the user's terminal but read it", ["gcc", "python3"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    for (const user of users()) {
      await using place = await Place.create(installed, user);
      await compileProbes(place);
      const script = IOCTLS.map((one) => `bin/calls ${one.in} 2>/dev/null; echo "${one.in}=$?"`)
        .join("; ");
      const jailed = await onTerminal(place, place.words("--block", "off", "-c", script));
      const bare = await onTerminal(place, ["bash", "-c", script]);
      for (const one of IOCTLS) {
        await t.step(`${user.name}: ${one.in} is refused`, () => {
          const status = (text: string) => Number(text.match(RegExp(`${one.in}=(\\d+)`))?.[1]);
          assertEquals(status(jailed.stdout), one.want, jailed.stdout + jailed.stderr);
          assert((one.bare as readonly number[]).includes(status(bare.stdout)), bare.stdout);
        });
      }
      await t.step(`${user.name}: it has no controlling terminal`, async () => {
        const open = "(exec 9<>/dev/tty) 2>/dev/null && echo opened || echo refused";
        const words = place.words("--block", "off", "-c", open);
        assertEquals((await onTerminal(place, words)).stdout, "refused\n");
        assertEquals((await onTerminal(place, ["bash", "-c", open])).stdout, "opened\n");
      });
      await t.step(`${user.name}: it cannot print past the shell through its input`, async () => {
        const print = "echo printed >&0";
        const jailed = await onTerminal(place, place.words("--block", "off", "-c", print));
        assert(!jailed.stdout.includes("printed"), jailed.stdout);
        assertMatch((await onTerminal(place, ["bash", "-c", print])).stdout, /printed/);
      });
    }
  },
});
