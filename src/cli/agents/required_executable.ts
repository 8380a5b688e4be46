/** The executable that agents are told to start. */
import { UsageError } from "../../errors.ts";
import { ownExecutable } from "../../session/own_executable.ts";

/**
 * The absolute path of this executable.
 *
 * @throws {UsageError} when Debrief runs from its source: what an agent starts has to be one file that commands cannot change.
 */
export function requiredExecutable(): string {
  const executable = ownExecutable();
  if (executable !== null) return executable;
  throw new UsageError(
    "Cannot name the executable: this runs from the source; build it with deno task build",
  );
}
