/** What feedback is made from, without secrets: it quotes and cuts, and a part of a secret cannot be told from other text. */
import type { Observed, SyntaxMistake } from "../feedback/observed.ts";

type Redact = (text: string) => string;

/** The line of a mistake is redacted as a whole, because a secret may reach over the place of the mistake. */
function redactMistake(mistake: SyntaxMistake, redact: Redact): SyntaxMistake {
  // Values over several lines are known from here on, also when a single line of them is shown.
  redact(mistake.text);
  const line = mistake.text.split("\n")[mistake.line - 1] ?? "";
  const shown = redact(line);
  const before = redact(line.slice(0, mistake.column - 1));
  return {
    message: redact(mistake.message),
    line: mistake.line,
    column: commonLength(before, shown) + 1,
    text: "\n".repeat(mistake.line - 1) + shown,
  };
}

/** Length of what two texts begin with. */
function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** The same facts with redacted words, resources and source text. */
export function redactObserved(observed: Observed, redact: Redact): Observed {
  const { command, denials, syntaxError } = observed;
  return {
    ...observed,
    command: command.map(redact),
    denials: denials.map((denial) => ({ ...denial, resource: redact(denial.resource) })),
    syntaxError: syntaxError === null ? null : redactMistake(syntaxError, redact),
  };
}
