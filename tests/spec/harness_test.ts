/** What agents really give to their shell, run as they do: the block, the record and the policy are the inner command's. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { claudeText, geminiText } from "../command/harness_texts.ts";
import { runDebrief } from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";

function lastCommand(place: TestPlace): readonly string[] | undefined {
  return place.records().at(-1)?.command;
}

jailTest(
  "Claude Code's wrapper: the inner command is recorded, and the directory passed on",
  async () => {
    using place = new TestPlace();
    const file = place.at("tmp/claude-70cc-cwd");
    const run = (command: string, cwd = "work") =>
      runDebrief(["-c", claudeText(command, { file })], {
        place,
        cwd: place.at(cwd),
        stdin: "unread",
      });
    const { code, stdout, stderr } = await run("mkdir -p sub && cd sub; cat; echo done");
    assertEquals([code, stdout], [0, "done\n"]);
    assertMatch(stderr, /^--- debrief \d{9} ✓ exit 0, [^\n]* ---\n$/);
    assertEquals(lastCommand(place), ["mkdir -p sub && cd sub; cat; echo done"]);
    assertEquals(Deno.readTextFileSync(file), `${place.at("work/sub")}\n`);
    const failed = await run("cd ..; nosuchprogram", "work/sub");
    assertEquals(failed.code, 127);
    assertStringIncludes(failed.stderr, "not found");
    assertEquals(Deno.readTextFileSync(file), `${place.at("work/sub")}\n`);
    await run("cd ..; exit 0", "work/sub");
    assertEquals(Deno.readTextFileSync(file), `${place.at("work/sub")}\n`);
    const outside = await run(`cd ${place.at("outside")}`);
    assertMatch(outside.stderr, /\nnotice: the agent stays where it was: /);
    assertEquals(Deno.readTextFileSync(file), `${place.at("work/sub")}\n`);
    await run("true");
    assertEquals(Deno.readTextFileSync(file), `${place.at("work")}\n`);
  },
);

jailTest("a directory that a command replaced by a link does not move the workspace", async () => {
  using place = new TestPlace();
  const file = place.at("tmp/claude-70cc-cwd");
  const run = (command: string, cwd: string) =>
    runDebrief(["-c", claudeText(command, { file })], { place, cwd: place.at(cwd) });
  await run("mkdir sub; cd sub", "work");
  await run(`cd ..; rmdir sub; ln -s ${place.at("outside")} sub`, "work/sub");
  // The agent starts its next shell in the directory that it was told.
  const { code, stderr } = await run("touch escaped", "work/sub");
  assertEquals([code, [...Deno.readDirSync(place.at("outside"))]], [1, []]);
  assertStringIncludes(stderr, "denied by sandbox");
});

jailTest("run rules are about the command inside a wrapper", async () => {
  using place = new TestPlace();
  place.write("none.jsonc", `{ "extends": "default", "run": { "allow": false, "deny": [] } }`);
  const listed = place.write("listed.jsonc", `{ "extends": "./none.jsonc", "run": ["ls"] }`);
  const file = place.at("tmp/claude-70cc-cwd");
  const cases = [
    { in: claudeText("ls", { file }), want: 0 },
    { in: claudeText("rm x", { file }), want: 126 },
    { in: `${claudeText("ls", { file })}; rm x`, want: 126 },
    { in: geminiText("ls", place.at("tmp/gemini-shell-abcdef/bgpids.tmp")), want: 0 },
    { in: geminiText("rm x", place.at("tmp/gemini-shell-abcdef/bgpids.tmp")), want: 126 },
    {
      in: geminiText("ls\n)\nrm x\n(\nls", place.at("tmp/gemini-shell-abcdef/bgpids.tmp")),
      want: 126,
    },
  ];
  for (const { in: text, want } of cases) {
    const { code } = await runDebrief(["--policy", listed, "-c", text], { place });
    assertEquals(code, want, text);
  }
});

jailTest("Gemini's wrapper: the inner command is recorded, and no job is reported", async () => {
  using place = new TestPlace();
  Deno.mkdirSync(place.at("tmp/gemini-shell-abcdef"), { mode: 0o700 });
  const file = place.at("tmp/gemini-shell-abcdef/bgpids.tmp");
  const { code, stdout, stderr } = await runDebrief(
    ["-c", geminiText("echo hi; sleep 60 & exit 3", file)],
    { place },
  );
  assertEquals([code, stdout], [3, "hi\n"]);
  assertStringIncludes(stderr, "left running:");
  assertEquals(lastCommand(place), ["echo hi; sleep 60 & exit 3"]);
  assertEquals(Deno.readTextFileSync(file), "");
});

jailTest("probes get exactly what a shell prints, are jailed, and are recorded", async () => {
  using place = new TestPlace();
  const env = { DEBRIEF_BLOCK: "stdout", LC_LONG: "x".repeat(20_000) };
  const path = await runDebrief(["-l", "-i", "-c", "echo $PATH"], { place, env });
  assertMatch(path.stdout, /^[^\n]*:\/usr\/bin:\/bin[^\n]*\n$/);
  const all = await runDebrief(["-c", "env"], { place, env });
  assertStringIncludes(all.stdout, `LC_LONG=${"x".repeat(20_000)}\n`);
  assertEquals([path.stderr, all.stderr], ["", ""]);
  const snapshot = place.at("home/.claude/shell-snapshots/snapshot-bash-17-ab.sh");
  const script = `SNAPSHOT_FILE=${snapshot}\necho x >| "$SNAPSHOT_FILE" || exit 1`;
  const { code, stderr } = await runDebrief(["-c", "-l", script], { place, env });
  assertEquals([code, stderr.includes("--- debrief")], [1, false]);
  assertEquals(place.records().map(({ exit_code }) => exit_code), [0, 0, 1]);
  // Control: what is no probe has its block.
  const other = await runDebrief(["-c", "echo $PATH"], { place, env });
  assertMatch(other.stdout, /\n--- debrief \d{9} /);
});

jailTest("the depth variable silences the block, and neither the jail nor the record", async () => {
  using place = new TestPlace();
  const env = { DEBRIEF_DEPTH: "3" };
  const script = `echo hi; touch ${place.at("outside/x")}`;
  const { code, stdout, stderr } = await runDebrief(["-c", script], { place, env });
  assertEquals([code, stdout, stderr.includes("--- debrief")], [1, "hi\n", false]);
  assertEquals([...Deno.readDirSync(place.at("outside"))], []);
  assertEquals(place.records().map(({ exit_code }) => exit_code), [1]);
});

jailTest("DEBRIEF_WORKSPACE is the workspace, wherever the shell is started", async () => {
  using place = new TestPlace();
  const run = (script: string, value: string) =>
    runDebrief(["-c", script], {
      place,
      cwd: place.at("outside"),
      env: { DEBRIEF_WORKSPACE: value },
    });
  const { code } = await run(`touch ${place.at("work/inside")} && touch escaped`, place.at("work"));
  assertEquals([code, [...Deno.readDirSync(place.at("outside"))]], [1, []]);
  assertEquals(Deno.statSync(place.at("work/inside")).isFile, true);
  // Control: without it the directory itself is the workspace.
  assertEquals((await run("touch escaped", "")).code, 0);
  const relative = await run("true", "work");
  assertEquals([relative.code, relative.stderr], [
    2,
    'debrief: Cannot use DEBRIEF_WORKSPACE "work": an absolute path is accepted\n',
  ]);
});
