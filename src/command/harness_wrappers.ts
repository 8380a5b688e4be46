/**
 * What agents put around a command before they give it to a shell, recognised on the parse tree. Only the command inside is
 * judged, run and recorded; nothing else of the text is ever executed, and what it would do is done by Debrief itself. So a
 * text that only looks like a wrapper can gain nothing by it: what is not exactly one of these is an ordinary script.
 */
import type { AndOr, Command, ParsedScript, SyntaxNode } from "unbash";
import { parsed } from "./place.ts";
import { literalWord } from "./word.ts";

/** A file by which a wrapper tells the agent something when the command has ended. */
export interface Trailer {
  readonly path: string;
  /** The working directory that a successful command left, or the process ids of its background jobs. */
  readonly holds: "directory" | "jobs";
}

/** A wrapper taken apart. */
export interface Wrapper {
  /** The command of the agent, as it was typed. */
  readonly inner: string;
  /** True when its standard input is `/dev/null`. */
  readonly closesInput: boolean;
  readonly trailer: Trailer;
}

/**
 * Claude Code 2.1.330 (`buildExecCommand` in its bundle), joined by ` && `:
 * `source SNAPSHOT 2>/dev/null || true` (without `-l` only), `PREAMBLE || true`…, `eval 'COMMAND' < /dev/null`,
 * `pwd -P >| DIRECTORY/claude-XXXX-cwd`. The snapshot is a start-up file: it is not read.
 */
const SNAPSHOT =
  /^source \/[\w./-]*\/shell-snapshots\/snapshot-(?:bash|zsh|sh)-\d+-\w+\.sh 2>\/dev\/null$/;
const UNGLOB = "NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL NO_BRACE_CCL NO_MAGIC_EQUAL_SUBST NO_EQUALS";
const unname = (name: string) =>
  `{ \\builtin unalias -- '${name}'; \\builtin unset -f -- '${name}'; } >/dev/null 2>&1`;
/** They undo what a start-up file may have done, and none was read. */
const PREAMBLES = new Set([
  "\\builtin shopt -u extglob 2>/dev/null",
  `{ \\builtin shopt -u extglob || \\builtin setopt ${UNGLOB}; } >/dev/null 2>&1`,
  `\\builtin setopt ${UNGLOB} 2>/dev/null`,
  unname("which"),
  unname("unsetenv"),
]);
const isTooOld = (versions: string) =>
  `{ case "\${BASH_VERSINFO-}" in ${versions}) \\builtin printf '%s\\n' '__CLAUDE_CODE_DID_NOT_RUN_BASH_TOO_OLD='"\${BASH_VERSION-}" >&2; \\builtin exit 126; \\exit 126;; esac; }`;
/** They ask for a bash that reads text as the agent's own parser does. */
const CHECKS = new Set([isTooOld("'2'|'3'"), isTooOld("'2'|'3'|'4'")]);
const CLAUDE_TRAILER = /^\/(?:[\w.-]+\/)*claude-[0-9a-z]{4,16}-cwd$/;

/**
 * Gemini CLI 0.61.0 (`wrapCommandForPgrep` and `ensurePromptvarsDisabled` in its bundle). Its options are off in a shell
 * that has just begun.
 */
const GEMINI_GUARD = "shopt -u promptvars nullglob extglob nocaseglob dotglob";
const GEMINI_TRAP = `trap 'jobs -p > "$_bgpids_file"' EXIT`;
const GEMINI_TRAILER = /^\/(?:[\w.-]+\/)*gemini-shell-\w{6}\/bgpids\.tmp$/;

/** Names of what may not lead somewhere else in the path of a trailer. */
const DOTS = /\/\.{1,2}(?:\/|$)/;

/** The command inside a wrapper, null where the text is no wrapper that is known. */
export function unwrap(source: string): Wrapper | null {
  // Most commands are none: they need not be parsed once more.
  if (!/claude-\w+-cwd|bgpids\.tmp/.test(source)) return null;
  const root = parsed(source);
  if (root === null) return null;
  return claude(root, source) ?? gemini(root, source);
}

function textOf(node: SyntaxNode, source: string): string {
  return source.slice(node.pos, node.end);
}

