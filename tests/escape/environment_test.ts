/** What a command inherits from whoever started the shell: no code by variables, no descriptors. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { ENVIRONMENT_CASES, PASSED_BY_TRUE, plant } from "./environment_cases.ts";
import { listeners } from "./listeners.ts";
import { compileProbes, refuses } from "./attempt.ts";
import { Place, SECRET } from "./place.ts";
import { type Backend, backendStep, BOTH, policyOf, runnerTest } from "./runner.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** Policies. What the open one lets through has nothing to do with what builds the jail. */
const POLICIES: Readonly<Record<string, { readonly named: string; readonly backend: Backend }>> = {
  "default": { named: "default", backend: "kernel" },
  "of its own": { named: "../bubblewrap.jsonc", backend: "bubblewrap" },
  "open": { named: "open", backend: "kernel" },
};
const BUBBLEWRAP = '{ "extends": "default", "backend": "bubblewrap" }\n';
const PROGRAMS = ["gcc", "python3", "node", "git", "perl", "make"];

Deno.test({
  ...jailTest("a command inherits no code from the caller's environment", PROGRAMS),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    const [user] = users();
    for (const [policy, { named, backend }] of Object.entries(POLICIES)) {
      await t.step({
        ...backendStep(`policy ${policy}`, backend),
        fn: async (t) => {
          await using place = await Place.create(installed, user!);
          await place.write("bubblewrap.jsonc", BUBBLEWRAP);
          await compileProbes(place);
          const env = await plant(place);
          const table = policy === "open"
            ? ENVIRONMENT_CASES.filter((one) => !PASSED_BY_TRUE.has(one.in))
            : ENVIRONMENT_CASES;
          await refuses(t, { environment: table }, {
            place,
            user: user!,
            args: ["--policy", named],
            env,
            everythingGranted: policy === "open",
          });
        },
      });
    }
  },
});

/** Opens a file, a socket and a file to write at 7, 8 and 9, then becomes the program that is given. */
const OPENING = 'exec 7<"$1" 8<>/dev/tcp/127.0.0.1/"$2" 9>>"$3"; shift 3; exec "$@"';
const USES = [
  "cat <&7",
  "echo x >&8",
  "echo x >&9",
].map((use, index) => `(${use}) 2>/dev/null && echo "through ${7 + index}"`).join("; ");

runnerTest("a command inherits no descriptor but 0, 1 and 2", async (place) => {
  await using open = await listeners(place);
  const opening = (...words: readonly string[]) => [
    "bash",
    "-c",
    OPENING,
    "opening",
    join(place.root, "outside/secret"),
    open.variables.PORT,
    join(place.root, "outside/victim"),
    ...words,
  ];
  const control = await place.bare(opening("bash", "-c", USES));
  assertEquals(control.stdout, `${SECRET}\nthrough 7\nthrough 8\nthrough 9\n`);
  const debrief = (command: string) =>
    place.bare(opening(...place.words(...policyOf(place), "--block", "off", "-c", command)));
  assertEquals((await debrief(`${USES}; echo end`)).stdout, "end\n");
  const { stdout } = await debrief("ls /proc/self/fd");
  // The third is the directory that ls itself has open.
  assertEquals(stdout, "0\n1\n2\n3\n");
  const victim = await Deno.readTextFile(join(place.root, "outside/victim"));
  assertStringIncludes(victim, "unharmed\nx\n");
  assertEquals(victim.length, "unharmed\nx\n".length);
}, { programs: ["bash", "python3"], backends: BOTH });

runnerTest("a directory as standard input grants nothing that lies in it", async (place) => {
  const outside = join(place.root, "outside");
  const onDirectory = (...words: readonly string[]) =>
    place.bare(["bash", "-c", 'exec "$@" <"$0"', outside, ...words]);
  const reading = `cat ${outside}/secret; cat /dev/stdin/secret; cat /proc/self/fd/0/secret`;
  const jailed = await onDirectory(
    ...place.words(...policyOf(place), "--block", "off", "-c", `${reading}; echo end`),
  );
  assertEquals(jailed.stdout, "end\n");
  const control = await onDirectory("bash", "-c", reading);
  assertEquals(control.stdout, `${SECRET}\n`.repeat(3));
}, { once: true, backends: BOTH });
