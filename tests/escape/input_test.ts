/** What a command is given to read stays what it is, whoever reads it: under both backends. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { Place } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** Runs a program whose input is a terminal that is nobody's, and prints what the terminal shows. */
const ON_FREE_TERMINAL = `
import os, pty, select, subprocess, sys
terminal, slave = pty.openpty()
run = subprocess.run(sys.argv[1:], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
ready, _, _ = select.select([terminal], [], [], 0.3)
print(run.stdout.decode(), b"forged" in os.read(terminal, 4096) if ready else False)
`;
/** Acquires the terminal, by itself or as a new session's leader, and prints to it under its own name. */
const TAKE = `import fcntl, os
if os.getsid(0) != os.getpid() and os.fork() == 0: os.setsid()
if os.getsid(0) == os.getpid():
    fcntl.ioctl(0, 0x540E, 0); os.write(os.open("/dev/tty", os.O_RDWR), b"forged")
else: os.wait()`;
const REOPEN = "echo forged >/proc/self/fd/0";

for (const backend of ["kernel", "bubblewrap"]) {
  const programs = ["python3", ...backend === "bubblewrap" ? ["bwrap"] : []];
  Deno.test({
    ...jailTest(`a command cannot write what it reads: ${backend}`, programs),
    fn: async (t) => {
      await using installed = await InstalledProgram.create();
      for (const user of users()) {
        await using place = await Place.create(installed, user);
        await place.write("policy.jsonc", `{ "extends": "default", "backend": "${backend}" }\n`);
        await place.write("work/take.py", TAKE);
        await place.write("terminal.py", ON_FREE_TERMINAL);
        await place.write("outside/input", "read me\n");
        await place.own();
        const words = (script: string) =>
          place.words(
            ...["--policy", join(place.root, "policy.jsonc"), "--block", "off"],
            ...["-c", script],
          );
        await t.step(`${user.name}: a file`, async () => {
          const script = (command: readonly string[]) => [
            "bash",
            "-c",
            '"$@" <../outside/input',
            "bash",
            ...command,
          ];
          const text = () => Deno.readTextFile(join(place.root, "outside/input"));
          const read = "cat; echo forged >>/proc/self/fd/0; true";
          const { stdout, stderr } = await place.bare(script(words(read)));
          assertEquals([stdout, await text()], ["read me\n", "read me\n"], stderr);
          await place.bare(script(["bash", "-c", read]));
          assertStringIncludes(await text(), "forged");
        });
        for (
          const [name, command] of [["a new name", REOPEN], ["taking it", "exec python3 take.py"]]
        ) {
          await t.step(`${user.name}: a terminal, by ${name}`, async () => {
            const shows = async (command: readonly string[]) =>
              (await place.bare(["python3", `${place.root}/terminal.py`, ...command])).stdout;
            const jailed = await shows(words(command!));
            assertEquals(jailed.trimEnd().endsWith("False"), true, jailed);
            const bare = await shows(["bash", "-c", command!]);
            assertEquals(bare.trimEnd().endsWith("True"), true, bare);
          });
        }
      }
    },
  });
}
