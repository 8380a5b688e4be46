/**
 * The shell state that a session keeps between commands: working directory, exported variables, functions, aliases.
 *
 * Every command runs in a bash of its own. It gets the state as environment, working directory and a prelude, and gives
 * the new state back through a descriptor when it comes to its end; `StateReader` reads that.
 */
import { quoteWord } from "../command/quote.ts";

/** Everything that persists. */
export interface ShellState {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Definitions by name, as `declare -f` prints them. */
  readonly functions: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
  /** Exit status of the last command, for `$?`; 0 when absent. */
  readonly status?: number;
}

/**
 * Where the state goes. The descriptor arrives as 3, which scripts use for themselves (`exec 3>&1`), so it is moved to
 * a number that hardly any script names, below the smallest limit of descriptors (256) that systems set.
 */
const STATE_FD = 250;

/** Bytes of a quoted script that fit into one argument together with the state and what hands it over. */
const MAX_QUOTED_BYTES = 60_000;
/** Characters of a piece, of at most 3 bytes each; `MAX_ARG_STRLEN` (`linux/binfmts.h`) is 131,072 bytes with the NUL. */
const MAX_PIECE = 40_000;

const encoder = new TextEncoder();

/**
 * Printed when the script has come to its end, in a subshell so that nothing of it stays behind: NUL-terminated fields,
 * a letter first. `C` directory, `V` exported variable, `F` function, `A` alias.
 */
const REPORT = [
  `\\builtin set +eux`,
  `IFS=$' \\n'`,
  // Not `$PWD`: a script may set or unset that.
  `\\builtin printf C; \\builtin pwd; \\builtin printf '\\0'`,
  `for n in $(\\builtin compgen -e); do \\builtin printf 'V%s=%s\\0' "$n" "\${!n}"; done`,
  `for n in $(\\builtin compgen -A function); do \\builtin printf 'F%s\\n' "$n"; \\builtin declare -f "$n"; \\builtin printf '\\0'; done`,
  `for n in "\${!BASH_ALIASES[@]}"; do \\builtin printf 'A%s=%s\\0' "$n" "\${BASH_ALIASES[$n]}"; done`,
].join("; ");

/**
 * What follows the script: the report, `E` for its end, and the script's own status again. Silent, and without the
 * script's traps, so that neither `set -x` nor a DEBUG trap shows it.
 */
const EPILOGUE = [
  // The status in a variable that no function can withhold; then a function of the name `builtin` has to go.
  `for __status in "$?"; do \\unset -f builtin; done`,
  `\\builtin set -- "$__status"`,
  `\\builtin unset __status`,
  `\\builtin set +ae`,
  `\\builtin trap - DEBUG ERR`,
  `( ${REPORT} ) >&${STATE_FD}`,
  `\\builtin printf 'E\\0' >&${STATE_FD}`,
  `[[ $1 == 0 ]] || ( \\builtin exit "$1" )`,
].join("; ");

/** What defines functions and aliases again. */
function definitionsOf(state: Pick<ShellState, "functions" | "aliases">): string {
  const functions = [...state.functions.values()];
  const aliases = [...state.aliases].map(([name, value]) =>
    `\\builtin alias -- ${quoteWord(`${name}=${value}`)}`
  );
  return [...functions, ...aliases].join("\n");
}

/** The functions and aliases as one word on one line: `$'...'` quoting, newlines as escapes. */
export function preludeOf(state: Pick<ShellState, "functions" | "aliases">): string {
  return `$'${definitionsOf(state).replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;
}

/**
 * The arguments of `bash` that run a script with the session's state. Descriptor 3 takes the new state; `E` is written
 * to it when the script came to its end, so that its absence means `exit` (or `exec`, or a signal).
 */
export function statefulArguments(source: string, state: ShellState): readonly string[] {
  const quoted = quoteWord(source);
  const pieces = encoder.encode(quoted).length > MAX_QUOTED_BYTES ? piecesOf(source) : [];
  // `\builtin` so that neither an alias nor a function of the session stands in for these. All of it is one line: bash
  // has read the end before the script can change how it reads, and counts the script's own lines from 1.
  const script = [
    `exec ${STATE_FD}>&3-`,
    `\\builtin shopt -s expand_aliases`,
    `\\builtin eval ${preludeOf(state)}`,
    ...(state.status ? [`( \\builtin exit ${state.status} )`] : []),
    pieces.length === 0 ? `\\builtin eval ${quoted}` : evalPieces(pieces.length),
    `{ ${EPILOGUE}; } >/dev/null 2>&1`,
  ].join("; ");
  return ["bash", "--noprofile", "--norc", "-c", script, "bash", ...pieces];
}

/** A long script travels in arguments of its own, in pieces that Linux takes whatever their letters. */
function piecesOf(source: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < source.length;) {
    let end = Math.min(source.length, at + MAX_PIECE);
    // Not between the halves of one letter.
    if (end < source.length && /[\ud800-\udbff]/.test(source.charAt(end - 1))) end--;
    pieces.push(source.slice(at, end));
    at = end;
  }
  return pieces;
}

function evalPieces(count: number): string {
  const words = Array.from({ length: count }, (_, index) => `\${${index + 1}}`).join("");
  // The script itself must not see them.
  return `\\builtin eval "\\builtin set --; ${words}"`;
}
