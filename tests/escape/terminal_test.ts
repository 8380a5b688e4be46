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

/** SIGIO on x86_64 and aarch64; its default action ends a process. */
const SIGIO = 29;

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Statuses of the probes by name. A host may refuse TIOCSTI itself (EIO: dev.tty.legacy_tiocsti is 0). */
const IOCTLS = [
  // First: the control discards what others have said.
  { in: "TCFLSH", want: 1, bare: [0] },
  { in: "TIOCSTI", want: 1, bare: [0, 5] },
  { in: "TIOCSTI-dirty", want: 1, bare: [0, 5] },
  // The terminal is no virtual console: ENOTTY.
  { in: "TIOCLINUX", want: 1, bare: [25] },
  { in: "TCXONC", want: 1, bare: [0] },
  { in: "TIOCEXCL", want: 1, bare: [0] },
] as const;

/** Makes the terminal send SIGIO to its foreground process group, which the shell is in, with the next line typed. */
const ASYNCHRONOUS = `python3 -c 'import fcntl, os, time
fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
print("type", flush=True)
time.sleep(1)
print("end")'`;
/** Sets a flag that all who have the same terminal open share, then looks whether it is set. */
const SET_FLAG =
  `python3 -c 'import fcntl, os; fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK)'`;
const SHOW_FLAG =
  `python3 -c 'import fcntl, os; print("flag", bool(fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK))'`;

Deno.test({
  ...jailTest("a command does nothing to the user's terminal but read it", ["gcc", "python3"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    // Terminals have the same rules for everyone, except that they forbid root nothing.
    for (const user of users().slice(0, 1)) {
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
      await t.step(`${user.name}: it has the terminal send the shell no signal`, async () => {
        const words = place.words("--block", "off", "-c", ASYNCHRONOUS);
        const jailed = await onTerminal(place, words);
        assertEquals(jailed.code, 0, jailed.stdout + jailed.stderr);
        // The stand-in's command leaves its session, as a jailed one does, and the signal ends what stayed behind.
        const stay = ["bash", "-c", `setsid -w ${ASYNCHRONOUS}; true`];
        assertEquals((await onTerminal(place, stay)).code, 128 + SIGIO);
      });
      await t.step(`${user.name}: it cannot print past the shell through its input`, async () => {
        const print = "echo printed >&0";
        const jailed = await onTerminal(place, place.words("--block", "off", "-c", print));
        assert(!jailed.stdout.includes("printed"), jailed.stdout);
        assertMatch((await onTerminal(place, ["bash", "-c", print])).stdout, /printed/);
      });
      await t.step(`${user.name}: it leaves no flag on the terminal that is shared`, async () => {
        const shell = place.words("--block", "off", "-c", SET_FLAG).map(quote).join(" ");
        const after = (first: string) =>
          onTerminal(place, ["bash", "-c", `${first}; ${SHOW_FLAG}`]);
        assertMatch((await after(shell)).stdout, /flag False/);
        assertMatch((await after(SET_FLAG)).stdout, /flag True/);
      });
    }
  },
});
