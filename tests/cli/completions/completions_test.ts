/** The scripts of `debrief completions`, asked by the shells themselves. */
import { assertEquals } from "@std/assert";
import { join } from "node:path/posix";
import { bashCompletion } from "../../../src/cli/completions/bash.ts";
import { CALLED } from "../../../src/cli/completions/completable.ts";
import { fishCompletion } from "../../../src/cli/completions/fish.ts";
import { zshCompletion } from "../../../src/cli/completions/zsh.ts";
import { flagsOf } from "../../../src/cli/flags.ts";
import { BUILTIN_NAMES } from "../../../src/policy/builtins.ts";

/** A shell: its script, and the command that prints what it offers behind a line. */
interface Shell {
  readonly name: string;
  readonly script: string;
  readonly ask: (file: string, words: readonly string[]) => readonly string[];
}

const BASH = `source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _debrief; printf '%s\\n' "\${COMPREPLY[@]}"`;

const SHELLS: readonly Shell[] = [
  {
    name: "bash",
    script: bashCompletion(),
    // Bash takes an equals sign for a word of its own (COMP_WORDBREAKS).
    ask: (file, words) => {
      const split = words.flatMap((word) => word.split(/(?<=^--\w+)(?==)|(?<==)(?=.)/));
      return ["--norc", "-c", BASH, "bash", file, ...split];
    },
  },
  {
    name: "zsh",
    script: zshCompletion(),
    ask: (file, words) => [
      "-f",
      join(import.meta.dirname!, "capture.zsh"),
      file,
      words.join(" "),
    ],
  },
  {
    name: "fish",
    script: fishCompletion(),
    ask: (file, words) => [
      "--no-config",
      "-c",
      `source ${file}; complete -C '${words.join(" ")}'`,
    ],
  },
];

function isInstalled(name: string): boolean {
  return new Deno.Command("bash", { args: ["-c", `command -v ${name}`], stdout: "null" })
    .outputSync().success;
}

const FILES = ["notes.txt", "places"];

/** Ends a shell that never answers, in seconds. */
const STUCK = "120";

const longFlags = (command: Parameters<typeof flagsOf>[0]) =>
  flagsOf(command).map(({ name }) => `--${name}`).filter((name) => name.length > 3);

/** The last word is what completion is asked for. */
const CASES: readonly {
  readonly in: readonly string[];
  readonly want: readonly string[];
  /** The one shell of which this is asked; all of them when absent. */
  readonly only?: string;
}[] = [
  { in: [""], want: CALLED.map(({ name }) => name) },
  { in: ["do"], want: ["doctor"] },
  // A script is a file; bash offers files only where its line editor asks, fish none.
  { in: ["no"], want: ["notes.txt"], only: "zsh" },
  { in: ["--"], want: [...longFlags("run")] },
  { in: ["--pass"], want: ["--pass-through"] },
  { in: ["gate", "--"], want: longFlags("gate") },
  { in: ["log", "--limit", "3", "--fol"], want: ["--follow"] },
  { in: ["policy", ""], want: ["check", "show", "list", "explain"] },
  { in: ["policy", "check", ""], want: FILES },
  { in: ["policy", "check", "no"], want: ["notes.txt"] },
  { in: ["policy", "show", "--policy", "r"], want: ["readonly"] },
  { in: ["--policy", ""], want: [...BUILTIN_NAMES, ...FILES] },
  { in: ["--policy=re"], want: ["readonly"] },
  { in: ["--workspace", ""], want: ["places"] },
  { in: ["--format", ""], want: ["text", "json"] },
  { in: ["--block", "st"], want: ["stdout", "stderr"] },
  { in: ["gate", "--changed", "n"], want: ["notes.txt"] },
  { in: ["help", "g"], want: ["gate"] },
  { in: ["completions", ""], want: ["bash", "zsh", "fish"] },
  // What another program is told is not Debrief's: its flags are not offered.
  { in: ["-c", "ls", "--no"], want: [] },
  { in: ["--", "bas"], want: ["bash", "bashbug"] },
];

/** Fish repeats what stands before an equals sign, and describes behind a tab; both mark directories. */
function plain(line: string): string {
  return (line.split("\t")[0] ?? "").replace(/^--\w+=/, "").replace(/\/$/, "");
}

/** The commands of the system differ; the two of bash's are everywhere that bash is. */
function known(words: readonly string[], offered: readonly string[]): readonly string[] {
  return words.slice(0, -1).includes("--")
    ? offered.filter((word) => /^bash(bug)?$/.test(word))
    : offered;
}

for (const { name, script, ask } of SHELLS) {
  const missing = !isInstalled(name);
  Deno.test({
    name: `debrief completions ${name} offers what the tables hold${
      missing ? ` (ignored: ${name} is not installed)` : ""
    }`,
    ignore: missing && Deno.env.get("REQUIRE_SANDBOX") !== "1",
    fn: async (t) => {
      const directory = Deno.makeTempDirSync({ prefix: "debrief-completions-" });
      try {
        const file = join(directory, "script");
        const cwd = join(directory, "work");
        Deno.mkdirSync(join(cwd, "places"), { recursive: true });
        Deno.writeTextFileSync(join(cwd, "notes.txt"), "");
        Deno.writeTextFileSync(file, script);
        for (const { in: words, want } of CASES.filter(({ only = name }) => only === name)) {
          await t.step(words.join(" "), () => {
            const env = { HOME: directory, PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" };
            const args = [...ask(file, ["debrief", ...words])];
            const { code, stdout, stderr } = new Deno.Command("timeout", {
              args: [STUCK, name, ...args],
              cwd,
              env,
              clearEnv: true,
              stdin: "null",
            }).outputSync();
            const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
            const offered = decode(stdout).split("\n").filter(Boolean).map(plain);
            assertEquals([code, decode(stderr)], [0, ""]);
            assertEquals([...new Set(known(words, offered))].sort(), [...want].sort());
          });
        }
      } finally {
        Deno.removeSync(directory, { recursive: true });
      }
    },
  });
}
