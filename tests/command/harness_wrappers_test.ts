import { assertEquals } from "@std/assert";
import { unwrap } from "../../src/command/harness_wrappers.ts";
import { claudeCheckedText, claudePrefixText, claudeText, geminiText } from "./harness_texts.ts";

/** Commands of a model, some of which try to end the wrapper early. */
const COMMANDS = [
  "echo hi; mkdir -p sub && cd sub",
  "echo 'it'\\''s' > f",
  "cat <<X\ny ' \"\nX",
  "ls # comment",
  "true' && rm -rf /; echo '",
  "a | b && pwd -P >| /tmp/claude-0000-cwd",
  "( true )",
  "if true",
  "",
];

Deno.test("unwrap() takes the command out of Claude Code's wrapper, whatever it is", async (t) => {
  const trailer = { path: "/tmp/claude-70cc-cwd", holds: "directory" } as const;
  for (const inner of COMMANDS) {
    await t.step(inner, () => {
      assertEquals(unwrap(claudeText(inner)), { inner, closesInput: true, trailer });
      assertEquals(unwrap(claudeText(inner, { snapshot: false, input: "" })), {
        inner,
        closesInput: false,
        trailer,
      });
      assertEquals(unwrap(claudePrefixText(inner))?.inner, inner);
      assertEquals(unwrap(claudeCheckedText(inner))?.inner, inner);
    });
  }
});

Deno.test("unwrap() takes the command out of Gemini's wrapper", async (t) => {
  const trailer = { path: "/tmp/gemini-shell-VweA2C/bgpids.tmp", holds: "jobs" } as const;
  for (const inner of ["echo hi", "ls # x", "cat <<X\n)\nX", "( true )", "a &", "a\nb\n\nc"]) {
    await t.step(inner, () => {
      assertEquals(unwrap(geminiText(inner)), { inner, closesInput: false, trailer });
    });
  }
});

/** One change to a wrapper by which more than its command would run, or something else than its file be written. */
const FORGED: readonly string[] = [
  `${claudeText("ls")}; rm x`,
  `${claudeText("ls")} && rm x`,
  `${claudeText("ls")} &`,
  `${claudeText("ls")} # x`,
  `rm x; ${claudeText("ls")}`,
  `rm x || true && ${claudeText("ls")}`,
  `A=1 ${claudeText("ls", { snapshot: false })}`,
  `( ${claudeText("ls")} )`,
  `${claudeText("ls")}\nrm x`,
  `${claudeText("ls")} 2>x`,
  claudeText("ls").replace("eval", "A=1 eval"),
  claudeText("ls").replace("eval", "eval x"),
  claudeText("ls").replace("eval 'ls'", 'eval "$(rm x)"'),
  claudeText("ls").replace("eval 'ls'", "eval $x"),
  claudeText("ls").replace("eval 'ls' <", "eval 'ls' 'rm x' <"),
  claudeText("ls").replace("< /dev/null &&", "< /dev/null || "),
  claudeText("ls").replace("< /dev/null &&", "< ~/.ssh/id &&"),
  claudeText("ls").replace("< /dev/null &&", "< /dev/null > x &&"),
  claudeText("ls").replace("true &&", "rm x &&"),
  claudeText("ls").replace("|| true", "&& true"),
  claudeText("ls").replace("'which'", "'which' x"),
  claudeText("ls").replace("'which'", "$(rm x)"),
  claudeText("ls").replace("source /home", "source $(rm x)/home"),
  claudeText("ls").replace("snapshot-bash-", "evil-"),
  claudeText("ls").replace("pwd -P", "pwd -L"),
  claudeText("ls").replace("pwd -P >|", "pwd -P >>"),
  claudeText("ls").replace("pwd -P >|", "rm -P >|"),
  claudeText("ls", { file: "/tmp/claude-70cc-cwd /etc/x" }),
  claudeText("ls", { file: "/tmp/../etc/claude-70cc-cwd" }),
  claudeText("ls", { file: "/tmp/claude-70cc-cwd/x" }),
  claudeText("ls", { file: "claude-70cc-cwd" }),
  claudeText("ls", { file: "/tmp/$(rm x)/claude-70cc-cwd" }),
  claudeText("ls", { file: "~/claude-70cc-cwd" }),
  claudeText("ls", { file: "/tmp/.bashrc" }),
  claudeCheckedText("ls").replace("} &&", "} ||"),
  claudeCheckedText("ls").replace("'2'", "2) rm x;; '2'"),
  "true && pwd -P >| /tmp/claude-70cc-cwd",
  "pwd -P >| /tmp/claude-70cc-cwd",
  "\\builtin shopt -u extglob 2>/dev/null || true && pwd -P >| /tmp/claude-70cc-cwd",
  "\\builtin shopt -u extglob 2>/dev/null || eval ls && pwd -P >| /tmp/claude-70cc-cwd",
  geminiText("true\n)\nrm x\n(\ntrue"),
  geminiText("cat <<X"),
  geminiText("'"),
  geminiText("ls", "/tmp/gemini-shell-VweA2C/../x/bgpids.tmp"),
  geminiText("ls", "/tmp/x/bgpids.tmp"),
  geminiText("ls", "/tmp/gemini-shell-VweA2C/bgpids.tmp rm x"),
  geminiText("ls", "$(rm x)/gemini-shell-VweA2C/bgpids.tmp"),
  `${geminiText("ls")}\nrm x`,
  `rm x\n${geminiText("ls")}`,
  geminiText("ls").replace("; _bgpids", "; rm x; _bgpids"),
  geminiText("ls").replace("; _bgpids", " x; _bgpids"),
  geminiText("ls").replace("jobs -p", "rm x; jobs -p"),
  geminiText("ls").replace(" EXIT", " EXIT && rm x"),
  geminiText("ls").replace("__code=$?", "__code=$(rm x)"),
  geminiText("ls").replace(")\n__code", ") && rm x\n__code"),
  geminiText("ls").replace(")\n__code", ") > x\n__code"),
  geminiText("ls").replace("(\n  trap", "(\n  rm x\n  trap"),
  geminiText("ls").replace("(\n", "{\n").replace("\n)", "\n}"),
];

Deno.test("unwrap() takes nothing for a wrapper that is not exactly one", async (t) => {
  for (const source of ["ls", ...FORGED]) {
    await t.step(source.slice(-200), () => assertEquals(unwrap(source), null));
  }
});

Deno.test("unwrap() gives up on nothing but errors in the text itself", () => {
  // What the wrapper holds may be nonsense: it is then the command that does not parse.
  assertEquals(unwrap(claudeText("( "))?.inner, "( ");
  assertEquals(unwrap(`${claudeText("ls")} )`), null);
});
