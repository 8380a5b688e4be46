/** A `run` list as the kernel enforces it: which programs cannot be started whatever starts them, and what still runs. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { compileProbes, refuses } from "./attempt.ts";
import { EXECUTION_CASES, LISTED, LOADED_CASES, TEXTS } from "./execution_cases.ts";
import { Place } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { type Backend, backendStep } from "./runner.ts";
import { jailTest, type User, users } from "./sandbox_users.ts";

const PROGRAMS = ["gcc", "git", "make", "perl", "python3"];

function noneBy(backend: Backend): string {
  return `{ "extends": "default", "backend": "${backend}", "run": false }\n`;
}

async function placeFor(installed: InstalledProgram, user: User): Promise<Place> {
  const place = await Place.create(installed, user);
  await Deno.mkdir(join(place.workspace, "built"));
  await place.write("none.jsonc", noneBy("kernel"));
  const run = { allow: LISTED, exec: ["$WORKSPACE/built"] };
  await place.write("policy.jsonc", JSON.stringify({ extends: "./none.jsonc", run }));
  await place.own();
  return place;
}

/** The kernel executes nothing else. */
async function keepsFromExecuting(t: Deno.TestContext, place: Place, user: User): Promise<void> {
  await compileProbes(place);
  const args = ["--policy", join(place.root, "policy.jsonc")];
  await refuses(t, { execution: EXECUTION_CASES }, { place, user, args });
}

/** The known limits, and that what is listed runs. */
async function letsThrough(t: Deno.TestContext, place: Place): Promise<void> {
  const script = join(place.workspace, "loaded.sh");
  const tries = LOADED_CASES.map((one, index) => `( ${one.try}\n) >&2; echo "${index} $?"\n`);
  await place.write("work/loaded.sh", `WORK=${place.workspace}\n${tries.join("")}`);
  await place.own();
  const args = ["--policy", join(place.root, "policy.jsonc"), "--block", "off", "--pass-through"];
  const { stdout, stderr } = await place.debrief([...args, "-c", `bash ${script}`]);
  const lines = stdout.trim().split("\n");
  for (const [index, one] of LOADED_CASES.entries()) {
    await t.step(one.in, () => assertEquals(lines[index], `${index} 0`, stderr));
  }
}

async function leavesTheShell(place: Place, backend: Backend): Promise<void> {
  await place.write("none.jsonc", noneBy(backend));
  const none = ["--policy", join(place.root, "none.jsonc"), "--block", "off"];
  const shell = await place.debrief([...none, "-c", "x=4; printf '%s\\n' $((x * 2))"]);
  assertEquals([shell.code, shell.stdout], [0, "8\n"], shell.stderr);
  const program = await place.debrief([...none, "-c", "id"]);
  assertEquals(program.code, 126, program.stdout);
}

async function reportsTheRule(place: Place): Promise<void> {
  await place.write("work/loaded.sh", "/usr/bin/id\n");
  await place.own();
  const policy = ["--policy", join(place.root, "policy.jsonc")];
  const { code, stdout } = await place.debrief([
    ...policy,
    "-c",
    `bash ${join(place.workspace, "loaded.sh")}`,
  ]);
  const journal = await Deno.readTextFile(join(place.root, "state/debrief/journal.jsonl"));
  const { denials } = JSON.parse(journal.trim().split("\n").at(-1)!);
  const [{ permission, resource, by, at }] = denials;
  assertEquals([code, permission, resource, by], [126, "run", "/usr/bin/id", "sandbox"], stdout);
  assertMatch(at, /policy\.jsonc:1$/);
}

async function deletesItsDirectory(place: Place): Promise<void> {
  const none = ["--policy", join(place.root, "none.jsonc"), "--block", "off"];
  const made = await place.debrief([...none, "-c", ": >$TMPDIR/file; printf %s $TMPDIR"]);
  assertEquals(made.code, 0, made.stderr);
  assertMatch(made.stdout, /^\/.*\/tmp$/);
  const left = await Deno.lstat(made.stdout).then(() => true, () => false);
  assert(!left, `${made.stdout} is still there`);
}

/**
 * Bubblewrap has nothing like Landlock's EXECUTE, so what a program or a script starts is not looked at: the cases of
 * EXECUTION_CASES, which stand in a script, get through. What holds is what is decided before anything runs.
 */
async function readsTheText(t: Deno.TestContext, place: Place): Promise<void> {
  const args = ["--policy", join(place.root, "policy.jsonc"), "--block", "off"];
  const stdin = TEXTS.map((text, index) => `${text}\necho "after ${index} $?"\n`).join("");
  const { stdout, stderr } = await place.debrief(args, { stdin });
  for (const [index, text] of TEXTS.entries()) {
    await t.step(text, async () => {
      assert(stdout.split("\n").includes(`after ${index} 126`), `${stdout}\n${stderr}`);
      const control = await place.bare(["bash", "-c", text]);
      assertMatch(control.stdout, /^uid=/m);
    });
  }
  assert(!stdout.includes("uid="), stdout);
}

Deno.test({
  ...jailTest("a run list is enforced by the kernel", PROGRAMS),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    for (const user of users()) {
      await using place = await placeFor(installed, user);
      const step = (name: string, body: (t: Deno.TestContext) => Promise<void>) =>
        t.step(`as ${user.name}: ${name}`, body);
      await step("it keeps others from being executed", (t) => keepsFromExecuting(t, place, user));
      await step("it lets through what is loaded or listed", (t) => letsThrough(t, place));
      await step("an empty one leaves the shell", () => leavesTheShell(place, "kernel"));
      await step("a refusal is reported with the rule", () => reportsTheRule(place));
      await step("the private directory is deleted", () => deletesItsDirectory(place));
      await t.step({
        ...backendStep(`as ${user.name}: the text decides`, "bubblewrap"),
        fn: async (t) => {
          await leavesTheShell(place, "bubblewrap");
          await deletesItsDirectory(place);
          await readsTheText(t, place);
        },
      });
    }
  },
});
