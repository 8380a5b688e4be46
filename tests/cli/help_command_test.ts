import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

jailTest(
  "debrief help COMMAND prints what COMMAND --help prints, and names a near one",
  async () => {
    using place = new TestPlace();
    const [help, flag, plain, near] = await Promise.all(
      [["help", "gate"], ["gate", "--help"], ["help"], ["help", "gat"]].map((args) =>
        runDebrief(args, { place })
      ),
    );
    assertEquals([help!.code, help!.stdout], [0, flag!.stdout]);
    assertMatch(plain!.stdout, /^Run commands in a jail/);
    assertEquals(near!.code, 2);
    assertMatch(near!.stderr, /^debrief: Cannot use "gat": did you mean debrief gate; /);
  },
);

jailTest("debrief completions prints a script for a shell, and refuses others", async () => {
  using place = new TestPlace();
  const [bash, csh, none] = await Promise.all(
    [["bash"], ["csh"], []].map((args) => runDebrief(["completions", ...args], { place })),
  );
  assertEquals([bash!.code, bash!.stderr], [0, ""]);
  assertStringIncludes(bash!.stdout, "complete -o default -F _debrief debrief");
  assertEquals([csh!.code, none!.code], [2, 2]);
  assertStringIncludes(none!.stderr, "Cannot go on without a shell: accepted are bash, zsh");
  assertStringIncludes(csh!.stderr, 'Cannot use the shell "csh": accepted are bash, zsh');
});
