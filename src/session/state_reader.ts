/**
 * Reading the shell state that a command left behind. It was written by the jailed side, and a script can write to the
 * descriptor what it likes: so it is bounded, the environment policy filters it like any other environment, and what
 * claims to be a function must be the definition of one. Anything else would run in the next command unchecked.
 */
import { KEYWORDS } from "../command/builtins.ts";
import { parseScript } from "../command/parse.ts";
import { runsCode } from "../policy/env_entry.ts";
import { decideEnv } from "../policy/match.ts";
import type { Policy } from "../policy/policy.ts";
import { preludeOf, type ShellState } from "./shell_state.ts";

/** State that is larger than this is not kept, in bytes. */
const MAX_STATE_BYTES = 1 << 20;
/** Functions and aliases travel in one argument with the script, in bytes; Linux bounds it by `MAX_ARG_STRLEN`. */
const MAX_PRELUDE_BYTES = 60_000;
/** `MAX_ARG_STRLEN`, `linux/binfmts.h`: bytes of `NAME=VALUE` with its NUL. With a longer one nothing can be started. */
export const MAX_VARIABLE_BYTES = 131_072;

/** Variables and functions that are kept: with more of them every later command would take seconds to begin and to end. */
const MAX_VARIABLES = 2000;
const MAX_FUNCTIONS = 1000;
/** Reasons that are given, and characters of each: what is dropped has names of a command's choice. */
const MAX_REASONS = 8;
const MAX_REASON = 200;

/** Variables that belong to one bash and not to the session. */
const TRANSIENT = new Set(["_", "SHLVL", "PWD", "BASH_EXECUTION_STRING"]);
/** A function of this name would stand in for what hands the state over. */
const RESERVED = "builtin";

const encoder = new TextEncoder();

/** What a command left behind. */
export interface StateReport {
  /** Null when the shell did not report (it exited, was killed or replaced by `exec`). */
  readonly state: ShellState | null;
  /** The script ran to its end: the session goes on. */
  readonly finished: boolean;
  /** What was reported and is not kept, and why, in words. */
  readonly dropped: string | null;
}

/** Collects the bytes of one report, at most 1 MiB. */
export class StateReader {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** Take the next bytes; their memory may be used again afterwards. */
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
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const text = this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
    const fields = text.split("\0").slice(0, -1);
    const finished = fields.includes("E");
    if (!fields.some((field) => field.startsWith("C/"))) {
      return { state: null, finished, dropped: null };
    }
    const dropped: string[] = [];
    const state = bounded(parseFields(fields, { before, policy, dropped }), { before, dropped });
    return { state, finished, dropped: dropped.length === 0 ? null : reasonsIn(dropped) };
  }
}

function reasonsIn(dropped: readonly string[]): string {
  const shown = dropped.slice(0, MAX_REASONS).map((reason) => reason.slice(0, MAX_REASON));
  const rest = dropped.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

function bounded(
  state: ShellState,
  options: { readonly before: ShellState; readonly dropped: string[] },
): ShellState {
  const { before, dropped } = options;
  const tooMany = Object.keys(state.environment).length > MAX_VARIABLES;
  if (tooMany) dropped.unshift(`there are more than ${MAX_VARIABLES} variables`);
  const environment = tooMany ? before.environment : state.environment;
  const isLong = encoder.encode(preludeOf(state)).length > MAX_PRELUDE_BYTES;
  if (!isLong && state.functions.size <= MAX_FUNCTIONS) return { ...state, environment };
  dropped.unshift(
    isLong
      ? `functions and aliases are longer than ${MAX_PRELUDE_BYTES} bytes`
      : `there are more than ${MAX_FUNCTIONS} functions`,
  );
  return { ...state, environment, functions: before.functions, aliases: before.aliases };
}

/** True when a variable that a command exported, or a caller gives for one, may reach a command. */
export function keeps(policy: Policy, name: string): boolean {
  if (TRANSIENT.has(name) || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false;
  if (policy.env.deny.length > 0 && decideEnv(policy, name).rule?.effect === "deny") return false;
  return !runsCode(name) || decideEnv(policy, name).allowed || name in policy.environment ||
    name.endsWith("PAGER");
}

/** Why a function is not kept, in words; null when it is. */
function flawOfFunction(name: string, text: string): string | null {
  if (name === RESERVED) return `a function of this name cannot be kept`;
  const result = parseScript(text);
  const defined = result.kind === "script" ? result.script.functions[0] : undefined;
  return defined?.name === name && defined.text === text
    ? null
    : "it is not the definition of a function";
}

function parseFields(
  fields: readonly string[],
  options: { readonly before: ShellState; readonly policy: Policy; readonly dropped: string[] },
): ShellState {
  const { before, policy, dropped } = options;
  let { cwd } = before;
  const environment: Record<string, string> = {};
  const functions = new Map<string, string>();
  const aliases = new Map<string, string>();
  for (const field of fields) {
    const body = field.slice(1);
    const split = body.indexOf(field[0] === "F" ? "\n" : "=");
    // What bash prints of a function ends with a newline.
    const value = body.slice(split + 1).replace(field[0] === "F" ? /\n$/ : "", "");
    const name = body.slice(0, split);
    if (field.startsWith("C/")) cwd = body.replace(/\n$/, "");
    else if (split <= 0) continue;
    else if (field[0] === "V" && keeps(policy, name)) {
      if (encoder.encode(body).length < MAX_VARIABLE_BYTES) environment[name] = value;
      else dropped.push(`variable ${name} is longer than ${MAX_VARIABLE_BYTES - 1} bytes`);
    } else if (field[0] === "F") {
      const flaw = before.functions.get(name) === value ? null : flawOfFunction(name, value);
      if (flaw === null) functions.set(name, value);
      else dropped.push(`function ${name}: ${flaw}`);
    } else if (field[0] === "A") {
      // With it no later script would read as it is written, and nobody could tell what it starts.
      if (KEYWORDS.has(name)) dropped.push(`alias ${name}: it hides a keyword`);
      else aliases.set(name, value);
    }
  }
  return { cwd, environment, functions, aliases };
}
