/** The answer to a hook's call: the command through Debrief, or an error that its caller makes a refusal. */
import { assertEquals, assertThrows } from "@std/assert";
import { hookAnswer } from "../../../src/cli/agents/hook_answer.ts";

const EXECUTABLE = "/opt/my tools/debrief";

function call(event: string, tool: string, input: unknown): string {
  return JSON.stringify({
    session_id: "s",
    hook_event_name: event,
    tool_name: tool,
    tool_input: input,
  });
}

/** What a shell makes of the rewritten command. */
async function words(command: string): Promise<readonly string[]> {
  const script = command.replace(/^'[^']*'/, `printf '%s\\0'`);
  const { stdout } = await new Deno.Command("bash", { args: ["-c", script] }).output();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

const HOSTS = [
  { agent: "claude", event: "PreToolUse", tool: "Bash", key: "updatedInput", decision: undefined },
  { agent: "codex", event: "PreToolUse", tool: "Bash", key: "updatedInput", decision: "allow" },
  {
    agent: "gemini",
    event: "BeforeTool",
    tool: "run_shell_command",
    key: "tool_input",
    decision: undefined,
  },
] as const;

for (const { agent, event, tool, key, decision } of HOSTS) {
  Deno.test(`hookAnswer rewrites the command of ${agent} word by word, keeping other input`, async () => {
    for (
      const command of [
        "ls",
        "echo 'a b' \"$HOME\" `id` $(id) \\",
        "cat <<'E'\n' \" $x\nE\n",
        "'; rm -rf / #",
        "\u2028 \u0007 \u{1F600}",
        "--policy open",
        "--policy=open",
        "-s",
      ]
    ) {
      const input = { command, description: "d", timeout: 3 };
      const options = { agent, executable: EXECUTABLE };
      const answer = JSON.parse(hookAnswer(call(event, tool, input), options) ?? "");
      const { hookSpecificOutput: output } = answer;
      assertEquals(output.hookEventName, event);
      assertEquals(output.permissionDecision, decision);
      const { command: rewritten, ...rest } = output[key];
      assertEquals(rest, { description: "d", timeout: 3 });
      assertEquals(rewritten.startsWith(`'${EXECUTABLE}' -c -- `), true);
      assertEquals(await words(rewritten), ["-c", "--", command]);
    }
  });

  Deno.test(`hookAnswer says nothing of other tools of ${agent}`, () => {
    const options = { agent, executable: EXECUTABLE };
    assertEquals(hookAnswer(call(event, "Read", { path: "x" }), options), null);
  });

  Deno.test(`hookAnswer takes nothing for a call of ${agent} that is none`, () => {
    const options = { agent, executable: EXECUTABLE };
    const bad = [
      "",
      "null",
      "[]",
      "{",
      "{}",
      '"text"',
      call("PostToolUse", tool, { command: "ls" }),
      call(event, tool, null),
      call(event, tool, "ls"),
      call(event, tool, {}),
      call(event, tool, { command: "" }),
      call(event, tool, { command: 1 }),
      call(event, tool, { command: ["ls"] }),
      call(event, tool, { command: "a\0b" }),
      call(event, tool, { cmd: "ls" }),
      JSON.stringify({ hook_event_name: event, tool_input: { command: "ls" } }),
    ];
    for (const text of bad) assertThrows(() => hookAnswer(text, options), Error);
    assertEquals(typeof hookAnswer(call(event, tool, { command: "ls" }), options), "string");
  });
}

Deno.test("hookAnswer refuses an agent without hooks", () => {
  const options = { agent: "opencode", executable: EXECUTABLE } as const;
  assertThrows(() => hookAnswer(call("PreToolUse", "Bash", { command: "ls" }), options), Error);
});
