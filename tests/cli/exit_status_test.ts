import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { parseCommandLine } from "../../src/cli/command_line.ts";
import { runChainCommand } from "../../src/cli/chain_command.ts";
import { runGateCommand } from "../../src/cli/gate_command.ts";
import { runDoctorCommand } from "../../src/cli/doctor_command.ts";
import { runLogCommand } from "../../src/cli/log_command.ts";
import { runOutputCommand } from "../../src/cli/output_command.ts";
import { runPolicyCommand } from "../../src/cli/policy_command.ts";
import { runShowCommand } from "../../src/cli/show_command.ts";
import { UsageError } from "../../src/errors.ts";
import { EXIT } from "../../src/exit_codes.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

jailTest("every status of EXIT is what a run ends with", async () => {
  using place = new TestPlace();
  place.write("work/plain.txt", "text\n");
  const policy = place.write("deny.jsonc", '{"extends":"default","run":{"deny":["curl"]}}');
  const kernel = place.write("kernel.jsonc", '{"extends":"default","backend":"kernel"}');
  const cases: readonly { in: readonly string[]; env?: Record<string, string>; want: number }[] = [
    { in: ["-c", "true"], want: EXIT.ok },
    { in: ["-c", "exit 3"], want: 3 },
    { in: ["--nosuch"], want: EXIT.usage },
    { in: ["gate", "--journal", place.at("none")], want: EXIT.findings },
    { in: ["-c", "echo 'open"], want: EXIT.usage },
    { in: ["--policy", "nosuch", "-c", "true"], want: EXIT.usage },
    { in: ["--timeout", "100ms", "-c", "sleep 20"], want: EXIT.timeout },
    {
      in: ["--policy", kernel, "-c", "true"],
      env: { DEBRIEF_LANDLOCK_ABI: "0" },
      want: EXIT.refused,
    },
    { in: ["--policy", policy, "-c", "curl x"], want: EXIT.denied },
    { in: ["--", "./plain.txt"], want: EXIT.denied },
    { in: ["--", "nosuch"], want: EXIT.notFound },
    { in: ["-c", "nosuch"], want: EXIT.notFound },
    { in: ["-c", "kill -USR1 $$"], want: EXIT.signalBase + 10 },
  ];
  const codes = await Promise.all(
    cases.map(async ({ in: args, env }) =>
      (await runDebrief(args, { place, env: env ?? {} })).code
    ),
  );
  assertEquals(codes, cases.map(({ want }) => want));
  const seen = new Set(codes);
  for (const [name, status] of Object.entries(EXIT)) {
    assertEquals(name === "signalBase" || seen.has(status), true, `EXIT.${name}`);
  }
});

jailTest(
  "what a user must correct is one line, with status 2, no stack and nothing left behind",
  async () => {
    using place = new TestPlace();
    place.write("bad.jsonc", '{\n  "read": { "allow": [7] }\n}\n');
    const bad = place.at("bad.jsonc");
    const cases: readonly { in: readonly string[]; env?: Record<string, string>; want: RegExp }[] =
      [
        { in: ["-c"], want: /^debrief: Cannot run nothing: -c needs a command$/ },
        { in: ["--"], want: /^debrief: Cannot run nothing: a program is needed after "--"$/ },
        { in: ["ls"], want: /^debrief: Cannot use "ls": a shell command goes after -c/ },
        {
          in: ["--timeout", "soon", "-c", "ls"],
          want: /^debrief: Cannot use --timeout "soon": a time/,
        },
        {
          in: ["--format", "xml", "-c", "ls"],
          want: /^debrief: Cannot use --format "xml": text and/,
        },
        {
          in: ["--block", "fd:77", "-c", "ls"],
          want: /^debrief: Cannot print the block to "fd:77"/,
        },
        {
          in: ["--parent", "../x", "-c", "ls"],
          want: /^debrief: Cannot use --parent "..\/x": the id/,
        },
        { in: ["--policy", bad, "-c", "ls"], want: /bad\.jsonc:2: read\.allow\[0\]: Cannot/ },
        { in: ["--workspace", "/", "-c", "ls"], want: /it is the whole file system/ },
        {
          in: ["-c", "ls"],
          env: { TMPDIR: "/nosuch" },
          want: /^debrief: Cannot create a private directory/,
        },
        {
          in: ["-c", "ls"],
          env: { HOME: "x" },
          want: /^debrief: Cannot find the home directory: HOME is "x"; set it to /,
        },
        {
          in: ["-c", "ls"],
          env: { DEBRIEF_BLOCK: "x" },
          want: /^debrief: Cannot print the block to "x"/,
        },
        { in: ["-c", "ls"], env: { DEBRIEF_POLICY: "nosuch" }, want: /^debrief: .*nosuch/ },
        { in: ["policy", "check", bad], want: /bad\.jsonc:2: read\.allow\[0\]: Cannot/ },
        { in: ["show", "c0"], want: /^debrief: Cannot find command "c0"/ },
      ];
    const results = await Promise.all(
      cases.map(({ in: args, env }) => runDebrief(args, { place, env: env ?? {} })),
    );
    for (const [index, { in: args, want }] of cases.entries()) {
      const { code, stdout, stderr } = results[index]!;
      const found = { code, stdout, lines: stderr.split("\n").length };
      assertEquals(
        found,
        { code: EXIT.usage, stdout: "", lines: 2 },
        `${args.join(" ")}: ${stderr}`,
      );
      assertMatch(stderr.trimEnd(), want);
    }
    assertEquals(place.leftovers(), []);
  },
);

