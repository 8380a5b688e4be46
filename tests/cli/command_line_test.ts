import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parseCommandLine } from "../../src/cli/command_line.ts";
import { FLAGS } from "../../src/cli/flags.ts";
import { UsageError } from "../../src/errors.ts";
import { check } from "./check_command_line.ts";

check("takes shell text in every form in which a shell does", [
  { in: [], want: {} },
  { in: ["-c", "ls"], want: { switches: ["c"], source: "ls" } },
  { in: ["-c", ""], want: { switches: ["c"], source: "" } },
  { in: ["-c", "true"], want: { switches: ["c"], source: "true" } },
  { in: ["-c", "false"], want: { switches: ["c"], source: "false" } },
  { in: ["-c", "a=b"], want: { switches: ["c"], source: "a=b" } },
  { in: ["-c", "5"], want: { switches: ["c"], source: "5" } },
  { in: ["-c", "-", "ls"], want: { switches: ["c"], source: "ls" } },
  { in: ["-lc", "ls"], want: { switches: ["c", "l"], source: "ls" } },
  { in: ["-l", "-c", "ls"], want: { switches: ["c", "l"], source: "ls" } },
  { in: ["-c", "-l", "ls"], want: { switches: ["c", "l"], source: "ls" } },
  { in: ["-il", "-c", "ls"], want: { switches: ["c", "i", "l"], source: "ls" } },
  { in: ["-l", "-i", "-c", "ls"], want: { switches: ["c", "i", "l"], source: "ls" } },
  { in: ["-ilc", "true"], want: { switches: ["c", "i", "l"], source: "true" } },
  { in: ["-lc", "false"], want: { switches: ["c", "l"], source: "false" } },
  { in: ["-c", "--", "ls"], want: { switches: ["c"], source: "ls" } },
  { in: ["-c", "-l", "--", "-x"], want: { switches: ["c", "l"], source: "-x" } },
]);

check("gives what follows the shell text to the text", [
  { in: ["-c", "ls", "a", "b"], want: { switches: ["c"], source: "ls", operands: ["a", "b"] } },
  { in: ["-c", "ls", "-l"], want: { switches: ["c"], source: "ls", operands: ["-l"] } },
  { in: ["-c", "ls", "-c", "id"], want: { switches: ["c"], source: "ls", operands: ["-c", "id"] } },
  { in: ["-c", "ls", "--help"], want: { switches: ["c"], source: "ls", operands: ["--help"] } },
  { in: ["-c", "ls", "true"], want: { switches: ["c"], source: "ls", operands: ["true"] } },
  {
    in: ["-c", "ls", "007", "1e3"],
    want: { switches: ["c"], source: "ls", operands: ["007", "1e3"] },
  },
  { in: ["-c", "ls", "", "x"], want: { switches: ["c"], source: "ls", operands: ["", "x"] } },
  { in: ["-c", "ls", "--"], want: { switches: ["c"], source: "ls", operands: ["--"] } },
  {
    in: ["-c", "ls", "a", "--", "b"],
    want: { switches: ["c"], source: "ls", operands: ["a", "--", "b"] },
  },
  {
    in: ["-c", "--", "ls", "--", "b"],
    want: { switches: ["c"], source: "ls", operands: ["--", "b"] },
  },
  { in: ["-c", "log", "x"], want: { switches: ["c"], source: "log", operands: ["x"] } },
]);

check("takes exact words behind --", [
  { in: ["--"], want: { exact: [] } },
  { in: ["--", "true"], want: { exact: ["true"] } },
  { in: ["--", "ls", "-l", "--", "-c"], want: { exact: ["ls", "-l", "--", "-c"] } },
  { in: ["--", "--help"], want: { exact: ["--help"] } },
  { in: ["--", "log"], want: { exact: ["log"] } },
  { in: ["-l", "--", "5", ""], want: { switches: ["l"], exact: ["5", ""] } },
  { in: ["--note", "n", "--", "ls"], want: { values: { note: "n" }, exact: ["ls"] } },
]);

check("takes values apart", [
  {
    in: ["--note=a=b", "-c", "x"],
    want: { switches: ["c"], values: { note: "a=b" }, source: "x" },
  },
  { in: ["--note", "a=b c"], want: { values: { note: "a=b c" } } },
  { in: ["--note=-x"], want: { values: { note: "-x" } } },
  { in: ["--note", "true"], want: { values: { note: "true" } } },
  { in: ["--note=false"], want: { values: { note: "false" } } },
  { in: ["--note", "007"], want: { values: { note: "007" } } },
  { in: ["--note=\u00e9\n\u{1f600}"], want: { values: { note: "\u00e9\n\u{1f600}" } } },
  { in: ["--timeout", "90"], want: { values: { timeout: "90" } } },
  { in: ["--pass-through", "-l"], want: { switches: ["l", "pass-through"] } },
  { in: ["-l", "-l"], want: { switches: ["l"] } },
  { in: ["-h"], want: { switches: ["help"] } },
  { in: ["-V"], want: { switches: ["version"] } },
  { in: ["--help", "nosuch"], want: { switches: ["help"] } },
]);

