/** What a request comes to before anything runs: an exact argv, or a refusal with its reason. */
import { resolve } from "node:path/posix";
import { collectPrograms, type ParseResult, parseScript } from "../command/parse.ts";
import type { Program, Script } from "../command/script.ts";
import { quoteArgv } from "../command/quote.ts";
import type { SyntaxMistake } from "../feedback/observed.ts";
import { checkRun } from "../policy/check.ts";
import type { Denial, Policy } from "../policy/policy.ts";
import type { NamedPath } from "../sandbox/denials.ts";
import { type ShellState, statefulArguments } from "./shell_state.ts";

/** A command as a front end hands it over. */
export type CommandText =
  /** Shell text, with the words that become `$0`, `$1`, … and options for the shell, as `-e` or `-o`, `pipefail`. */
  | {
    readonly kind: "script";
    readonly source: string;
    readonly parameters?: readonly string[];
    readonly options?: readonly string[];
  }
  /** A file that the shell in the jail reads; null is its standard input. What it holds is not known beforehand. */
  | {
    readonly kind: "file";
    readonly path: string | null;
    readonly parameters: readonly string[];
    readonly options: readonly string[];
  }
  /** Exact words, no shell. */
  | { readonly kind: "argv"; readonly argv: readonly string[] };

/** The decision. */
export type Decision =
  | {
    readonly kind: "run";
    readonly argv: readonly string[];
    readonly fallback: readonly string[] | null;
    /** `argv` is a shell that reads the command, not a program that it names. */
    readonly inShell: boolean;
    /** The command reports its shell state. */
    readonly stateful: boolean;
    readonly programs: readonly Program[];
    readonly named: readonly NamedPath[];
    readonly redirected: boolean;
  }
  | { readonly kind: "syntax-error"; readonly mistake: SyntaxMistake }
  | {
    readonly kind: "denied";
    readonly denials: readonly Denial[];
    readonly programs: readonly Program[];
    readonly named: readonly NamedPath[];
  };

/** What a decision depends on. */
export interface DecisionContext {
  readonly policy: Policy;
  readonly state: ShellState;
  /** True in a session, where shell state is kept from command to command. */
  readonly keepsState: boolean;
}

/** The shell, with words that no option is made of: text may begin with a dash. */
function bash(options: readonly string[], words: readonly string[]): readonly string[] {
  return ["bash", "--noprofile", "--norc", ...options, "--", ...words];
}

function named(script: Script, state: ShellState): readonly NamedPath[] {
  return script.redirections.flatMap(({ operator, target }) => {
    if (target === null || operator.startsWith("<<") || /^\d+$|^-$/.test(target)) return [];
    const path = resolve(state.cwd, target);
    return [{ permission: operator.startsWith("<") ? "read" as const : "write" as const, path }];
  });
}

function mistakeOf(result: Exclude<ParseResult, { kind: "script" }>, text: string): SyntaxMistake {
  if (result.kind === "syntax-error") {
    const { message, line, column } = result;
    return { message, line, column, text };
  }
  const lines = text.split("\n");
  const { reason, closes } = result.expects;
  const message = closes === null
    ? `unexpected end: ${reason} not finished`
    : `unexpected end: the closing ${closes} is missing`;
  return { message, line: lines.length, column: (lines.at(-1) ?? "").length + 1, text };
}

function decideScript(
  text: Extract<CommandText, { kind: "script" }>,
  context: DecisionContext,
): Decision {
  const { policy, state, keepsState } = context;
  const { options = [], parameters = [] } = text;
  const taken = new Set([...state.functions.keys(), ...state.aliases.keys()]);
  const result = parseScript(text.source, { shadowed: taken });
  if (result.kind !== "script") {
    return { kind: "syntax-error", mistake: mistakeOf(result, text.source) };
  }
  const { script } = result;
  const programs = collectPrograms(script, state);
  const denials = checkRun(programs, policy);
  if (denials.length > 0) {
    return { kind: "denied", denials, programs, named: named(script, state) };
  }
  const common = {
    kind: "run" as const,
    programs,
    named: named(script, state),
    redirected: script.redirections.some(({ operator, fd }) => operator.includes(">") && fd !== 2),
  };
  if (keepsState && script.plain === null) {
    return {
      ...common,
      argv: statefulArguments(text.source, state),
      fallback: null,
      inShell: true,
      stateful: true,
    };
  }
  const shell = bash([...options, "-c"], [text.source, ...parameters]);
  // An option may be about how a command is carried out: `-x`, `-n`.
  return script.plain === null || options.length > 0
    ? { ...common, argv: shell, fallback: null, inShell: true, stateful: false }
    : { ...common, argv: script.plain, fallback: shell, inShell: false, stateful: false };
}

/** Exact words go through the same walk as shell text, so that wrappers among them are seen through. */
function decideArgv(argv: readonly string[], { policy }: DecisionContext): Decision {
  const odd = argv.findIndex((word) => word.includes("\0") || !word.isWellFormed());
  if (odd >= 0 || argv.length === 0) {
    const message = odd < 0 ? "there is no program" : `word ${odd + 1} holds what no argument can`;
    return { kind: "syntax-error", mistake: { message, line: 1, column: 1, text: argv.join(" ") } };
  }
  const result = parseScript(quoteArgv(argv));
  if (result.kind !== "script") {
    return { kind: "syntax-error", mistake: mistakeOf(result, quoteArgv(argv)) };
  }
  // No shell is there to carry out a builtin: the name means the program.
  const programs = result.script.programs.map((program) => ({ ...program, builtin: false }));
  const denials = checkRun(programs, policy);
  if (denials.length > 0) return { kind: "denied", denials, programs, named: [] };
  return {
    kind: "run",
    argv,
    fallback: null,
    inShell: false,
    stateful: false,
    programs,
    named: [],
    redirected: false,
  };
}

/** What a user would type for a script file, or for a script on standard input. */
export function fileWords(
  { path, parameters }: Extract<CommandText, { kind: "file" }>,
): readonly string[] {
  return ["bash", path ?? "-s", ...parameters];
}

/** A script file counts as the program that it is; of what stands on standard input nothing is known. */
function decideFile(
  { path, parameters, options }: Extract<CommandText, { kind: "file" }>,
  { policy, state }: DecisionContext,
): Decision {
  const program: Program = {
    // A bare name is looked up in the current directory first.
    name: path === null ? null : resolve(state.cwd, path),
    args: parameters,
    span: { start: 0, end: 0 },
    text: path ?? "a script on standard input",
    via: [],
    builtin: false,
  };
  const programs = [program];
  const denials = checkRun(programs, policy);
  if (denials.length > 0) return { kind: "denied", denials, programs, named: [] };
  return {
    kind: "run",
    argv: path === null
      ? bash([...options, "-s"], parameters)
      : bash(options, [path, ...parameters]),
    fallback: null,
    inShell: true,
    stateful: false,
    programs,
    named: [],
    redirected: false,
  };
}

/** Decide about a command: on its parse tree where it has one. */
export function decide(text: CommandText, context: DecisionContext): Decision {
  switch (text.kind) {
    case "script":
      return decideScript(text, context);
    case "argv":
      return decideArgv(text.argv, context);
    case "file":
      return decideFile(text, context);
  }
}
