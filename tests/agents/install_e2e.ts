/** `debrief install` and `debrief hook`, the executable itself: what is written, asked, refused and taken back. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AgentPlace } from "./agent_place.ts";
import { chosenAgents } from "./agent_packages.ts";

const CONFIG = "home/.config/opencode/opencode.jsonc";
const MINE = '{\n  // mine\n  "theme":   "dark", "token": "x"\n}';

async function open(): Promise<AgentPlace> {
  return await AgentPlace.open(chosenAgents()[0]!);
}

Deno.test("debrief install asks nobody where nobody is there: it changes nothing without --yes", async () => {
  using user = await open();
  const path = user.place.write(CONFIG, MINE);
  for (const flags of [[], ["--dry-run"]]) {
    const { code, stdout, stderr } = await user.debrief("install", "opencode", ...flags);
    assertStringIncludes(stdout, `+  "shell": "${user.executable}"`);
    assertEquals(code, flags.length > 0 ? 0 : 2);
    assertStringIncludes(stderr, flags.length > 0 ? "" : "use --yes");
    assertEquals(Deno.readTextFileSync(path), MINE);
  }
  assertEquals((await user.debrief("install", "opencode", "--yes")).code, 0);
  assert(Deno.readTextFileSync(path) !== MINE);
});

Deno.test("debrief install asks on a terminal, and takes anything but yes for no", async () => {
  using user = await open();
  const path = user.place.write(CONFIG, MINE);
  for (const [answer, code] of [["n", 1], ["", 1], ["y", 0]] as const) {
    const command = `'${user.executable}' install opencode`;
    const script = `printf '%s\\n' '${answer}' | script -qec "${command}" /dev/null`;
    const ended = await user.run("bash", ["-c", script]);
    assertStringIncludes(ended.stdout, "Apply these changes?");
    assertEquals(ended.code, code, ended.stdout);
    assertEquals(Deno.readTextFileSync(path) === MINE, code === 1);
  }
});

Deno.test("debrief install keeps mode and links of a file, and --undo its bytes; its own files are the user's alone", async () => {
  using user = await open();
  const kept = user.place.write("home/dotfiles/opencode.jsonc", MINE, 0o640);
  Deno.mkdirSync(user.place.at("home/.config/opencode"), { recursive: true });
  Deno.symlinkSync(kept, user.place.at(CONFIG));
  for (const mode of ["--transparent", "--strict"]) {
    assertEquals((await user.debrief("install", "opencode", mode, "--yes")).code, 0);
    assert(Deno.lstatSync(user.place.at(CONFIG)).isSymlink);
    assertStringIncludes(Deno.readTextFileSync(kept), "// mine");
    assertEquals(Deno.statSync(kept).mode! & 0o777, 0o640);
  }
  const ledger = user.place.at("home/.local/state/debrief/agents/opencode-user.json");
  assertEquals(Deno.statSync(ledger).mode! & 0o777, 0o600);
  assertEquals((await user.debrief("install", "opencode", "--undo", "--yes")).code, 0);
  assertEquals(Deno.readTextFileSync(kept), MINE);
  const again = await user.debrief("install", "opencode", "--undo", "--yes");
  assertEquals(again.code, 2);
  assertStringIncludes(again.stderr, "there is none in this scope");
  assertEquals([...Deno.readDirSync(user.place.at("home/dotfiles"))].length, 1);
});

Deno.test("debrief install --undo refuses what the user changed since, and writes nothing then", async () => {
  using user = await open();
  const path = user.place.write(CONFIG, MINE);
  await user.debrief("install", "opencode", "--strict", "--yes");
  const changed = Deno.readTextFileSync(path).replace('"deny"', '"ask"');
  Deno.writeTextFileSync(path, changed);
  const { code, stderr } = await user.debrief("install", "opencode", "--undo", "--yes");
  assert(code !== 0);
  assertStringIncludes(stderr, `${path}`);
  assertStringIncludes(stderr, `"permission.bash": it was changed since`);
  assertEquals(Deno.readTextFileSync(path), changed);
});

Deno.test("debrief install hides secrets of a configuration in what it shows", async () => {
  using user = await open();
  const token = "gh" + "p_" + "A1b2C3d4".repeat(5).slice(0, 36);
  user.place.write(CONFIG, `{\n  "theme": "${token}"\n}\n`);
  const { stdout } = await user.debrief("install", "opencode", "--dry-run");
  assertEquals(stdout.includes(token), false);
  assertStringIncludes(stdout, "[REDACTED:");
});

Deno.test("debrief install and doctor --agent refuse words that mean nothing", async () => {
  using user = await open();
  for (
    const { words, want } of [
      { words: ["install"], want: "accepted are claude, codex, opencode, gemini" },
      { words: ["install", "vim"], want: 'Cannot use the agent "vim"' },
      { words: ["install", "codex", "claude"], want: 'Cannot use "claude": one agent is named' },
      { words: ["install", "codex", "--strict", "--transparent"], want: "exclude each other" },
      { words: ["install", "codex", "--scope", "world"], want: "accepted are user, project" },
      { words: ["doctor", "--agent", "vim"], want: 'Cannot use the agent "vim"' },
    ]
  ) {
    const { code, stderr } = await user.debrief(...words);
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, want);
  }
});

Deno.test("debrief hook answers calls, and ends with status 2 and a reason for anything else", async () => {
  using user = await open();
  const run = async (agent: string, call: string) => {
    const script = `printf '%s' "$1" | debrief hook ${agent}`;
    return await user.run("bash", ["-c", script, "bash", call]);
  };
  const good = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const answered = await run("codex", JSON.stringify(good));
  assertEquals(answered.code, 0);
  assertStringIncludes(answered.stdout, `"command":"${user.executable} -c -- ls"`);
  const silent = await run("codex", JSON.stringify({ ...good, tool_name: "apply_patch" }));
  assertEquals([silent.code, silent.stdout], [0, ""]);
  const big = `{"a":"$(head -c 9000000 /dev/zero | tr '\\0' x)"}`;
  const refused = [
    await run("codex", "no call"),
    await run("codex", ""),
    await run("opencode", JSON.stringify(good)),
    await run("vim", JSON.stringify(good)),
    await run("codex extra", JSON.stringify(good)),
    await run("codex --bad", JSON.stringify(good)),
    await user.run("bash", ["-c", `echo "${big}" | debrief hook codex`]),
    await user.run("bash", ["-c", "printf '\\xff' | debrief hook codex"]),
  ];
  for (const { code, stdout, stderr } of refused) {
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, "debrief: Cannot ");
  }
});
