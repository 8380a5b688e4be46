import { assertEquals } from "@std/assert";
import type { Observed } from "../../src/feedback/observed.ts";
import { Redactor } from "../../src/output/redact.ts";
import { redactObserved } from "../../src/session/redact_observed.ts";
import { alnum } from "../output/rules_samples.ts";

const [first, second] = [alnum(12, 1), alnum(24, 2)];
const token = "gh" + "p_" + alnum(36);

/** The line that is shown of a mistake at the mark `|`, with the mark at the place that is shown. */
function shown(marked: string): string {
  const text = marked.replace("|", "");
  const before = marked.slice(0, marked.indexOf("|")).split("\n");
  const syntaxError = {
    message: "unexpected token '('",
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
    text,
  };
  const redactor = new Redactor();
  const observed = redactObserved(
    { command: [text], denials: [], syntaxError } as unknown as Observed,
    (part) => redactor.redactText(part),
  );
  const mistake = observed.syntaxError!;
  const line = mistake.text.split("\n")[mistake.line - 1] ?? "";
  return line.slice(0, mistake.column - 1) + "|" + line.slice(mistake.column - 1);
}

Deno.test("redactObserved hides all of a secret that reaches over the place of a mistake", () => {
  const cases = [
    { in: "echo |(", want: "echo |(" },
    { in: `echo ${token} |(x`, want: "echo [REDACTED:github-token#1] |(x" },
    { in: `one\necho | ${token}`, want: "echo | [REDACTED:github-token#1]" },
    {
      in: `curl -u bob:${first}|(${second} http://x`,
      want: "curl -u bob:[REDACTED:command-line#|1] http://x",
    },
    { in: `DB_PASSWORD=${first}|(${second} x`, want: "DB_PASSWORD=[REDACTED:assignment#|1] x" },
    {
      in: `x ${token.slice(0, 30)}|${token.slice(30)} )`,
      want: "x [REDACTED:github-token#|1] )",
    },
  ];
  for (const { in: marked, want } of cases) assertEquals(shown(marked), want);
});
