/** What a session keeps from command to command was written by the jailed side: it steers nothing but later commands. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { Place } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { backendStep, BOTH, policyOf } from "./runner.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** A session, the text that its commands must not print, and the same in bash, where they do. */
interface Forgery {
  readonly in: string;
  readonly commands: string;
  /** Lines of output that must be there. */
  readonly want: readonly string[];
  /** Text that would show that the forgery worked. */
  readonly never: string;
}

/** Writes fields, as the shell's own report has them, to the descriptor that carries a command's state. */
function report(...fields: readonly string[]): string {
  const bytes = new TextEncoder().encode([...fields, "E"].map((field) => field + "\0").join(""));
  return `echo ${bytes.toBase64()} | base64 -d >&250; true`;
}

const FORGERIES: readonly Forgery[] = [
  {
    in: "variables that run code are not kept",
    commands:
      "export LD_PRELOAD=/x.so BASH_ENV=/tmp/x NODE_OPTIONS=--x PYTHONSTARTUP=/x PERL5OPT=-Mx ENV=/x GIT_SSH_COMMAND=x\n" +
      "env | grep -E '^(LD_|BASH_ENV|NODE_OPT|PYTHONST|PERL5|ENV=|GIT_SSH)' || echo none\n",
    want: ["none"],
    never: "LD_PRELOAD=/x.so",
  },
  {
    in: "nor are they when the report is forged",
    commands: `${
      report(
        "C/",
        "VLD_PRELOAD=/x.so",
        "VBASH_ENV=/x",
        "VBASH_FUNC_ls%%=() { echo $((6*7)); }",
        "VA B=1",
      )
    }
env | grep -E 'LD_PRELOAD|BASH_ENV|BASH_FUNC|A B' || echo none
`,
    want: ["none"],
    never: "LD_PRELOAD=/x.so",
  },
  {
    in: "a huge report does not end the session",
    commands: `python3 -c 'import os
for _ in range(400): os.write(3, b"V" + b"x" * 65536)'; true
echo next | cat
`,
    want: ["next"],
    never: "xxxxx",
  },
  {
    in: "a hundred thousand variables, functions and complaints do not hold up what follows",
    commands: `python3 -c 'import os
os.write(250, b"C/\\0" + b"".join(b"Vx%d=y\\0" % i for i in range(90000)) + b"E\\0")'; true
python3 -c 'import os
os.write(250, b"C/\\0" + b"".join(b"Ff%d\\nf%d () \\n{ \\n    :\\n}\\0" % (i, i) for i in range(20000)) + b"E\\0")'; true
python3 -c 'import os
os.write(250, b"C/\\0" + b"".join(b"F%d\\nid\\0" % i for i in range(90000)) + b"E\\0")'; true
echo next $(env | wc -l) | sed 's/ [0-9][0-9]$//' | cat
`,
    want: ["next"],
    never: "xxxxx",
  },
  {
    in: "functions in the place of builtins do not run for the shell",
    commands:
      `builtin() { echo $((6*7)); }; printf() { echo $((6*7)); }; trap() { echo $((6*7)); }; eval() { echo $((6*7)); }
compgen() { echo $((6*7)); }; declare() { echo $((6*7)); }; set() { echo $((6*7)); }; exit() { echo $((6*7)); }; :
echo next | cat
`,
    want: ["next"],
    never: "42",
  },
  {
    in: "aliases in the place of builtins do not run for the shell",
    commands:
      `alias builtin='echo $((6*7));' printf='echo $((6*7));' trap='echo $((6*7));' eval='echo $((6*7));' for='echo $((6*7));'
echo next | cat
`,
    want: ["next"],
    never: "42",
  },
  {
    in: "a forged function brings no command with it",
    commands: `${report("C/", "Ff\nf () { :; }; echo $((6*7))")}
${report("C/", "Ff () { :; }; echo $((6*7)); g\ng () { :; }")}
${report("C/", "F$(echo $((6*7)) >&2)\ng () { :; }")}
echo next | cat
`,
    want: ["next"],
    never: "42",
  },
  {
    in: "a forged alias brings no command with it",
    commands: `${
      report("C/", "Aa=1\necho $((6*7))", "Aa b; echo $((6*7)) #=x", "A-p=x", "A$(echo $((6*7)))=x")
    }
echo next | cat
`,
    want: ["next"],
    never: "42",
  },
  {
    in: "a forged working directory is no option and no command",
    commands: `${report("C-P", "C$(echo $((6*7)))", "C/nonexistent/directory", "Crelative")}
echo next | cat
`,
    want: ["next"],
    never: "42",
  },
  {
    in: "an environment that is too large to start anything does not end the session",
    commands: `for i in {1..40}; do export BIG$i=$(printf '%0100000d' 0); done 2>/dev/null
echo next
`,
    want: ["next"],
    never: "42",
  },
  {
    in: "a working directory that is gone does not end the session",
    commands: `mkdir gone && cd gone && rmdir ../gone
cd /
echo next
`,
    want: ["next"],
    never: "42",
  },
];

