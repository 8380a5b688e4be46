import { assert, assertEquals } from "@std/assert";
import { parseScript } from "../../src/command/parse.ts";
import { bashVerdict } from "./bash.ts";
import { INVALID, UNFINISHED } from "./broken_scripts.ts";
import { VALID } from "./valid_scripts.ts";

/** Scripts that are read otherwise than by bash 5.2. All but the last are refused although bash would take them. */
const DIVERGENT: readonly { in: string; bash: string; ours: string; reason: string }[] = [
  {
    in: "echo `if`",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash parses old-style substitutions when they run",
  },
  { in: "echo `(`", bash: "valid", ours: "syntax-error", reason: "as above" },
  {
    in: "echo ${x y}",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash finds a bad substitution when it expands",
  },
  {
    in: "cat <<E\n$(a\nE\n",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash expands the body when it runs",
  },
  { in: "cat <<E\n`a\nE\n", bash: "valid", ours: "syntax-error", reason: "as above" },
  {
    in: "echo $(('$(a)'))",
    bash: "valid",
    ours: "syntax-error",
    reason: "quotes in arithmetic do not keep a from running",
  },
  { in: "((x['$(a)']))", bash: "valid", ours: "syntax-error", reason: "as above" },
  {
    in: "echo ${x:-'$(a)'}",
    bash: "valid",
    ours: "syntax-error",
    reason: "whether the quotes hold depends on the context",
  },
  {
    in: "a[(1)]=2",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash takes some such words for a name",
  },
  {
    in: "((a); b)",
    bash: "valid",
    ours: "syntax-error",
    reason: "arithmetic or a subshell: the end decides",
  },
  { in: "echo $((a); b)", bash: "valid", ours: "syntax-error", reason: "as above" },
  {
    in: "echo a<(b)",
    bash: "valid",
    ours: "syntax-error",
    reason: "one word to bash, two to the parser",
  },
  {
    in: "echo ${ a # }",
    bash: "valid",
    ours: "syntax-error",
    reason: "a substitution from bash 5.3 on, which ends elsewhere",
  },
  { in: "f() { a }; }", bash: "valid", ours: "script", reason: "none: a control" },
  { in: "((a)\n)", bash: "invalid", ours: "syntax-error", reason: "none: a control" },
  {
    in: "echo $((x + $(case a in a) b;; esac)))",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash counts parentheses and runs x as a command",
  },
  {
    in: "cat <<E\n$(a \\\n b)\nE\n",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash joins the lines first, even in comments",
  },
  {
    in: "cat <<`x`\n`x`",
    bash: "valid",
    ours: "syntax-error",
    reason: "a delimiter that bash reads as a command",
  },
  {
    in: "[[ ]]",
    bash: "valid",
    ours: "syntax-error",
    reason: "bash passes over it without a word",
  },
  { in: "[[ a && ]]", bash: "valid", ours: "syntax-error", reason: "as above" },
  { in: "((a)\n", bash: "invalid", ours: "incomplete", reason: "refused once it is closed" },
  {
    in: "echo @(a|b)",
    bash: "invalid",
    ours: "script",
    reason: "extglob may be on in the session; bash refuses it where it is off",
  },
];

function ours(source: string): string {
  const result = parseScript(source);
  if (result.kind !== "script") return result.kind;
  return result.script.openAtEnd === null ? "script" : "incomplete";
}

Deno.test("parseScript accepts what bash accepts", () => {
  for (const source of VALID) {
    assertEquals(bashVerdict(source), "valid", `bash: ${JSON.stringify(source)}`);
    assertEquals(ours(source), "script", JSON.stringify(source));
    assertEquals(ours(`${source}\n`), "script", JSON.stringify(`${source}\n`));
  }
});

Deno.test("parseScript refuses what bash refuses", () => {
  for (const source of INVALID) {
    assertEquals(bashVerdict(`${source}\n`), "invalid", `bash: ${JSON.stringify(source)}`);
    assertEquals(ours(`${source}\n`), "syntax-error", JSON.stringify(source));
  }
});

Deno.test("parseScript asks for more where bash does", () => {
  for (const source of UNFINISHED) {
    assertEquals(bashVerdict(`${source}\n`), "unfinished", `bash: ${JSON.stringify(source)}`);
    assertEquals(ours(`${source}\n`), "incomplete", JSON.stringify(source));
    assertEquals(ours(source), "incomplete", JSON.stringify(source));
  }
});

Deno.test("parseScript differs from bash only as listed", () => {
  for (const { in: source, bash, ours: want, reason } of DIVERGENT) {
    assertEquals(bashVerdict(source), bash, `bash: ${JSON.stringify(source)}`);
    assertEquals(ours(source), want, `${JSON.stringify(source)}: ${reason}`);
  }
});

Deno.test("the table of scripts is large enough to mean something", () => {
  assert(VALID.length + INVALID.length + UNFINISHED.length >= 250);
  assertEquals(
    new Set([...VALID, ...INVALID, ...UNFINISHED]).size,
    VALID.length + INVALID.length + UNFINISHED.length,
  );
});
