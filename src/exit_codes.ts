/**
 * Exit statuses of Debrief itself, listed once. A command's own status passes through unchanged, so these
 * follow what POSIX shells already use for the same situations (POSIX.1-2024, XCU 2.8.2).
 */
export const EXIT = {
  /** Everything that was asked for was done. */
  ok: 0,
  /** A check found something: `gate` blocks, `log --verify` found gaps, `doctor` cannot enforce the policy. */
  findings: 1,
  /** Usage, policy or configuration error of Debrief: nothing was executed. */
  usage: 2,
  /** Time limit reached, as `timeout(1)` of GNU coreutils reports it. */
  timeout: 124,
  /** No proof of enforcement, or the runner failed: nothing (more) was executed. */
  refused: 125,
  /** The command is denied by policy, or the program is not executable. */
  denied: 126,
  /** The program was not found. */
  notFound: 127,
  /** A command ended by signal n has status 128 + n. */
  signalBase: 128,
} as const;
