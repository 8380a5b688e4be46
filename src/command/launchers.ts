import {
  type Frame,
  type Handler,
  inShell,
  joined,
  type Runner,
  runText,
  runWithMore,
  runWords,
  textOf,
  under,
} from "./frame.ts";
import { parseOptions } from "./options.ts";
import { WRAPPERS } from "./wrappers.ts";
import { type Arg, literalArg, OPEN_ENDED } from "./word.ts";

/** Records `NAME=value` words before a program, and returns how many there are and whether one may be more than a word. */
function leadingAssignments(
  args: readonly Arg[],
  frame: Frame,
  run: Runner,
): { count: number; certain: boolean } {
  let count = 0;
  let certain = true;
  for (const arg of args) {
    const name = /^([A-Za-z_]\w*)=/.exec(arg.value ?? arg.text)?.[1];
    if (name === undefined && !(arg.value?.includes("=") && !arg.value.startsWith("="))) break;
    if (arg.multi) certain = false;
    const value = arg.value === null ? null : arg.value.slice(arg.value.indexOf("=") + 1);
    const span = arg.span ?? frame.span;
    // Bash takes such a variable for the definition of a function.
    if (/^BASH_FUNC_/.test(arg.value ?? arg.text)) run.unknown(arg.text, frame);
    if (name !== undefined) {
      run.assign({ name, value, append: false, scope: "command", span }, frame);
    }
    count++;
  }
  return { count, certain };
}

/** Any program of the table of wrappers. */
export const wrapperHandler: Handler = (argv, frame, run) => {
  const name = argv[0]!.value!;
  const wrapper = WRAPPERS.get(name.slice(name.lastIndexOf("/") + 1))!;
  const { options, rest, ...parsed } = parseOptions(argv.slice(1), wrapper);
  if (options.some((option) => wrapper.idle?.includes(option.name))) return;
  let certain = parsed.certain;
  const inner = under(frame, name);
  const skipped = wrapper.operands ?? 0;
  if (rest.slice(0, skipped).some((arg) => arg.value === null)) certain = false;
  const words = rest.slice(skipped);
  const leading = wrapper.assignments
    ? leadingAssignments(words, inner, run)
    : { count: 0, certain: true };
  if (!certain || !leading.certain) run.unknown(textOf(argv), inner);
  const program = words.slice(leading.count);
  const startsShell = wrapper.shell === true ||
    options.some((option) =>
      ["shell", "login"].includes(option.name) ||
      (wrapper.assignments && /^[si]$/.test(option.name))
    ) ||
    (name.endsWith("doas") && options.some((option) => option.name === "s"));
  if (program.length > 0) run.start(program, inner);
  else if (startsShell) run.unknown(textOf(argv), inner);
};

/** `env`: options, assignments, and `-S`, which splits a text into words. */
export const envHandler: Handler = (argv, frame, run) => {
  const inner = under(frame, argv[0]!.value!);
  const { options, rest, certain } = parseOptions(argv.slice(1), {
    flags: "i0v",
    values: "uCSa",
    longFlags:
      "ignore-environment null debug list-signal-handling block-signal default-signal ignore-signal help version"
        .split(" "),
    longValues: "unset chdir split-string argv0".split(" "),
  });
  const split = options.filter(({ name }) => name === "S" || name === "split-string");
  const words = split.flatMap(({ value }) => splitWords(value)).concat(
    rest[0]?.value === "-" ? rest.slice(1) : rest,
  );
  const leading = leadingAssignments(words, inner, run);
  if (!certain || !leading.certain) run.unknown(textOf(argv), inner);
  if (words.length <= leading.count) return;
  // The split text may hold options of env itself.
  if (split.length > 0 && words[0]!.value?.startsWith("-")) run.start([argv[0]!, ...words], inner);
  else run.start(words.slice(leading.count), inner);
};