/** The list of a text that is nothing but one list in the foreground. */
function soleList(root: ParsedScript, source: string): AndOr | null {
  const [statement, ...others] = root.commands;
  const isSole = statement !== undefined && others.length === 0 && !statement.background &&
    statement.command.type === "AndOr" && textOf(statement.command, source) === source;
  return isSole ? statement.command as AndOr : null;
}

function claude(root: ParsedScript, source: string): Wrapper | null {
  const list = soleList(root, source);
  if (list === null) return null;
  const { commands, operators } = list;
  const isSpaced = operators.every((operator, at) =>
    source.slice(commands[at]!.end, commands[at + 1]!.pos) === ` ${operator} `
  );
  const last = commands.length - 2;
  if (!isSpaced || last < 0 || operators[last] !== "&&") return null;
  const texts = commands.map((command) => textOf(command, source));
  for (let at = 0; at < last;) {
    const text = texts[at]!;
    const isChecked = CHECKS.has(text) && operators[at] === "&&";
    const isOptional = operators[at] === "||" && texts[at + 1] === "true" &&
      operators[at + 1] === "&&" && at + 1 < last;
    const isKnown = PREAMBLES.has(text) || SNAPSHOT.test(text);
    if (!isChecked && !(isOptional && isKnown)) return null;
    at += isChecked ? 1 : 2;
  }
  const evaluated = evaluatedText(commands[last]!, source);
  const path = directoryFile(commands[last + 1]!, source);
  if (evaluated === null || path === null) return null;
  return { ...evaluated, trailer: { path, holds: "directory" } };
}

/** `eval 'COMMAND'`, `eval 'COMMAND' < /dev/null`. */
function evaluatedText(
  node: SyntaxNode,
  source: string,
): Pick<Wrapper, "inner" | "closesInput"> | null {
  if (!isCommand(node, "eval")) return null;
  const [word, redirect, ...more] = node.suffix;
  if (word?.type !== "Word" || more.length > 0) return null;
  const closesInput = redirect !== undefined;
  if (closesInput && textOf(redirect, source) !== "< /dev/null") return null;
  const inner = literalWord(textOf(word, source))?.value ?? null;
  return inner === null ? null : { inner, closesInput };
}

/** `pwd -P >| FILE`. */
function directoryFile(node: SyntaxNode, source: string): string | null {
  if (!isCommand(node, "pwd")) return null;
  const [option, redirect, ...more] = node.suffix;
  const isExact = option !== undefined && textOf(option, source) === "-P" && more.length === 0 &&
    redirect?.type === "Redirect" && textOf(redirect, source).startsWith(">| ");
  if (!isExact) return null;
  return trailerPath(textOf(redirect, source).slice(3), CLAUDE_TRAILER);
}

function trailerPath(word: string, shape: RegExp): string | null {
  const path = literalWord(word)?.value ?? "";
  return shape.test(path) && !DOTS.test(path) ? path : null;
}

function isCommand(node: SyntaxNode, name: string): node is Command {
  return node.type === "Command" && node.prefix.length === 0 && node.name?.text === name;
}

function gemini(root: ParsedScript, source: string): Wrapper | null {
  const nodes = root.commands;
  if (nodes.length !== 5 || nodes.some(({ background }) => background)) return null;
  const texts = nodes.map(({ command }) => textOf(command, source));
  const [guard, file = "", , code, exit] = texts;
  const subshell = nodes[2]!.command;
  const isFramed = guard === GEMINI_GUARD && code === "__code=$?" && exit === "exit $__code" &&
    source === `${guard}; ${file}\n${texts[2]}\n${code}\n${exit}`;
  if (!isFramed || subshell.type !== "Subshell" || !file.startsWith("_bgpids_file=")) return null;
  const [trap] = subshell.body.commands;
  if (trap === undefined || trap.background || textOf(trap.command, source) !== GEMINI_TRAP) {
    return null;
  }
  const before = source.slice(subshell.pos, trap.command.pos);
  const after = source.slice(trap.command.end, subshell.end);
  const path = trailerPath(file.slice("_bgpids_file=".length), GEMINI_TRAILER);
  if (path === null || !/^\(\n *$/.test(before) || !/^\n[^]*\n\)$/.test(after)) return null;
  return { inner: after.slice(1, -2), closesInput: false, trailer: { path, holds: "jobs" } };
}
