/** What a flag is and how it is written, and which commands there are. */

/** Commands of Debrief; `run` is the one without a word: `debrief -c`, `debrief --`, `debrief`. */
export type CommandName =
  | "run"
  | "stdio"
  | "mcp"
  | "policy"
  | "output"
  | "jobs"
  | "send"
  | "kill"
  | "log"
  | "show"
  | "chain"
  | "review"
  | "stats"
  | "gate"
  | "handoff"
  | "init"
  | "doctor"
  | "redact"
  | "completions"
  | "help"
  | "install"
  | "hook";

/** One flag. */
export interface Flag {
  /** Long name without dashes, or the letter of a flag that only has a short form. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value; a flag without one is a switch. */
  readonly value?: string;
  /** May be given more than once. */
  readonly repeats?: true;
  /** One line for help; begins with a verb, no final period. */
  readonly summary: string;
  readonly commands: readonly CommandName[];
}

/** A flag as it is written on the command line. */
export function writtenFlag({ name }: Pick<Flag, "name">): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** A flag with its short form and its value: `-q, --quiet`, `--limit N`. */
export function flagWords(flag: Flag): string {
  const { short, value } = flag;
  return `${short ? `-${short}, ` : ""}${writtenFlag(flag)}${value ? ` ${value}` : ""}`;
}