// Quotes, escapes and `${NAME}` in the text of `-S` are left to env: such a text is unknown.
function splitWords(text: Arg | null): Arg[] {
  if (text?.value === undefined || text.value === null || /["'\\$#]/.test(text.value)) {
    return [OPEN_ENDED];
  }
  return text.value.split(/\s+/).filter((word) => word !== "").map(literalArg);
}

/** `xargs`: the command gets words from its input at the end, or in place of a text. */
export const xargsHandler: Handler = (argv, frame, run) => {
  const name = argv[0]!.value!;
  const { options, rest, certain } = parseOptions(argv.slice(1), WRAPPERS.get("xargs")!);
  if (options.some((option) => option.name === "help" || option.name === "version")) return;
  const inner = under({ ...frame, stdin: { kind: "empty" } }, name);
  if (!certain) run.unknown(textOf(argv), inner);
  const replace = options.filter((option) => ["I", "i", "replace"].includes(option.name)).at(-1);
  const command = rest.length > 0 ? rest : [literalArg("echo")];
  if (replace === undefined) return run.start([...command, OPEN_ENDED], inner);
  const placeholder = replace.value === null ? "{}" : replace.value.value;
  run.start(command.map((arg) => fillable(arg, placeholder)), inner);
};

// An unknown placeholder may stand for any part of any word.
function fillable(arg: Arg, placeholder: string | null): Arg {
  if (placeholder !== null && !arg.value?.includes(placeholder)) return arg;
  return { ...arg, value: null, template: arg.value ?? arg.template };
}

/** `find`: the commands of `-exec`, `-execdir`, `-ok` and `-okdir`. */
export const findHandler: Handler = (argv, frame, run) => {
  const inner = under({ ...frame, stdin: { kind: "unknown" } }, argv[0]!.value!);
  const args = argv.slice(1);
  let unknowns = 0;
  let strayEnd = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg.value === null) unknowns += canBeAction(arg) ? (arg.multi ? 3 : 1) : 0;
    else if (arg.value === ";" || arg.value === "+") strayEnd = true;
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(arg.value ?? "")) continue;
    const end = endOfAction(args, at + 1);
    const command = args.slice(at + 1, end).map((word) => fillable(word, "{}"));
    if (args[end]?.value === "+") command[command.length - 1] = OPEN_ENDED;
    run.start(command, inner);
    at = end;
  }
  // An action is at least three words: words that are not known may make one up, alone or around known ones.
  if (unknowns >= 3 || (unknowns > 0 && strayEnd)) run.unknown(textOf(argv), inner);
};

// A word that starts with known text other than a dash is a path or a pattern, and so is a glob with a slash.
function canBeAction(arg: Arg): boolean {
  if (/^[\w./*?[\]-]*$/.test(arg.text) && arg.text.includes("/")) return false;
  return !/^["']?[A-Za-z0-9_./]/.test(arg.text) || (arg.multi && !/^[\w./*?[\]-]*$/.test(arg.text));
}

function endOfAction(args: readonly Arg[], start: number): number {
  for (let at = start; at < args.length; at++) {
    const word = args[at]!.value;
    if (word === ";" || (word === "+" && at > start && args[at - 1]!.value === "{}")) return at;
  }
  return args.length;
}

/** `parallel`: the words up to `:::` are text that a shell runs once per input. */
export const parallelHandler: Handler = (argv, frame, run) => {
  const inner = inShell(frame, argv[0]!.value!, "bash");
  const { rest, certain } = parseOptions(argv.slice(1), {
    flags: "0kmqtuvX",
    values: "adINnPjSL",
    longFlags:
      "keep-order null quote verbose bar eta dry-run line-buffer ungroup xargs pipe halt-on-error"
        .split(" "),
    longValues:
      "jobs max-args arg-file colsep delimiter results joblog timeout retries halt tmpdir delay"
        .split(" "),
  });
  const end = rest.findIndex((arg) => /^:{3,4}\+?$/.test(arg.value ?? ""));
  const command = end < 0 ? rest : rest.slice(0, end);
  if (!certain || command.length === 0) run.unknown(textOf(argv), inner);
  if (command.length > 0) runWithMore(joined(command), inner, run);
};

/** `watch`: words that a shell runs, or with `-x` a program. */
export const watchHandler: Handler = (argv, frame, run) => {
  const name = argv[0]!.value!;
  const { options, rest, certain } = parseOptions(argv.slice(1), WRAPPERS.get("watch")!);
  if (options.some((option) => WRAPPERS.get("watch")!.idle!.includes(option.name))) return;
  if (!certain) run.unknown(textOf(argv), under(frame, name));
  const direct = options.some((option) => option.name === "x" || option.name === "exec");
  if (!direct) return runWords(rest, inShell(frame, name), run);
  if (rest.length > 0) run.start(rest, under(frame, name));
};

/** `ssh`, `scp` and `sftp`: only what runs on this side, as `-o ProxyCommand=…` and `-S`. */
export const sshHandler: Handler = (argv, frame, run) => {
  const name = argv[0]!.value!;
  const inner = inShell(frame, name);
  const args = argv.slice(1);
  for (const [at, arg] of args.entries()) {
    const known = arg.value ?? arg.template ?? "";
    const option = known === "-o"
      ? args[at + 1]
      : known.startsWith("-o")
      ? { ...arg, text: arg.text }
      : undefined;
    if (option === undefined) continue;
    const text = (option.value ?? option.template ?? "").replace(/^-o/, "");
    const local = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)(?:\s*=\s*|\s+)([^]*)$/i.exec(
      text,
    )?.[1];
    if (local !== undefined) {
      const value = option.value === null ? null : local;
      if (local !== "none") runText({ ...option, value, template: local }, inner, run);
    } else if (option.value === null && option.template === null) run.unknown(arg.text, inner);
  }
};
