/** What one command of a session prepares must not widen what the next one is granted. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { compileProbes } from "./attempt.ts";
import { Place, SECRET } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** Commands of one session, under a policy, after which `never` must not have been printed. */
interface Preparation {
  readonly in: string;
  /** Policy besides `"extends": "default"`; `ROOT` stands for the place's directory. */
  readonly policy?: string;
  /** `ROOT` stands for the place's directory. */
  readonly commands: string;
  /** TMPDIR of the shell, beneath the place. */
  readonly tmp?: string;
}

/** Puts a link to a directory outside in the place of the session's private directory. */
const REPLACE =
  `d=$(dirname "$TMPDIR"); mv "$d" "$d.moved"; mkdir "$d" && ln -s ROOT/outside "$d/tmp"; true\n`;
const REACH = "cat ROOT/outside/secret; echo x >ROOT/outside/reached && cat ROOT/outside/secret\n";
const DENY = '"read": { "deny": ["$WORKSPACE/.env*", "$WORKSPACE/keys"] }';

const PREPARATIONS: readonly Preparation[] = [
  {
    in: "a link for the private directory, inside the workspace",
    tmp: "work",
    commands: REPLACE + REACH,
  },
  {
    in: "a link for the private directory, where a policy grants its parent",
    policy: '"write": ["ROOT/tmp"], "read": ["ROOT/tmp"]',
    commands: REPLACE + REACH,
  },
  {
    in: "a link for a directory that a policy grants inside the workspace",
    policy: '"write": ["$WORKSPACE/out"], "read": ["$WORKSPACE/out"]',
    commands: `mkdir -p out; mv out out.moved; ln -s ROOT/outside out\n${REACH}`,
  },
  {
    in: "a link for a directory above a granted one",
    policy: '"write": ["$WORKSPACE/a/b"], "read": ["$WORKSPACE/a/b"]',
    commands: `mkdir -p a/b; mv a a.moved; mkdir -p x; ln -s ROOT a\nls a; ${REACH}`,
  },
  { in: "another name for a denied file", policy: DENY, commands: "mv .env open\ncat open\n" },
  { in: "a hard link to a denied file", policy: DENY, commands: "ln .env open\ncat open .env\n" },
  {
    in: "a denied file in a directory below",
    policy: DENY,
    commands: "mkdir -p d; mv .env d/e\ncat d/e\n",
  },
  {
    in: "another name for a denied directory",
    policy: DENY,
    commands: "mv keys open\ncat open/key\n",
  },
  {
    in: "a denied file exchanged with an open one",
    policy: DENY,
    commands: "echo x >open; mv open o2; mv .env open; mv o2 .env\ncat open\n",
  },
];

Deno.test({
  ...jailTest("what a command prepares does not widen the next one's grants", ["bash"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    for (const user of users().slice(0, 1)) {
      for (const one of PREPARATIONS) {
        await t.step(`${user.name}: ${one.in}`, async () => {
          await using place = await Place.create(installed, user);
          const full = (text: string) => text.replaceAll("ROOT", place.root);
          const policy = `{ "extends": "default"${one.policy ? `, ${one.policy}` : ""} }`;
          await place.write("policy.jsonc", full(policy));
          for (const name of [".env", "keys/key"]) await place.write(`work/${name}`, `${SECRET}\n`);
          await place.write("work/out/file", "x\n");
          await place.write("work/a/b/file", "x\n");
          await place.own();
          const args = ["--policy", join(place.root, "policy.jsonc"), "--block", "off"];
          const env: Record<string, string> = one.tmp ? { TMPDIR: join(place.root, one.tmp) } : {};
          const stdin = full(one.commands);
          const { stdout, stderr } = await place.debrief(args, { stdin, env });
          assert(!stdout.includes(SECRET), `${stdout}\n${stderr}`);
          const reached = await Deno.lstat(join(place.root, "outside/reached")).catch(() => null);
          assertEquals(reached, null);
          const environment = { TMPDIR: join(place.root, "private/tmp") };
          const control = await place.bare(["bash"], { stdin, env: environment });
          assert(control.stdout.includes(SECRET), control.stderr);
        });
      }
    }
  },
});

Deno.test({
  ...jailTest("suggestions name nothing that the command could not list", ["bash"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    for (const user of users().slice(0, 1)) {
      await t.step(`as ${user.name}`, async () => {
        await using place = await Place.create(installed, user);
        await place.write("outside/frobnicator-secret", "x\n", 0o755);
        await place.own();
        const { stdout, stderr } = await place.debrief([], {
          stdin:
            `ln -s ${place.root}/outside l; export PATH=$PATH:$PWD/l\nfrobnicator-secre\nls l\n`,
        });
        assert(!/frobnicator-secret/.test(stdout + stderr), stdout);
        assert(stdout.includes("frobnicator-secre"), stdout);
        const control = await place.bare(["ls", join(place.root, "outside")]);
        assert(control.stdout.includes("frobnicator-secret"));
      });
    }
  },
});

Deno.test({
  ...jailTest("one thread of the shell is in the commands' domain, however often it is replaced", [
    "gcc",
  ]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    for (const user of users().slice(0, 1)) {
      await t.step(`as ${user.name}`, async () => {
        await using place = await Place.create(installed, user);
        await compileProbes(place);
        const look = "VICTIM=$PPID bin/calls one-filtered-task && echo one\n";
        const policy = '{ "extends": "default", "read": { "deny": ["$WORKSPACE/out/hidden"] } }';
        await place.write("policy.jsonc", policy);
        await place.write("work/out/file", "x\n");
        await place.own();
        const args = ["--policy", join(place.root, "policy.jsonc"), "--block", "off"];
        const text =
          `${look}nosuchprogram; cat missing; sleep 0.1 &\n${look}seq 100000 | tail -1\n${look}`;
        const { stdout, stderr } = await place.debrief(args, { stdin: text });
        assertEquals(stdout.match(/^one$/gm)?.length, 3, stdout + stderr);
      });
    }
  },
});
