/** The shell is not a deputy: nothing that a workspace or a command holds makes it run, follow or wait for something. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { BOTH, policyOf, runnerTest } from "./runner.ts";
import { exists } from "../sandbox/observe.ts";

/** Commands that end in all the ways that make the shell look around for something helpful to say. */
const ORDINARY = [
  "echo hi",
  "gti status",
  "nosuchprogram --help",
  "cat missing.txt",
  "cat packge.json",
  "./missing.sh",
  "false",
  "cd nowhere",
  "echo $((1/0))",
  "kill -9 $$",
];

runnerTest("the shell runs nothing of a hostile workspace", async (place) => {
  await place.bare(["git", "init", "-q"]);
  const ran = join(place.root, "work/ran");
  for (const key of ["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand"]) {
    await place.bare(["git", "config", key, `touch ${ran}; false`]);
  }
  await place.bare(["git", "config", "alias.status", `!touch ${ran}`]);
  await place.write("work/.envrc", `touch ${ran}\n`);
  await place.write("work/.bashrc", `touch ${ran}\n`);
  await place.write("work/.profile", `touch ${ran}\n`);
  await place.write("work/Makefile", `$(shell touch ${ran})\nall:\n`);
  await place.write("work/package.json", `{"scripts": {"preinstall": "touch ${ran}"}}\n`);
  await place.write("work/deno.json", `{"imports": {"node:path": "./hostile.ts"}}\n`);
  await place.write("work/hostile.ts", `Deno.writeTextFileSync("${ran}", "");\n`);
  await place.write("work/.env", `BASH_ENV=${place.workspace}/.envrc\n`);
  for (const name of ["git", "bash", "sh", "rm", "true"]) {
    await place.write(`work/${name}`, `#!/bin/sh\ntouch ${ran}\n`, 0o755);
  }
  await place.own();
  const { stdout } = await place.debrief([...policyOf(place), "--format", "json"], {
    stdin: ORDINARY.join("\n"),
  });
  assertEquals(stdout.match(/"debrief_block"/g)?.length, ORDINARY.length, stdout);
  for (const command of ["gti status", "cat missing.txt"]) {
    await place.debrief([...policyOf(place), "--block", "off", "-c", command]);
  }
  assert(!exists(ran), "something of the workspace ran");
  // The control: the same workspace does run code when git or make is asked to.
  await place.bare(["git", "status"]);
  assert(exists(ran), "the workspace is not hostile");
}, { programs: ["git", "make"], backends: BOTH });

runnerTest("the shell waits for no special file of a workspace", async (place) => {
  const fifos = ["package.json", "Makefile", ".env", ".envrc", "deno.json", "missing.tx", "policy"];
  await place.bare(["mkfifo", ...fifos, ".git/config"]);
  const words = place.words(...policyOf(place), "--format", "json");
  const { code, stdout } = await place.bare(["timeout", "30", ...words], {
    stdin: ORDINARY.join("\n"),
  });
  assert(code !== 124, "the shell hung");
  assertEquals(stdout.match(/"debrief_block"/g)?.length, ORDINARY.length, stdout);
  const control = await place.bare(["timeout", "1", "cat", "package.json"]);
  assertEquals(control.code, 124);
}, { programs: ["mkfifo"], once: true, backends: BOTH });

runnerTest("links in the private directory lead the shell nowhere", async (place) => {
  const before = await place.picture("outside", "home");
  const outside = join(place.root, "outside");
  const { stdout } = await place.debrief([...policyOf(place), "--block", "off", "--pass-through"], {
    stdin:
      `ln -s ${outside} $TMPDIR/outside; ln -s / $TMPDIR/root; mkdir $TMPDIR/d; ln -s ${outside}/victim $TMPDIR/d/l
ln -s ${outside} $TMPDIR/cache; mkfifo $TMPDIR/fifo; echo $TMPDIR; chmod 500 $TMPDIR/d
`,
  });
  assertEquals(await place.picture("outside", "home"), before);
  // Each link does lead out, and nothing else of the directory is left.
  assertEquals((await place.bare(["cat", `${outside}/victim`])).stdout, "unharmed\n");
  assert(stdout.startsWith(join(place.root, "tmp/")), stdout);
}, { backends: BOTH });

/** What would read the following commands, if the session's stream were a command's input. */
const READERS = [
  "cat",
  "head -n1",
  'read -r x; echo "[$x]"',
  "bash",
  "cat /dev/stdin",
  "python3 -c 'input()'",
  "ssh -V",
  "wc -l",
];

runnerTest("a command cannot read the session's input", async (place) => {
  const text = READERS.map((reader, index) => `${reader}\necho "after ${index}"\n`).join("");
  const { stdout, stderr } = await place.debrief([
    ...policyOf(place),
    "--block",
    "off",
    "--pass-through",
  ], {
    stdin: text,
  });
  READERS.forEach((reader, index) => {
    assert(stdout.split("\n").includes(`after ${index}`), `${reader}\n${stdout}\n${stderr}`);
  });
  const control = await place.bare(["bash"], { stdin: text });
  assertStringIncludes(control.stdout, 'echo "after 0"');
}, { programs: ["python3"], once: true, backends: BOTH });

runnerTest("a command cannot open the shell's own input", async (place, backend) => {
  const text = "cat /proc/$PPID/fd/0; readlink /proc/$PPID/fd/0\necho after\n";
  const { stdout, stderr } = await place.debrief([...policyOf(place), "--block", "off"], {
    stdin: text,
  });
  // Bubblewrap's first process is the parent in its jail: the shell is not there at all.
  assertEquals(stdout, backend === "kernel" ? "after\n" : "/dev/null\nafter\n");
  assertEquals(stderr.includes("Permission denied"), backend === "kernel", stderr);
  const control = await place.bare(["bash"], { stdin: "bash -c 'readlink /proc/$PPID/fd/0'" });
  assertStringIncludes(control.stdout, "pipe:");
}, { backends: BOTH });
