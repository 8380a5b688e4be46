/** What a flag is, and which commands there are. */

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
