/** Command lines of a shell, as agents, build tools and people write them. */

/** One command line. */
export interface Invocation {
  readonly args: readonly string[];
  readonly stdin?: string;
  /** True for words that mean this only to a program with a shell's name. */
  readonly named?: true;
}

/** Files that are there when they run. */
export const FILES: Readonly<Record<string, string>> = {
  "args.sh": 'echo "$0|$#|$*"; exit 3\n',
  "two words.sh": "echo spaced\n",
  "reads.sh": 'read -r line; echo "got $line"\n',
  "fails.sh": "false\necho after\n",
  "broken.sh": "if true\n",
  "data.txt": "b\na\n",
  "start.sh": "echo started\n",
};

/** The table. */
export const INVOCATIONS: readonly Invocation[] = [
  // Plain text.
  { args: ["-c", "echo hello"] },
  { args: ["-c", "printf 'no newline'"] },
  { args: ["-c", ""] },
  { args: ["-c", "# nothing"] },
  { args: ["-c", "exit 7"] },
  { args: ["-c", "false"] },
  { args: ["-c", "echo out; echo err >&2; exit 2"] },
  { args: ["-c", "sort data.txt | head -n 1"] },
  { args: ["-c", "for i in 1 2 3; do echo $i; done"] },
  { args: ["-c", "cat <<X\na $((1 + 1))\nX"] },
  { args: ["-c", "cat <<'X'\na $x\nX\necho end"] },
  { args: ["-c", "x=$(printf 'a\\n\\n'); echo \"[$x]\""] },
  { args: ["-c", 'echo *.txt {1..3} ~+ "$PWD"'] },
  { args: ["-c", 'f() { echo "f $1"; return 4; }; f x'] },
  { args: ["-c", "(exit 5); echo $?"] },
  { args: ["-c", "trap 'echo bye' EXIT; exit 6"] },
  { args: ["-c", 'echo a | { read -r x; echo "$x"; }; echo "${PIPESTATUS[*]}"'] },
  { args: ["-c", "cd / && pwd"] },
  { args: ["-c", "wait; sleep 0 & wait $!; echo $?"] },
  { args: ["-c", "printf '%s\\n' 'é' \"a\tb\""] },
  { args: ["-c", "kill -TERM $$"] },
  { args: ["-c", "{ bash -c 'kill -9 $$'; } 2>/dev/null; echo $?"] },
  // What is not there.
  { args: ["-c", "nosuchprogram"] },
  { args: ["-c", "nosuchprogram x", "name"] },
  { args: ["-c", "./data.txt"] },
  { args: ["-c", "cd nosuch"] },
  // $0 and parameters.
  { args: ["-c", 'echo "$0|$#|$*"'] },
  { args: ["-c", 'echo "$0|$#|$*"', "name"] },
  { args: ["-c", 'echo "$0|$#|$*"', "name", "a b", "", "-x"] },
  { args: ["-c", 'echo "$@"', "name", "--help", "--", "-c"] },
  { args: ["-c", "--", "echo dashes"] },
  { args: ["-c", "-", "echo dash"] },
  // Letters, in clusters, before and behind -c.
  { args: ["-lc", "echo login"] },
  { args: ["-c", "-l", "echo login"] },
  { args: ["-l", "-c", "echo login"] },
  { args: ["-ec", "false; echo no"] },
  { args: ["-e", "-c", "false; echo no"] },
  { args: ["-c", "-e", "false; echo no"] },
  { args: ["+e", "-c", "false; echo yes"] },
  { args: ["-uc", "echo $nosuch; echo no"] },
  { args: ["-xc", "echo traced"] },
  { args: ["-x", "-c", "ls data.txt"] },
  { args: ["-vc", "echo verbose"] },
  { args: ["-nc", "echo not run"] },
  { args: ["-fc", "echo *.txt"] },
  { args: ["-ac", "x=1; printenv x"] },
  { args: ["-euo", "pipefail", "-c", "false | true; echo no"] },
  { args: ["-eo", "pipefail", "-c", "true; echo yes"] },
  { args: ["-o", "pipefail", "-c", "false | true"] },
  { args: ["-o", "pipefail", "+o", "pipefail", "-c", "false | true"] },
  { args: ["-ceuo", "pipefail", "echo $0 $1", "n", "a"] },
  { args: ["-c", "-o", "noglob", "echo *.txt"] },
  { args: ["-O", "nullglob", "-c", "echo [ *.none ]"] },
  { args: ["-O", "extglob", "-c", "echo @(data|x).txt"] },
  { args: ["+O", "sourcepath", "-c", "shopt sourcepath"] },
  { args: ["-o", "nosuchoption", "-c", "echo no"] },
  { args: ["-O", "nosuchoption", "-c", "echo no"] },
  // Long options.
  { args: ["--norc", "--noprofile", "-c", "echo plain"] },
  { args: ["--login", "-c", "echo login"] },
  { args: ["--posix", "-c", "set -o | grep ^posix"] },
  { args: ["--rcfile", "start.sh", "-c", "echo no start-up file"] },
  { args: ["--noprofile", "--norc", "-e", "-o", "pipefail", "./fails.sh"] },
  { args: ["-posix", "-c", "echo short long option"] },
  // Script files.
  { args: ["./args.sh"] },
  { args: ["./args.sh", "a b", "-c", "--", ""] },
  { args: ["-e", "./fails.sh"] },
  { args: ["./fails.sh"] },
  { args: ["./two words.sh"] },
  { args: ["./reads.sh"], stdin: "line\n" },
  { args: ["./nosuch.sh"] },
  { args: ["./broken.sh"] },
  { args: ["/dev/null"] },
  { args: ["args.sh", "x"] },
  { args: ["--", "args.sh", "x"], named: true },
  { args: ["-", "args.sh", "x"], named: true },
  { args: ["nosuch"], named: true },
  { args: ["--", "./two words.sh"], named: true },
  // Standard input.
  { args: ["-c", "cat; echo end"], stdin: "some\ninput" },
  { args: ["-c", 'read -r a; read -r b; echo "$b $a"'], stdin: "1\n2\n" },
  { args: ["-s"], stdin: "x=1\necho $x\n" },
  { args: ["-s", "a", "b"], stdin: 'echo "$0|$#|$*"\n' },
  { args: ["-s"], stdin: 'read -r line\nthe line\necho "[$line]"\n' },
  { args: ["-es"], stdin: "echo a\nfalse\necho b\n" },
  { args: ["-s"], stdin: "cat <<X\nhere\nX\nexit 9\n" },
  { args: ["-s", "--", "-x"], stdin: "echo $1\n" },
  { args: ["-s"], stdin: "" },
  { args: [], stdin: "y=2\necho $y; exit 8\n", named: true },
  { args: ["-e"], stdin: "false\necho no\n", named: true },
];