Deno.test("commands refuse words that they do not understand", async (t) => {
  const commands = {
    log: runLogCommand,
    chain: runChainCommand,
    gate: runGateCommand,
    output: runOutputCommand,
    policy: runPolicyCommand,
    show: runShowCommand,
    doctor: runDoctorCommand,
  };
  const cases = [
    { in: ["chain"], want: "Cannot chain nothing: an id is needed (see debrief log)" },
    { in: ["gate", "x"], want: 'Cannot use "x": debrief gate takes no words' },
    {
      in: ["gate", "--forbid", "x"],
      want: "Cannot use --forbid without --changed: what was changed must be told",
    },
    {
      in: ["gate", "--changed", "x"],
      want: "Cannot use --changed without --forbid: nothing is forbidden",
    },
    {
      in: ["gate", "--json", "--github"],
      want: "Cannot use --json and --github together: one of them is accepted",
    },
    {
      in: ["log", "--verify", "--follow"],
      want: "Cannot use --verify and --follow together: the whole chain is checked",
    },
    {
      in: ["log", "--verify", "--task", "x"],
      want: "Cannot use --verify and --task together: the whole chain is checked",
    },
    {
      in: ["log", "--status", "0,ok"],
      want:
        'Cannot use the status "ok": a number from 0 to 255, nonzero, null, a signal such as SIGKILL, or an outcome is accepted',
    },
    { in: ["log", "x"], want: 'Cannot use "x": debrief log takes no words' },
    { in: ["log", "--limit", "0"], want: 'Cannot use --limit "0": a number from 1 is accepted' },
    { in: ["doctor", "x"], want: 'Cannot use "x": debrief doctor takes no words' },
    { in: ["show"], want: "Cannot show nothing: an id is needed (see debrief log)" },
    {
      in: ["output", "c0", "--head", "1", "--tail", "1"],
      want: "Cannot use --head and --tail together: one of them is accepted",
    },
    { in: ["output", "c0", "--around", "1"], want: "Cannot use --around without --grep" },
    {
      in: ["policy"],
      want:
        "Cannot choose a policy command: there is no word: check, show, list and explain are accepted",
    },
    {
      in: ["policy", "nosuch", "x"],
      want: 'Cannot use "nosuch" as a policy command: check, show, list and explain are accepted',
    },
    {
      in: ["policy", "list", "x"],
      want: 'Cannot use "x": debrief policy list takes no more words',
    },
    { in: ["policy", "check"], want: "Cannot check a policy: a file is needed" },
    {
      in: ["policy", "check", "p", "--policy", "ci"],
      want: "Cannot use --policy: the file is what is checked",
    },
  ];
  for (const { in: args, want } of cases) {
    await t.step(args.join(" "), async () => {
      const line = parseCommandLine([
        ...args,
        ...(args[0] === "policy" ? [] : ["--journal", "/nosuch/x"]),
      ]);
      const run = commands[line.command as keyof typeof commands];
      const error = await assertRejects(() => Promise.resolve().then(() => run(line)), UsageError);
      assertEquals(error.message, want);
    });
  }
});