async function check(place: Place, forgery: Forgery): Promise<void> {
  const { stdout, stderr } = await place.debrief([
    ...policyOf(place),
    "--block",
    "off",
    "--pass-through",
  ], {
    stdin: forgery.commands,
  });
  const said = `${stdout}\n${stderr}`;
  for (const line of forgery.want) assert(stdout.split("\n").includes(line), said);
  assert(!said.includes(forgery.never), said);
}

Deno.test({
  ...jailTest("what a command reports as its shell's state is not trusted", ["python3"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    const [user] = users();
    await using place = await Place.create(installed, user!);
    for (const backend of BOTH) {
      await t.step({
        ...backendStep("forgeries", backend),
        fn: async (t) => {
          await place.write("policy.jsonc", `{ "extends": "default", "backend": "${backend}" }\n`);
          await place.own();
          for (const forgery of FORGERIES) await t.step(forgery.in, () => check(place, forgery));
          await t.step(
            "control: an honest report through the same descriptor is kept",
            async () => {
              const { stdout } = await place.debrief([...policyOf(place), "--block", "off"], {
                stdin: `${
                  report("C/", "Ff\nf () \n{ \n    echo kept\n}", "VKEPT=1")
                }\nf; echo $KEPT\n`,
              });
              assertEquals(stdout, "kept\n1\n");
            },
          );
        },
      });
    }
    await t.step("control: in one bash all of it reaches the next command", async () => {
      const { stdout } = await place.bare(["bash"], {
        stdin:
          "export LD_PRELOAD=/x.so\nbuiltin () { echo $((6*7)); }\nenv | grep LD_; builtin x\n",
      });
      assert(stdout.includes("LD_PRELOAD=/x.so") && stdout.includes("42"), stdout);
    });
  },
});

/** Ways to bring the denied program `id` into a later command. The parse tree decides, whatever builds the jail. */
const WAYS: Readonly<Record<string, string>> = {
  "by name": "id\n",
  "by a function": "f () { id; }\nf\n",
  "by an alias": "alias a=id\na\n",
  "by an alias of a keyword": "alias if='id; if'\nif true; then echo x; fi\n",
  "by an alias of a bracket": "alias {='id; {'\n{ echo x; }\n",
  "by an alias that ends in a blank": "alias a='echo x; ' b=id\na b\n",
  "by an alias after an alias": "alias a='true && ' b=id\na b\n",
  "by an alias for a comment": "alias '#=id #'\n# x\necho\n",
  "by a function of a keyword's name": "function time { id; }\ntime echo x\n",
  "by a function of a builtin's name": "cd () { id; }\ncd /\n",
  "by command_not_found_handle": "command_not_found_handle () { id; }\nnosuchprogram\n",
  "by BASH_ENV": "echo id >e; export BASH_ENV=$PWD/e\nbash -c true\n",
  "by PS4": "export PS4='$(id)' SHELLOPTS\nset -x; true\n",
  "by a forged function": `${report("C/", "Ff\nf () { :; }; id")}\necho next | cat\n`,
  "by a forged function of another name": `${report("C/", "Fcat\ncat () { id; }")}\necho | cat\n`,
  "by a forged alias": `${report("C/", "Acat=id")}\necho | cat\n`,
};

/** Between two ways, so that one does not help or hinder the next. */
const FORGET = "unalias -a\nunset -f f cd time cat command_not_found_handle\nunset BASH_ENV PS4\n";

Deno.test({
  ...jailTest("a policy's run rules hold for what a command leaves to the next one", ["base64"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    const [user] = users();
    await using place = await Place.create(installed, user!);
    await place.write("policy.jsonc", '{ "extends": "default", "run": { "deny": ["id"] } }\n');
    await place.own();
    const args = ["--policy", join(place.root, "policy.jsonc"), "--block", "off"];
    const stdin = Object.entries(WAYS).map(([way, text]) => `echo "== ${way}"\n${text}${FORGET}`);
    const { stdout } = await place.debrief(args, { stdin: stdin.join("") });
    const parts = new Map(stdout.split("== ").map((part) => [part.split("\n")[0], part]));
    for (const way of Object.keys(WAYS)) {
      await t.step(way, () => {
        assert(parts.has(way), stdout);
        assert(!parts.get(way)!.includes("uid="), parts.get(way));
      });
    }
    const control = await place.debrief(["--block", "off"], { stdin: WAYS["by a function"]! });
    assertEquals(control.stdout.startsWith("uid="), true);
  },
});
