/**
 * Scripted agents: what each does after a command, by a stated rule and nothing else.
 *
 * - `follows` runs the command of the first suggestion that has one and that it has not run yet; when that succeeded
 *   without reaching the goal, it tries the original command again. Without a suggestion it gives up.
 * - `ignores` sees the same, and does what `without` does.
 * - `repeats` runs the original command again until feedback names a loop; then it does as `follows`, with the suggestions
 *   that it was given before.
 * - `without` sees the raw output only: it runs a command of the same program that the output itself quotes, shows
 *   indented or calls similar, else it tries once more, else it gives up.
 */

/** Which rule. */
export type AgentName = "follows" | "ignores" | "repeats" | "without";

/** What an agent sees of one command. */
export interface Seen {
  readonly line: string;
  readonly succeeded: boolean;
  readonly output: string;
  readonly suggestions: readonly string[];
  readonly feedback: readonly string[];
}

/** What it does next: a command line, with another time limit where that was suggested. Null: it gives up. */
export type Next = { readonly line: string; readonly timeoutMs?: number } | null;

/** The first command in backquotes. */
function commandIn(text: string): string | null {
  return /`([^`]+)`/.exec(text)?.[1] ?? null;
}

/** Decide from all that was seen so far, the original command first. */
export function nextOf(agent: AgentName, seen: readonly Seen[]): Next {
  const [original] = seen;
  const last = seen.at(-1);
  if (original === undefined || last === undefined) return null;
  switch (agent) {
    case "follows":
      return follow(original, seen);
    case "repeats":
      return seen.some(({ feedback }) =>
          feedback.some((text) => text.includes("[Feedback - Loop]"))
        )
        ? follow(original, seen)
        : { line: original.line };
    case "ignores":
    case "without":
      return alone(original, seen);
  }
}

function follow(original: Seen, seen: readonly Seen[]): Next {
  const last = seen.at(-1) ?? original;
  const ran = new Set(seen.map(({ line }) => line));
  const given = seen.findLast(({ suggestions }) => suggestions.length > 0)?.suggestions ?? [];
  for (const text of last.succeeded ? last.suggestions : given) {
    const command = commandIn(text);
    const seconds = /^--timeout (\d+)s$/.exec(command ?? "")?.[1];
    if (seconds !== undefined) return { line: original.line, timeoutMs: Number(seconds) * 1_000 };
    if (command !== null && !ran.has(command)) return { line: command };
  }
  const again = seen.filter(({ line }) => line === original.line).length;
  return last !== original && last.succeeded && again < 3 ? { line: original.line } : null;
}

function alone(original: Seen, seen: readonly Seen[]): Next {
  const ran = new Set(seen.map(({ line }) => line));
  const program = original.line.split(" ")[0] ?? "";
  const output = (seen.at(-1)?.output ?? "").replaceAll(/^npm error ?/gm, "");
  const similar = /(?:most similar command is|Did you mean this\?)\n\s{1,8}(\w{1,40})\n/.exec(
    output,
  )?.[1];
  if (similar !== undefined && !ran.has(`${program} ${similar}`)) {
    return { line: `${program} ${similar}` };
  }
  const quoted = [
    ...output.matchAll(/[`"']([^`"'\n]{3,200})[`"']|^(?:\t| {2,8})(\S[^\n#]{2,200})/gm),
  ]
    .map(([, one, other]) => (one ?? other ?? "").trim())
    .find((text) => text.startsWith(`${program} `) && !text.includes("<") && !ran.has(text));
  if (quoted !== undefined) return { line: quoted };
  return seen.length < 2 ? { line: original.line } : null;
}
