/** What is installed can be taken back, exactly where nobody touched it and key by key where somebody did. */
import { assertEquals, assertThrows } from "@std/assert";
import { agentChanges, type Wish } from "../../../src/cli/agents/agent_changes.ts";
import { AGENTS } from "../../../src/cli/agents/agent_names.ts";
import type { LedgerEntry } from "../../../src/cli/agents/install_ledger.ts";
import { type InstallPlan, planInstall, planUndo } from "../../../src/cli/agents/install_plan.ts";

const MODES = ["transparent", "strict"] as const;
const SCOPES = ["user", "project"] as const;

const WISH: Wish = {
  agent: "opencode",
  mode: "transparent",
  scope: "user",
  executable: "/opt/it's/debrief",
  environment: {},
  home: "/nonexistent/home",
  project: "/nonexistent/project",
  state: "/nonexistent/state/debrief",
};

const FILLED: Readonly<Record<string, string>> = {
  jsonc: '{\n  // mine\n  "unknown": [1, 2], "other": { "x": null },\n}\n',
  toml: "# mine\nunknown = [1, 2] # odd\n\n[other]\nx = 1\n",
};

/** Files in memory. */
class Files {
  readonly texts = new Map<string, string>();
  entry: LedgerEntry | null = null;

  readonly read = (path: string) => this.texts.get(path) ?? null;

  apply({ files, entry }: InstallPlan): void {
    for (const { path, now, text } of files) {
      assertEquals(this.read(path), now);
      if (text === null) this.texts.delete(path);
      else this.texts.set(path, text);
    }
    // What is kept has to survive being written down.
    this.entry = entry === null ? null : JSON.parse(JSON.stringify(entry));
  }

  install(wish: Wish): InstallPlan {
    const plan = planInstall({ ...wish, ...agentChanges(wish) }, {
      previous: this.entry,
      read: this.read,
    });
    this.apply(plan);
    return plan;
  }

  undo(): void {
    if (this.entry !== null) this.apply(planUndo(this.entry, this.read));
  }

  get state(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.texts);
  }
}

function fill(files: Files, wish: Wish): void {
  for (const { path, format } of agentChanges(wish).files) files.texts.set(path, FILLED[format]!);
}

for (const agent of AGENTS) {
  for (const mode of MODES) {
    Deno.test(`planUndo gives every byte back after planInstall: ${agent}, ${mode}`, () => {
      for (const scope of SCOPES) {
        for (const filled of [false, true]) {
          const wish = { ...WISH, agent, mode, scope };
          const files = new Files();
          if (filled) fill(files, wish);
          const before = files.state;
          files.install(wish);
          const installed = files.state;
          assertEquals(Object.values(installed).join("").includes("debrief"), true);
          const again = files.install(wish);
          assertEquals(again.files.filter(({ now, text }) => now !== text), []);
          assertEquals(files.state, installed);
          files.undo();
          assertEquals(files.state, before);
        }
      }
    });

    Deno.test(`planUndo keeps what others changed besides: ${agent}, ${mode}`, () => {
      const wish = { ...WISH, agent, mode };
      const files = new Files();
      fill(files, wish);
      const before = files.state;
      files.install(wish);
      const changed = (text: string) => text.replace("[1, 2]", "[1, 2, 3]");
      for (const [path, text] of files.texts) files.texts.set(path, changed(text));
      files.undo();
      const content = (state: Readonly<Record<string, string>>) =>
        Object.fromEntries(
          Object.entries(state).map(([path, text]) => [path, text.replace(/[\s,]/g, "")]),
        );
      const wanted = Object.entries(before).map(([path, text]) => [path, changed(text)]);
      assertEquals(content(files.state), content(Object.fromEntries(wanted)));
    });
  }

  Deno.test(`planInstall replaces one mode of ${agent} by the other, undone in one step`, () => {
    const files = new Files();
    for (const mode of MODES) fill(files, { ...WISH, agent, mode });
    const before = files.state;
    const direct = new Files();
    for (const mode of MODES) fill(direct, { ...WISH, agent, mode });
    direct.install({ ...WISH, agent, mode: "strict" });
    files.install({ ...WISH, agent, mode: "transparent" });
    files.install({ ...WISH, agent, mode: "strict" });
    assertEquals(files.state, direct.state);
    files.undo();
    assertEquals(files.state, before);
  });
}

Deno.test("planUndo refuses, naming file and key, where the user changed just that", () => {
  for (
    const { mode, from, to, want } of [
      { mode: "transparent", from: "/opt/it's/debrief", to: "/bin/zsh", want: '"shell"' },
      { mode: "strict", from: '"deny"', to: '"ask"', want: '"permission.bash"' },
      { mode: "strict", from: '"mcp"\n', to: '"mcp",\n"--x"\n', want: '"mcp.debrief"' },
    ] as const
  ) {
    const files = new Files();
    files.install({ ...WISH, mode });
    const path = "/nonexistent/home/.config/opencode/opencode.json";
    const text = files.read(path)!;
    assertEquals(text.includes(from), true);
    files.texts.set(path, text.replace(from, to));
    const error = assertThrows(() => files.undo(), Error, want);
    assertEquals(error.message.includes(path) && error.message.includes("changed since"), true);
  }
});

Deno.test("planUndo refuses where a file of the user is gone, and has nothing to do where one of its own is", () => {
  const files = new Files();
  fill(files, WISH);
  files.install(WISH);
  const { entry } = files;
  files.texts.clear();
  assertThrows(() => files.undo(), Error, "removed since");
  const made = new Files();
  made.install(WISH);
  made.texts.clear();
  made.undo();
  assertEquals([made.state, made.entry, entry === null], [{}, null, false]);
});

Deno.test("planInstall refuses a configuration that it cannot read or must not replace", () => {
  for (
    const { text, mode, want } of [
      { text: "{", mode: "transparent", want: "line 1" },
      { text: "[]", mode: "transparent", want: "no table" },
      { text: '{"permission":"ask"}', mode: "strict", want: '"permission" is no table' },
    ] as const
  ) {
    const files = new Files();
    files.texts.set("/nonexistent/home/.config/opencode/opencode.json", text);
    assertThrows(() => files.install({ ...WISH, mode }), Error, want);
  }
});

Deno.test("agentChanges looks where the environment says that the agent's configuration is", () => {
  const environment = {
    CLAUDE_CONFIG_DIR: "/c/claude",
    CODEX_HOME: "/c/codex",
    XDG_CONFIG_HOME: "/c/xdg",
    GEMINI_CLI_HOME: "/c/gemini",
  };
  const paths = AGENTS.flatMap((agent) =>
    agentChanges({ ...WISH, agent, mode: "strict", environment }).files.map(({ path }) => path)
  );
  assertEquals(paths, [
    "/c/claude/settings.json",
    "/c/claude/.claude.json",
    "/c/codex/config.toml",
    "/c/xdg/opencode/opencode.json",
    "/c/gemini/.gemini/settings.json",
  ]);
});