check("takes commands with flags on either side of their words", [
  { in: ["log"], want: { command: "log" } },
  {
    in: ["log", "--limit", "5", "--json"],
    want: { command: "log", switches: ["json"], values: { limit: "5" } },
  },
  { in: ["log", "--json=false"], want: { command: "log" } },
  {
    in: ["output", "c1", "--grep", "a=b"],
    want: { command: "output", operands: ["c1"], values: { grep: "a=b" } },
  },
  {
    in: ["output", "--grep=-x", "c1"],
    want: { command: "output", operands: ["c1"], values: { grep: "-x" } },
  },
  { in: ["show", "--", "-c1"], want: { command: "show", operands: ["-c1"] } },
  { in: ["show", "12345678"], want: { command: "show", operands: ["12345678"] } },
  { in: ["show", "true"], want: { command: "show", operands: ["true"] } },
  {
    in: ["policy", "check", "p.jsonc", "--trust-policy"],
    want: {
      command: "policy",
      operands: ["check", "p.jsonc"],
      switches: ["trust-policy"],
    },
  },
]);

Deno.test("parseCommandLine() refuses what has no meaning and names it", async (t) => {
  const cases = [
    { in: ["-c"], want: "Cannot run nothing: -c needs a command" },
    { in: ["-c", "--"], want: "Cannot run nothing: -c needs a command" },
    { in: ["-lc"], want: "Cannot run nothing: -c needs a command" },
    { in: ["-c", "-"], want: "Cannot run nothing: -c needs a command" },
    { in: ["-c5"], want: 'Cannot use flag "-c5": accepted are -c, -s, -o' },
    { in: ["-c=ls"], want: 'Cannot use flag "-c=ls": accepted are -c' },
    { in: ["-lz"], want: 'Cannot use flag "-lz": accepted are -c' },
    { in: ["+c", "ls"], want: 'Cannot use flag "+c": accepted are -c' },
    { in: ["--posix=1"], want: 'Cannot use flag "--posix=1": accepted are -c' },
    { in: ["-e", "--", "ls"], want: "Cannot use -e with exact words: no shell reads them" },
    { in: ["-eo"], want: "Cannot use -eo: -o needs the name of an option behind it" },
    { in: ["-H", "-c", "ls"], want: 'Cannot use -H: under "histexpand" the shell would not run' },
    { in: ["-o", "history"], want: 'Cannot use -o history: under "history" the shell would not' },
    { in: ["-k", "-c", "ls"], want: 'Cannot use -k: under "keyword" the shell would not run' },
    { in: ["--rcfile"], want: "Cannot use --rcfile: no file is named" },
    { in: ["--debugger", "-c", "ls"], want: 'Cannot use flag "--debugger": accepted are -c' },
    { in: ["--nosuch"], want: 'Cannot use flag "--nosuch": accepted are' },
    { in: ["--nosuch=true"], want: 'Cannot use flag "--nosuch=true": accepted are' },
    {
      in: ["--no-trust-policy"],
      want: 'Cannot use flag "--no-trust-policy": did you mean --trust',
    },
    {
      in: ["--jsn", "-c", "ls"],
      want: 'Cannot use flag "--jsn": did you mean --json (see debrief --help)',
    },
    {
      in: ["log", "--folow=1"],
      want: 'Cannot use flag "--folow=1": did you mean --follow (see debrief log --help)',
    },
    { in: ["polcy", "list"], want: 'Cannot use "polcy": did you mean debrief policy; a shell' },
    { in: ["--__proto__", "x"], want: 'Cannot use flag "--__proto__": accepted are' },
    { in: ["--constructor=x"], want: 'Cannot use flag "--constructor=x": accepted are' },
    { in: ["--note"], want: "Cannot use --note without a value: TEXT is accepted" },
    { in: ["--note="], want: "Cannot use --note without a value: TEXT is accepted" },
    { in: ["--note", "--", "ls"], want: "Cannot use --note without a value: TEXT is accepted" },
    { in: ["--note", "a", "--note", "b"], want: "Cannot use --note 2 times: once is accepted" },
    {
      in: ["nosuch"],
      want:
        'Cannot use "nosuch": a shell command goes after -c, a program after --, and commands are stdio, mcp, policy, output, jobs, ',
    },
    { in: ["ls", "--", "id"], want: 'Cannot use "ls": a shell command goes after -c' },
    { in: ["5"], want: 'Cannot use "5": a shell command goes after -c' },
    { in: ["run", "ls"], want: 'Cannot use "ls": a shell command goes after -c' },
    { in: ["run", "run"], want: 'Cannot use "run": a shell command goes after -c' },
    { in: ["version"], want: 'Cannot use "version": did you mean debrief --version' },
    {
      in: ["--note", "x", "log"],
      want: 'Cannot use the command "log" behind a flag: it comes first, its flags follow',
    },
    { in: ["log", "-c", "ls"], want: 'Cannot use flag "-c": accepted are --journal' },
    { in: ["log", "--grep", "x"], want: 'Cannot use flag "--grep": accepted are' },
  ];
  for (const { in: args, want } of cases) {
    await t.step(JSON.stringify(args), () => {
      const error = assertThrows(() => parseCommandLine(args), UsageError);
      assertEquals(error.message.slice(0, want.length), want);
    });
  }
});

Deno.test("parseCommandLine() says whose flag it is that a command does not take", () => {
  const error = assertThrows(() => parseCommandLine(["log", "--grep", "x"]), UsageError);
  assertMatch(error.message, /: accepted are --.*, --help; it belongs to debrief output$/);
});

Deno.test("FLAGS holds each flag of a command once", () => {
  const names = FLAGS.flatMap(({ name, short, commands }) =>
    commands.flatMap((command) => [`${command} ${name}`, ...(short ? [`${command} ${short}`] : [])])
  );
  assertEquals(names.length, new Set(names).size);
});
