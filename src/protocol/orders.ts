/** What callers say of commands, whatever the protocol. */

/** A command that is to be run; exactly one of `command` and `argv`. */
export interface RunOrder {
  /** Shell command, bash syntax. */
  readonly command?: string | undefined;
  /** Program and arguments as they are, without a shell. */
  readonly argv?: readonly string[] | undefined;
  /** Directory to run in, relative to the server's; commands must be allowed to read it. */
  readonly cwd?: string | undefined;
  /** Variables for this command only: such as a command could export itself. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Text for standard input, which ends behind it unless `openStdin`. */
  readonly stdin?: string | undefined;
  /** Keep standard input open for more; by default in the background only. */
  readonly openStdin?: boolean | undefined;
  /** Not waited for when the input ends; the policy's time limit does not hold. */
  readonly background?: boolean | undefined;
  /** Can only shorten the policy's time limit, in ms. */
  readonly timeoutMs?: number | undefined;
  /** What is expected, one line. */
  readonly note?: string | undefined;
  /** Id of the earlier command that this one tries again. */
  readonly parent?: string | undefined;
  /** Id of the task that this belongs to. */
  readonly task?: string | undefined;
}

/** A part of an output; at most one of `grep`, `head` and `tail`. */
export interface OutputOrder {
  /** Both when absent, standard output first. */
  readonly stream?: "stdout" | "stderr" | undefined;
  /** First line, counted from 1. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** A regular expression in the syntax of RE2. */
  readonly grep?: string | undefined;
  /** Lines before and after each match. */
  readonly around?: number | undefined;
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
}

/** Which commands are listed. */
export interface JobsOrder {
  /** Id of a command, or its beginning. */
  readonly id?: string | undefined;
  /** How long its end, or a question of its, is waited for, in ms. */
  readonly waitMs?: number | undefined;
}

/** What is sent to a command. */
export interface InputOrder {
  readonly text?: string | undefined;
  /** Send the end of the input after it. */
  readonly end?: boolean | undefined;
}

/** Signals that can be sent. */
export type SignalName = "TERM" | "KILL" | "INT" | "HUP" | "QUIT" | "USR1" | "USR2";

/** Which signal is sent: TERM when absent. */
export interface KillOrder {
  readonly signal?: SignalName | undefined;
}

/** New aims, written as the flags of the same names; absent ones leave what was said. */
export interface AimsOrder {
  readonly goal?: string | undefined;
  readonly deadline?: string | undefined;
  readonly budget?: string | undefined;
  readonly task?: string | undefined;
}
