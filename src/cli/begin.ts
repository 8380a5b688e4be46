/** What comes first and last in every front end: hardening, the command line, and the report of what went wrong. */
import { reasonOf, UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { hardenProcess, inheritedDescriptors } from "../sandbox/harden.ts";
import { type CommandLine, parseCommandLine } from "./command_line.ts";
import { posedName } from "./posed_name.ts";
import { ClosedPipe, writeText } from "./terminal.ts";

/**
 * Harden the process, read the command line, and have it carried out.
 *
 * @param carryOut gets also the descriptors that the process was started with.
 * @returns what that returns, or the exit status for what it throws.
 */
export async function begin<Status>(
  args: readonly string[],
  carryOut: (line: CommandLine, inherited: ReadonlySet<number>) => Promise<Status>,
): Promise<Status | number> {
  try {
    const inherited = inheritedDescriptors();
    hardenProcess();
    return await carryOut(parseCommandLine(args, { shell: posedName() }), inherited);
  } catch (error) {
    return await report(error);
  }
}

/** Print what went wrong as one message: no stack trace reaches a user. */
async function report(error: unknown): Promise<number> {
  if (error instanceof ClosedPipe) return EXIT.signalBase + 13;
  const message = reasonOf(error);
  try {
    const { redactOwnText } = await import("./own_text.ts");
    writeText(2, redactOwnText(`debrief: ${message}\n`));
  } catch {
    // Nobody reads standard error: the status has to say it.
  }
  return error instanceof UsageError ? EXIT.usage : EXIT.refused;
}
