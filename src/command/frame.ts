import type { Assignment, Span } from "./script.ts";
import type { Arg } from "./word.ts";

/** What a command finds on its standard input, as far as the script tells. */
export type Stdin =
  | { readonly kind: "unknown" }
  | { readonly kind: "empty" }
  /** `exact` is false when `text` is only a template of it. */
  | { readonly kind: "text"; readonly text: string; readonly exact: boolean };

/** The circumstances in which a command starts. */
export interface Frame {
  readonly via: readonly string[];
  /** The command of the script that leads here. */
  readonly span: Span;
  readonly stdin: Stdin;
  /** Who looks the name up: bash, another shell, or the system alone (under `env` and the like). */
  readonly shell: "bash" | "posix" | null;
  /** Whether that is the script's own shell, in which its functions and aliases apply. */
  readonly own: boolean;
  /** Whether the command stands in the body of a function. */
  readonly inFunction: boolean;
  /** Aliases that are being expanded, which bash does not expand again. */
  readonly aliases: readonly string[];
}

/** What a handler may do with the commands it finds within a command. */
export interface Runner {
  /** Records a program, and whatever it starts in turn. */
  start(argv: readonly Arg[], frame: Frame): void;
  /** Records a program alone. */
  emit(argv: readonly Arg[], frame: Frame): void;
  /** Records everything in a text that a shell runs. */
  script(text: string, frame: Frame): void;
  /** Records a program that is not known before the script runs. */
  unknown(text: string, frame: Frame): void;
  /** Records a variable that is set, and what its value makes programs start. */
  assign(assignment: Assignment, frame: Frame): void;
}

/** Finds what a command with this name starts; `argv[0]` is the name itself. */
export type Handler = (argv: readonly Arg[], frame: Frame, run: Runner) => void;

/** The frame of what `name` starts without a shell. */
export function under(frame: Frame, name: string): Frame {
  return { ...frame, via: [...frame.via, name], shell: null, own: false };
}

/** The frame of what a builtin `name` starts within the same shell. */
export function within(frame: Frame, name: string): Frame {
  return { ...frame, via: [...frame.via, name] };
}

/** The frame of text that `name` gives to a shell of its own. */
export function inShell(frame: Frame, name: string, shell: "bash" | "posix" = "posix"): Frame {
  return { ...frame, via: [...frame.via, name], shell, own: false, aliases: [] };
}

/** The words as written. */
export function textOf(argv: readonly Arg[]): string {
  return argv.map((arg) => arg.text).join(" ");
}

/** Runs a word as a shell does with `-c`: exactly when it is known, else as unknown and, for what can be told, by its template. */
export function runText(arg: Arg, frame: Frame, run: Runner): void {
  if (arg.value !== null) return run.script(arg.value, frame);
  run.unknown(arg.text, frame);
  if (arg.template !== null) run.script(arg.template, frame);
}

/** Joins words by blanks to one text, as eval, watch and parallel do. */
export function joined(args: readonly Arg[]): Arg {
  const known = args.every((arg) => arg.value !== null);
  const words = args.map((arg) => arg.template ?? "$_").join(" ");
  const template = args.some((arg) => arg.template !== null) ? words : null;
  return { value: known ? words : null, multi: false, text: textOf(args), template, span: null };
}

/** Runs words joined by blanks. */
export function runWords(args: readonly Arg[], frame: Frame, run: Runner): void {
  if (args.length > 0) runText(joined(args), frame, run);
}

/** Runs text after which words that are not known are put. */
export function runWithMore(arg: Arg, frame: Frame, run: Runner): void {
  const add = (text: string | null) => text === null ? null : `${text} $_`;
  runText({ ...arg, value: add(arg.value), template: add(arg.template) }, frame, run);
}
