/** Linking a retry to the attempt that it retries. */
import { basename } from "node:path";
import type { CommandRecord } from "./record.ts";
import type { UnchainedRecord } from "./journal.ts";
import { answered } from "./succeeded.ts";

/** What linking looks at in an earlier record. */
export type Attempt = Pick<
  CommandRecord,
  "command_id" | "session_id" | "command" | "outcome" | "exit_code"
>;

/**
 * Programs whose first operand says what is done: `git push` after a failed `git status` is no retry.
 * Linking them by program alone would let any later success of the same tool hide a failure from `debrief gate`.
 */
const WITH_OPERAND: ReadonlySet<string> = new Set(
  ("git npm npx pnpm yarn bun deno node cargo rustup go make just docker podman kubectl helm terraform apt apt-get " +
    "dnf brew pip pip3 uv poetry python python3 ruby perl php java mvn gradle dotnet gh systemctl bash sh zsh sudo env")
    .split(" "),
);

/** First operands behind which the name of what is run stands: `npm run build` does not retry `npm run test`. */
const RUNS_ANOTHER: ReadonlySet<string> = new Set(
  ["run", "run-script", "task", "exec", "x", "tool", "compose"],
);

/**
 * Sets the parent of a record that has none: the latest earlier attempt of the same program (and first operand,
 * for programs with subcommands) in the same session, if it failed. When that one succeeded the chain is closed.
 * Options are not compared, since changing them is what a retry does.
 *
 * @param history in the order of the journal, oldest first; times are not looked at, since clocks jump.
 */
export function linkParent(history: readonly Attempt[], record: UnchainedRecord): UnchainedRecord {
  if (record.parent_command_id !== null) return record;
  const subject = subjectOf(record.command);
  if (subject === null) return record;
  const latest = history.findLast((earlier) =>
    earlier.session_id === record.session_id && earlier.command_id !== record.command_id &&
    subjectOf(earlier.command) === subject
  );
  if (latest === undefined || answered(latest)) return record;
  return { ...record, parent_command_id: latest.command_id, parent_by: "linked" };
}

/**
 * What a command is about: program and, where it matters, first operand. Null for scripts with more than one command,
 * whose subject is unclear.
 */
export function subjectOf(command: readonly string[]): string | null {
  const words = command.length === 1 ? plainWords(command[0] ?? "") : command;
  if (words === null) return null;
  const first = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
  const program = words[first];
  if (program === undefined || program === "") return null;
  const name = basename(program);
  if (!WITH_OPERAND.has(name)) return name;
  const rest = words.slice(first + 1);
  const module = /^python\d*$/.test(name) && rest[0] === "-m" ? rest[1] : undefined;
  if (module !== undefined) return `${name} ${module}`;
  const [verb = "", object = ""] = rest.filter((word) => !word.startsWith("-"));
  return RUNS_ANOTHER.has(verb) ? `${name} ${verb} ${object}` : `${name} ${verb}`;
}

/** Words of a text that is one simple command. Characters that the shell treats specially end the attempt. */
function plainWords(text: string): readonly string[] | null {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > 4_096 || /[;&|<>()`$\n{}]/.test(trimmed)) return null;
  return trimmed.split(/\s+/);
}
