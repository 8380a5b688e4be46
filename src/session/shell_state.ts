/**
 * The shell state that a session keeps between commands: working directory, exported variables, functions, aliases.
 *
 * Every command runs in a bash of its own. It gets the state as environment, working directory and a prelude, and gives
 * the new state back through a descriptor when it exits. What comes back was written by the jailed side: it is bounded,
 * and the environment policy filters it like any other environment.
 */
import { decideEnv } from "../policy/match.ts";
import { quoteWord } from "../command/quote.ts";
import { runsCode } from "../policy/env_entry.ts";
import type { Policy } from "../policy/policy.ts";

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

/** State that is larger than this is not kept, in bytes. `MAX_ARG_STRLEN` of Linux is 131,072 for one argument. */
const MAX_STATE_BYTES = 1 << 20;
/** Functions and aliases travel in one argument with the script. */
const MAX_PRELUDE_CHARS = 60_000;

/** Variables that belong to one bash and not to the session. */
const TRANSIENT = new Set(["_", "SHLVL", "PWD", "BASH_EXECUTION_STRING"]);

/**
 * Where the state goes. The descriptor arrives as 3, which scripts use for themselves (`exec 3>&1`), so it is moved to
 * a number that hardly any script names, below the smallest limit of descriptors (256) that systems set.
 */
const STATE_FD = 250;

/**
 * Printed when the script has come to its end, in a subshell so that nothing of it stays behind: NUL-terminated fields,
 * a letter first. `C` directory, `V` exported variable, `F` function, `A` alias.
 */
const REPORT = [
  `IFS=$' \\n'`,
  `\\builtin set +eux`,
  // Not `$PWD`: a script may set or unset that.
  `\\builtin printf C; \\builtin pwd; \\builtin printf '\\0'`,
  `for n in $(\\builtin compgen -e); do \\builtin printf 'V%s=%s\\0' "$n" "\${!n}"; done`,
  `for n in $(\\builtin compgen -A function); do \\builtin printf 'F%s\\n%s\\0' "$n" "$(\\builtin declare -f "$n")"; done`,
  `for n in "\${!BASH_ALIASES[@]}"; do \\builtin printf 'A%s=%s\\0' "$n" "\${BASH_ALIASES[$n]}"; done`,
].join("; ");

/**
 * What follows the script: the report, `E` for its end, and the script's own status again. Silent, and without the
 * script's traps, so that neither `set -x` nor a DEBUG trap shows it.
 */
const EPILOGUE = [
  `\\builtin set -- "$?"`,
  `\\builtin set +e`,
  `\\builtin trap - DEBUG ERR`,
  `( ${REPORT} ) >&${STATE_FD}`,
  `\\builtin printf 'E\\0' >&${STATE_FD}`,
  `[[ $1 == 0 ]] || ( \\builtin exit "$1" )`,
].join("; ");

/** What defines functions and aliases again. */
function preludeOf(state: ShellState): string {
  const functions = [...state.functions.values()];
  const aliases = [...state.aliases].map(([name, value]) =>
    `alias -- ${quoteWord(`${name}=${value}`)}`
  );
  return [...functions, ...aliases].join("\n");
}

/** One line of text that bash reads as the given one: `$'...'` quoting, newlines as escapes. */
function ansiQuote(text: string): string {
  return `$'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;
}

/**
 * The arguments of `bash` that run a script with the session's state. Descriptor 3 takes the new state; `E` is written
 * to it when the script came to its end, so that its absence means `exit` (or `exec`, or a signal).
 */
export function statefulArguments(source: string, state: ShellState): readonly string[] {
  // `\builtin` so that neither an alias nor a function of the session stands in for these. All of it is one line: bash
  // has read the end before the script can change how it reads, and counts the script's own lines from 1.
  const script = [
    `exec ${STATE_FD}>&3-`,
    `\\builtin shopt -s expand_aliases`,
    `\\builtin eval ${ansiQuote(preludeOf(state))}`,
    ...(state.status ? [`( \\builtin exit ${state.status} )`] : []),
    `\\builtin eval ${quoteWord(source)}`,
    `{ ${EPILOGUE}; } >/dev/null 2>&1`,
  ].join("; ");
  return ["bash", "--noprofile", "--norc", "-c", script, "bash"];
}

/** What a command left behind. */
export interface StateReport {
  /** Null when the shell did not report (it exited, was killed or replaced by `exec`). */
  readonly state: ShellState | null;
  /** The script ran to its end: the session goes on. */
  readonly finished: boolean;
  /** Why a state that was reported is not kept, in words. */
  readonly dropped: string | null;
}

/** Collects the bytes of one report, at most 1 MiB. */
export class StateReader {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  push(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size <= MAX_STATE_BYTES) this.#chunks.push(bytes.slice());
  }

  /** Parse what came, against the state before it. */
  finish(before: ShellState, policy: Policy): StateReport {
    if (this.#size > MAX_STATE_BYTES) {
      return {
        state: null,
        finished: true,
        dropped: `shell state of ${this.#size} bytes is larger than ${MAX_STATE_BYTES}`,
      };
    }
    const text = new TextDecoder().decode(concat(this.#chunks, this.#size));
    const fields = text.split("\0").slice(0, -1);
    const finished = fields.includes("E");
    if (!fields.some((field) => field.startsWith("C/"))) {
      return { state: null, finished, dropped: null };
    }
    const state = parseFields(fields, policy);
    if (preludeOf(state).length > MAX_PRELUDE_CHARS) {
      const dropped = `functions and aliases are longer than ${MAX_PRELUDE_CHARS} characters`;
      return {
        state: { ...state, functions: before.functions, aliases: before.aliases },
        finished,
        dropped,
      };
    }
    return { state, finished, dropped: null };
  }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** True when a variable that a command exported may reach the next one. */
function keeps(policy: Policy, name: string): boolean {
  if (TRANSIENT.has(name) || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false;
  if (policy.env.deny.length > 0 && decideEnv(policy, name).rule?.effect === "deny") return false;
  return !runsCode(name) || decideEnv(policy, name).allowed || name in policy.environment ||
    name.endsWith("PAGER");
}

function parseFields(fields: readonly string[], policy: Policy): ShellState {
  let cwd = "/";
  const environment: Record<string, string> = {};
  const functions = new Map<string, string>();
  const aliases = new Map<string, string>();
  for (const field of fields) {
    const body = field.slice(1);
    const split = body.indexOf(field[0] === "F" ? "\n" : "=");
    const [name, value] = [body.slice(0, split), body.slice(split + 1)];
    if (field[0] === "C") cwd = body.replace(/\n$/, "");
    else if (split <= 0) continue;
    else if (field[0] === "V" && keeps(policy, name)) environment[name] = value;
    else if (field[0] === "F") functions.set(name, value);
    else if (field[0] === "A") aliases.set(name, value);
  }
  return { cwd, environment, functions, aliases };
}
