/**
 * What agents ask a shell once, at their start, and read as data: a block, or a cut, would end up in an environment or a PATH.
 * A probe is judged, jailed, redacted and recorded like any command; only its block is not printed and its output not cut.
 */
import { parsed } from "./place.ts";
import { literalWord } from "./word.ts";

/** Letters with which a shell was called: `l` for login, `i` for interactive. */
export type ProbeLetters = ReadonlySet<string>;

/** Probes that are one text, with the letters that must be there; by the agent that asks so. */
const TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  // Claude Code 2.1.330: `-c env`.
  ["env", []],
  // Goose: `-l -i -c 'echo $PATH'`, of which the last line counts.
  ["echo $PATH", ["l", "i"]],
]);

/** Claude Code 2.1.330: `-c -l`, a script that writes the user's functions, aliases and options to a file. */
const SNAPSHOT = /^\/[\w./-]*\/shell-snapshots\/snapshot-(?:bash|zsh|sh)-\d+-\w+\.sh$/;

/** True for text that an agent runs to learn about the shell, not on behalf of its model. */
export function isProbe(source: string, letters: ProbeLetters): boolean {
  const needed = TEXTS.get(source);
  if (needed !== undefined) return needed.every((letter) => letters.has(letter));
  return letters.has("l") && source.startsWith("SNAPSHOT_FILE=") && isSnapshot(source);
}

function isSnapshot(source: string): boolean {
  const first = parsed(source)?.commands[0]?.command;
  if (first?.type !== "Command" || first.name !== undefined || first.prefix.length !== 1) {
    return false;
  }
  const [assignment] = first.prefix;
  if (assignment?.type !== "Assignment" || assignment.value.type !== "Word") return false;
  const { pos, end } = assignment.value;
  return SNAPSHOT.test(literalWord(source.slice(pos, end))?.value ?? "");
}
