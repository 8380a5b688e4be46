import { type Frame, type Handler, inShell, type Runner, runText, textOf, under } from "./frame.ts";
import { parseOptions } from "./options.ts";
import { type Arg, literalArg } from "./word.ts";

const LONG_FLAGS = new Set(
  "debug debugger dump-po-strings dump-strings login noediting noprofile norc posix pretty-print restricted verbose"
    .split(" "),
);
const LONG_FILES = new Set(["rcfile", "init-file"]);
const STDIN_FILES = new Set([
  "/dev/stdin",
  "/dev/fd/0",
  "/proc/self/fd/0",
  "/proc/thread-self/fd/0",
]);

interface ShellOptions {
  command: boolean;
  stdin: boolean;
  idle: boolean;
  /** False when an unknown word or a start-up file may change what runs. */
  certain: boolean;
  rest: readonly Arg[];
}

/**
 * `bash`, `sh` and the like: the text after `-c`, a file, or standard input. From the manual of bash 5.2: letters
 * may be clustered, and each `o` or `O` takes a word of its own, wherever it stands in the cluster.
 */
export const shellHandler: Handler = (argv, frame, run) => {
  const name = argv[0]!.value!;
  const base = name.slice(name.lastIndexOf("/") + 1).replace(/^-/, "");
  const inner = inShell(frame, name, base.includes("bash") ? "bash" : "posix");
  const options = shellOptions(argv.slice(1));
  if (options.idle) return;
  if (!options.certain) run.unknown(textOf(argv), inner);
  const [operand] = options.rest;
  if (options.command) {
    if (operand === undefined) return;
    // Shells other than bash, dash and sh read some of bash's syntax as something else.
    if (operand.value !== null && !SIMILAR_SHELLS.has(base) && !PLAIN_SYNTAX.test(operand.value)) {
      run.unknown(operand.text, inner);
    }
    return runText(operand, inner, run);
  }
  if (options.stdin || operand === undefined) return readStdin(argv, inner, run);
  if (operand.value === null) return run.unknown(operand.text, inner);
  if (STDIN_FILES.has(operand.value)) return readStdin(argv, inner, run);
  // A script file counts as a program of its own; a bare name is looked up in the current directory first.
  const path = operand.value.includes("/") ? operand.value : `./${operand.value}`;
  run.emit([{ ...operand, value: path }, ...options.rest.slice(1)], { ...inner, shell: null });
};

