import { assert, assertEquals } from "@std/assert";
import { mayComplete } from "../../src/command/expectation.ts";
import { parseScript } from "../../src/command/parse.ts";

Deno.test("parseScript says where a syntax error is", () => {
  const table = [
    { in: ")", offset: 0, line: 1, column: 1 },
    { in: "a\nb )", offset: 4, line: 2, column: 3 },
    { in: "a\n\n  fi", offset: 5, line: 3, column: 3 },
    { in: "echo $(a; fi)", offset: 10, line: 1, column: 11 },
    { in: "x `\\`)\\``", offset: 2, line: 1, column: 3 },
  ];
  for (const { in: source, ...want } of table) {
    const result = parseScript(source);
    assert(result.kind === "syntax-error", source);
    const { offset, line, column } = result;
    assertEquals({ offset, line, column }, want, source);
    assert(result.message.length > 0 && !result.message.endsWith("."));
  }
});

Deno.test("parseScript refuses an error in any nested script", () => {
  const sources = [
    "a $(b; ;)",
    'a "$(b; ;)"',
    "a `b; ;`",
    "a <(b; ;)",
    "x=$(a; ;)",
    "x=(1 $(a; ;))",
    "a ${b:-$(c; ;)}",
    "a $(( $(b; ;) ))",
    "(( $(a; ;) ))",
    "[[ $(a; ;) ]]",
    "case $(a; ;) in b) c;; esac",
    "for x in $(a; ;); do b; done",
    "a > $(b; ;)",
    "a <<E\n$(b; ;)\nE\n",
    "f() { a $(b; ;); }",
    "a $(b $(c $(d; ;)))",
  ];
  for (const source of sources) assertEquals(parseScript(source).kind, "syntax-error", source);
});

Deno.test("parseScript tells text that is open at its end from text that is incomplete", () => {
  const table = [
    { in: "cat <<E\nx\n", want: { reason: "heredoc", closes: "E" } },
    { in: "cat <<-'E F'", want: { reason: "heredoc", closes: "E F" } },
    { in: "cat <<A <<B\nA\n", want: { reason: "heredoc", closes: "B" } },
    { in: "a \\\n", want: { reason: "continuation", closes: null } },
    { in: "a \\", want: { reason: "continuation", closes: null } },
    { in: "a \\\\\n", want: null },
    { in: "a # b \\\n", want: null },
    { in: "a 'b\\\n'", want: null },
    { in: "cat <<E\nx\\\nE\nE\n", want: null },
    { in: "a", want: null },
  ];
  for (const { in: source, want } of table) {
    const result = parseScript(source);
    assert(result.kind === "script", source);
    assertEquals<unknown>(result.script.openAtEnd, want, JSON.stringify(source));
  }
});

Deno.test("parseScript says what an incomplete text waits for", () => {
  const table = [
    { in: 'a "b\n', want: { reason: "quote", closes: '"' } },
    { in: "a 'b\n", want: { reason: "quote", closes: "'" } },
    { in: "a `b\n", want: { reason: "substitution", closes: "`" } },
    { in: "a $(b\n", want: { reason: "substitution", closes: null } },
    { in: "a ${b\n", want: { reason: "substitution", closes: "}" } },
    { in: "if a\n", want: { reason: "compound", closes: "then" } },
    { in: "if a; then b\n", want: { reason: "compound", closes: "fi" } },
    { in: "for x in a; do b\n", want: { reason: "compound", closes: "done" } },
    { in: "( a\n", want: { reason: "compound", closes: ")" } },
    { in: "{ a\n", want: { reason: "compound", closes: "}" } },
    { in: "a &&\n", want: { reason: "operator", closes: null } },
    { in: "a |\n", want: { reason: "operator", closes: null } },
    { in: "{ cat <<E\nx\n", want: { reason: "heredoc", closes: "E" } },
  ];
  for (const { in: source, want } of table) {
    const result = parseScript(source);
    assert(result.kind === "incomplete", source);
    assertEquals<unknown>(result.expects, want, JSON.stringify(source));
  }
});

Deno.test("mayComplete passes over only lines that cannot complete", () => {
  // Every script is fed line by line; the last line must never be passed over.
  const scripts = [
    "a 'b\nc\nd'",
    'a "b\n$(c)\nd"',
    "cat <<E\nx\ny\nE",
    "cat <<-E\n\tx\n\tE",
    "{ cat <<E\nx\nE\n}",
    "if a\nthen b\nelse c\nfi",
    "if a\nthen\nif b; then c; fi\nfi",
    "for x in a\ndo\nb\ndone",
    "f() {\na\nb; }",
    "a &&\n\n# c\nb",
    "a |\nb |\nc",
    "x=$(a\nb\n)",
    "a=(1\n2\n)",
    "case a in\nb) c\n;;\nesac",
    "a \\\nb \\\nc",
    "a `b\nc`",
    "echo ${a:-b\nc}",
    "(a\nb)",
    "((1 +\n2))",
    "[[ a &&\nb ]]",
  ];
  for (const source of scripts) {
    assertEquals(readCommands(`${source}\nlast\n`), [`${source}\n`, "last\n"], source);
  }
});

Deno.test("mayComplete passes over the lines of a long here-document", () => {
  const result = parseScript("cat <<END\n");
  assert(result.kind === "script" && result.script.openAtEnd !== null);
  assertEquals(mayComplete(result.script.openAtEnd, "any line"), false);
  assertEquals(mayComplete(result.script.openAtEnd, "END"), true);
});

/** A reader of lines as a session has one: text runs as soon as it is complete. */
function readCommands(input: string): string[] {
  const commands: string[] = [];
  let text = "";
  let skips: ((line: string) => boolean) | null = null;
  for (const line of input.split("\n").slice(0, -1)) {
    text += `${line}\n`;
    if (skips?.(line)) continue;
    const result = parseScript(text);
    assert(result.kind !== "syntax-error", text);
    const expects = result.kind === "script" ? result.script.openAtEnd : result.expects;
    skips = expects === null ? null : (next) => !mayComplete(expects, next);
    if (expects !== null) continue;
    commands.push(text);
    text = "";
  }
  return text === "" ? commands : [...commands, text];
}
