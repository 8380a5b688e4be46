/** What a command line hands to a session: taken out of an agent's wrapper, and told from an agent's questions. */
import { isProbe } from "../command/harness_probes.ts";
import { type Trailer, unwrap } from "../command/harness_wrappers.ts";
import { UsageError } from "../errors.ts";
import type { CommandText } from "../session/decide.ts";
import type { CommandLine } from "./command_line.ts";

/** One command as it was handed over. */
export interface DropIn {
  readonly text: CommandText;
  /** Its standard input, null where the wrapper gives it none. */
  readonly stdin: 0 | null;
  /** The file that the wrapper wants written. */
  readonly trailer: Trailer | null;
  /** True when an agent reads the output as data. */
  readonly isProbe: boolean;
}

/** Read the one command of a command line. @throws {UsageError} when there is none. */
export function dropIn(line: CommandLine): DropIn {
  const plain = { stdin: 0, trailer: null, isProbe: false } as const;
  const { exact, source, script, operands: parameters, options } = line;
  if (exact !== null) {
    if (exact.length > 0) return { ...plain, text: { kind: "argv", argv: exact } };
    throw new UsageError('Cannot run nothing: a program is needed after "--"');
  }
  // Agents pass neither. A prefix of the command line (`CLAUDE_CODE_SHELL_PREFIX`) gives a wrapper in a file's place.
  const isBare = parameters.length === 0 && options.length === 0;
  const wrapper = isBare ? unwrap(source ?? script ?? "") : null;
  if (wrapper !== null) {
    return {
      text: { kind: "script", source: wrapper.inner },
      stdin: wrapper.closesInput ? null : 0,
      trailer: wrapper.trailer,
      isProbe: false,
    };
  }
  if (source === null) {
    return { ...plain, text: { kind: "file", path: script, parameters, options } };
  }
  const text = { kind: "script", source, parameters, options } as const;
  return { ...plain, text, isProbe: isBare && isProbe(source, line.switches) };
}
