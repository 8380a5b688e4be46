/** `debrief doctor --agent` tells a configuration that works from one that only looks like it: agents fail open. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { AgentName } from "../../src/cli/agents/agent_names.ts";
import type { Examination } from "../../src/cli/agents/examine_agent.ts";
import { AgentPlace } from "./agent_place.ts";
import { chosenAgents } from "./agent_packages.ts";

async function examined(user: AgentPlace): Promise<Examination & { readonly code: number }> {
  const { code, stdout, stderr } = await user.debrief("doctor", "--agent", user.agent, "--json");
  assertEquals(stderr, "");
  return { code, ...JSON.parse(stdout) };
}

function failures({ findings }: Examination): string {
  return findings.filter(({ kind }) => kind === "failed").map(({ text }) => text).join("\n");
}

/** Replace a part of a file that has to be there. */
function replaceIn(user: AgentPlace, name: string, parts: readonly [RegExp, string]): void {
  const text = Deno.readTextFileSync(user.place.at(name));
  const changed = text.replace(...parts);
  assert(changed !== text, text);
  Deno.writeTextFileSync(user.place.at(name), changed);
}

/** What lets commands pass without Debrief, although its configuration still looks right at first sight. */
const OPENED: Readonly<Record<AgentName, (user: AgentPlace) => void>> = {
  claude: (user) => Deno.removeSync(user.place.at("home/.local/state/debrief/agents/bash")),
  codex: (user) => replaceIn(user, "home/.codex/config.toml", [/sha256:..../, "sha256:0000"]),
  opencode: (user) =>
    user.place.write("work/opencode.json", JSON.stringify({ shell: "/bin/bash" })),
  gemini: (user) =>
    replaceIn(user, "home/.gemini/settings.json", [
      /^\{/,
      '{ "hooksConfig": { "enabled": false },',
    ]),
};

for (const agent of chosenAgents()) {
  for (const mode of ["transparent", "strict"] as const) {
    Deno.test(`debrief doctor --agent ${agent} proves the ${mode} mode by a command of the agent itself`, async () => {
      using user = await AgentPlace.open(agent);
      await user.install(mode);
      const { code, isProven, findings, mode: found } = await examined(user);
      assertEquals(
        { code, isProven, found },
        { code: 0, isProven: true, found: mode },
        JSON.stringify(findings),
      );
      const [record] = user.records().filter(({ command }) => command.join(" ").includes("canary"));
      assert(
        findings.some(({ kind, text }) => kind === "proven" && text.includes(record!.command_id)),
      );
    });
  }

  Deno.test(`debrief doctor --agent ${agent} says that commands run without Debrief where they do`, async () => {
    using user = await AgentPlace.open(agent);
    await user.install("transparent");
    OPENED[agent](user);
    const examination = await examined(user);
    assertEquals([examination.code, examination.isProven], [1, false]);
    assertStringIncludes(failures(examination), "RAN WITHOUT DEBRIEF");
    assertEquals(user.records(), []);
  });

  Deno.test(`debrief doctor --agent ${agent} proves nothing where the agent is not there`, async () => {
    using user = await AgentPlace.open(agent);
    await user.install("strict");
    const { code, stdout } = await user.run(user.executable, ["doctor", "--agent", agent], {
      PATH: "/usr/bin:/bin",
    });
    assertEquals(code, 1);
    assertStringIncludes(stdout, "is not on PATH");
    assertStringIncludes(stdout, "run as the agent would: the command ran in the jail");
  });
}

for (const agent of chosenAgents().filter((name) => name === "codex" || name === "gemini")) {
  Deno.test(`${agent} runs no command when the executable of its hook is gone, or is no program`, async () => {
    for (const replacement of [null, "#!/bin/sh\nkill -9 $$\n", "#!/bin/sh\nexit 1\n"]) {
      using user = await AgentPlace.open(agent);
      await user.install("transparent");
      await user.follow(["echo through > control.txt"], "transparent");
      assertEquals(Deno.readTextFileSync(user.place.at("work/control.txt")), "through\n");
      Deno.removeSync(user.executable);
      if (replacement !== null) user.place.write("bin/debrief", replacement, 0o755);
      await user.follow(["echo past > past.txt"], "transparent");
      assertEquals(
        [...Deno.readDirSync(user.place.at("work"))].some(({ name }) => name === "past.txt"),
        false,
      );
    }
  });
}