const SIMILAR_SHELLS = new Set(["bash", "rbash", "sh", "dash"]);
const PLAIN_SYNTAX = /^[\w\s.,:/@%+"'&|;>-]*$/;

function shellOptions(args: readonly Arg[]): ShellOptions {
  const found: ShellOptions = {
    command: false,
    stdin: false,
    idle: false,
    certain: true,
    rest: [],
  };
  let at = 0;
  while (at < args.length) {
    const word = args[at]!.value;
    if (word === null) {
      // Known text at its start other than a dash shows that it is no option.
      found.certain = !args[at]!.multi && /^[^-+$]/.test(args[at]!.template ?? "$");
      break;
    }
    if (!/^[-+]/.test(word)) break;
    at++;
    if (word === "--" || word === "-") break;
    at += word.startsWith("--") ? longOption(word, found) : letters(word, found);
  }
  found.rest = args.slice(at);
  return found;
}

// Returns how many further words the option takes.
function longOption(word: string, found: ShellOptions): number {
  const name = word.slice(2);
  if (name === "help" || name === "version") found.idle = true;
  else if (LONG_FILES.has(name)) {
    found.certain = false;
    return 1;
  } else if (!LONG_FLAGS.has(name)) found.certain = false;
  return 0;
}

function letters(word: string, found: ShellOptions): number {
  // Bash takes its long options after a single dash too.
  const name = word.slice(1);
  if (LONG_FLAGS.has(name) || LONG_FILES.has(name)) return longOption(`-${word}`, found);
  let taken = 0;
  for (const letter of name) {
    if (letter === "c") found.command = true;
    else if (letter === "s") found.stdin = true;
    else if (letter === "o" || letter === "O") taken++;
    else if (!/[A-Za-z0-9]/.test(letter)) found.certain = false;
  }
  return taken;
}

function readStdin(argv: readonly Arg[], frame: Frame, run: Runner): void {
  const { stdin } = frame;
  if (stdin.kind === "empty") return;
  if (stdin.kind === "unknown" || !stdin.exact) run.unknown(textOf(argv), frame);
  if (stdin.kind === "text") run.script(stdin.text, { ...frame, stdin: { kind: "unknown" } });
}

/** `su` and `runuser`: the text after `-c`, or a shell that reads its input. Further words go to that shell. */
export const suHandler: Handler = (argv, frame, run) => {
  const args = argv.slice(1);
  const commands = args.flatMap((arg, at) => {
    if (arg.value === null) return [];
    if (/^--(?:session-)?command=/.test(arg.value)) {
      return [literalArg(arg.value.replace(/^[^=]*=/, ""))];
    }
    const next = args[at + 1];
    const separate = /^(?:-[a-zA-Z]*[cC]|--(?:session-)?command)$/.test(arg.value);
    if (separate) return next === undefined ? [] : [next];
    return /^-[a-zA-Z]*?[cC]./.test(arg.value)
      ? [literalArg(arg.value.replace(/^-[a-zA-Z]*?[cC]/, ""))]
      : [];
  });
  const inner = inShell(frame, argv[0]!.value!);
  if (commands.length === 0 || args.some((arg) => arg.value === null && arg.multi)) {
    run.unknown(textOf(argv), inner);
  }
  for (const command of commands) runText(command, inner, run);
};

/** `busybox` and `toybox`: the applet, looked up in the program itself. */
export const appletHandler: Handler = (argv, frame, run) => {
  const rest = argv.slice(1);
  if (rest[0]?.value?.startsWith("--")) return;
  if (rest.length > 0) run.start(rest, under(frame, argv[0]!.value!));
};

/** `script`: the text after `-c`, words after `--`, or a shell that reads its input. */
export const scriptHandler: Handler = (argv, frame, run) => {
  const { options, certain, rest } = parseOptions(argv.slice(1), {
    flags: "aefqVh",
    values: "BEIOTcmo",
    optional: "t",
    longFlags: "append return flush force quiet version help timing".split(" "),
    longValues: "log-io log-in log-out log-timing echo command logging-format output-limit".split(
      " ",
    ),
  });
  const inner = inShell(frame, argv[0]!.value!);
  const late = rest.findIndex((arg) => /^-c|^--c/.test(arg.value ?? ""));
  const commands = options.filter(({ name }) => name === "c" || name === "command").map((
    { value },
  ) => value);
  if (late >= 0 || !certain || commands.length === 0) run.unknown(textOf(argv), inner);
  if (late >= 0 && rest[late + 1] !== undefined) commands.push(rest[late + 1]!);
  for (const command of commands) if (command !== null) runText(command, inner, run);
  const dashes = rest.findIndex((arg) => arg.value === "--");
  if (dashes >= 0 && dashes + 1 < rest.length) {
    run.start(rest.slice(dashes + 1), under(frame, argv[0]!.value!));
  }
};

/** `flock`: a command after the file, or the text after `-c`. */
export const flockHandler: Handler = (argv, frame, run) => {
  const { certain, rest } = parseOptions(argv.slice(1), {
    flags: "senuoFvhVx",
    values: "wE",
    longFlags: "shared exclusive unlock nonblock nb close no-fork fcntl verbose help version".split(
      " ",
    ),
    longValues: "timeout wait conflict-exit-code".split(" "),
  });
  const name = argv[0]!.value!;
  const [file, first, text] = rest;
  if (!certain || file?.value === null) run.unknown(textOf(argv), under(frame, name));
  if (first === undefined) return;
  if (first.value === "-c" || first.value === "--command") {
    if (text !== undefined) runText(text, inShell(frame, name), run);
    return;
  }
  run.start(rest.slice(1), under(frame, name));
};
