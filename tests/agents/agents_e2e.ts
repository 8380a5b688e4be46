/** Real agents, with a scripted model, run their commands through Debrief: what the model reads and what is kept. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { AgentMode } from "../../src/cli/agents/agent_names.ts";
import { alnum } from "../output/rules_samples.ts";
import { AgentPlace } from "./agent_place.ts";
import { chosenAgents } from "./agent_packages.ts";

const TOKEN = "gh" + "p_" + alnum(36);

/** Characters that a model may be shown of a command that prints a megabyte; every agent's own limit is above. */
const SHOWN = 60_000;

interface Step {
  readonly name: string;
  readonly command: string;
  /** Texts that the model has to read. */
  readonly shown: readonly string[];
  /** What the record says; null is no exit status. */
  readonly exit: number | null;
  readonly outcome?: string;
  /** False where nothing was started, and so nothing was confined. */
  readonly ran?: false;
}

const STEPS: readonly Step[] = [
  {
    name: "an allowed command",
    command: "echo first-$((40 + 2)) > made.txt && cat made.txt",
    shown: ["first-42"],
    exit: 0,
    outcome: "success",
  },
  {
    name: "a command that the policy denies",
    command: "echo before; git push origin main",
    shown: ["denied", "git push"],
    exit: null,
    outcome: "denied-policy",
    ran: false,
  },
  {
    name: "a command that the sandbox denies",
    command: 'echo x > "$HOME/outside.txt"',
    shown: ["denied", "outside.txt"],
    exit: 1,
    outcome: "denied-sandbox",
  },
  {
    name: "a failing command",
    command: "echo to-stderr >&2; exit 7",
    shown: ["to-stderr", "7"],
    exit: 7,
    outcome: "failed",
  },
  {
    name: "a command that takes its time",
    command: "for i in 1 2 3 4; do sleep 1; echo tick-$i; done",
    shown: ["tick-1", "tick-4"],
    exit: 0,
  },
  {
    name: "a command with a megabyte of output whose last line is the error",
    command: "seq 1 160000; echo the-actual-error; exit 9",
    shown: ["the-actual-error", "truncated", "9"],
    exit: 9,
  },
  {
    name: "a command that prints a secret",
    command: "cat secret.env; echo shown-besides",
    shown: ["[REDACTED:", "shown-besides"],
    exit: 0,
  },
  {
    name: "a command that leaves something running",
    command: "tail -f /dev/null & echo begun",
    shown: ["begun", "tail -f /dev/null"],
    exit: 0,
  },
  {
    name: "a command that asks",
    command: "read -r -p 'Your name? ' name; echo \"got:$name\"",
    shown: ["got:"],
    exit: 0,
  },
];

/** Outcome and proof of the records of the steps, in order. */
function kept(user: AgentPlace) {
  const text = (step: Step) => step.command.slice(0, 20);
  return STEPS.map((step) => {
    const found = user.records().filter(({ command }) => command.join(" ").includes(text(step)));
    assertEquals(found.length, 1, `${step.name}: ${JSON.stringify(user.records())}`);
    return found[0]!;
  });
}

/** Command lines of processes that hold a text. */
function running(text: string): readonly string[] {
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ");
      if (line.includes(text)) found.push(line);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** Servers end when their agent is gone, which is not at the same moment. */
async function untilNoneRuns(text: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 200 && running(text).length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return running(text);
}

async function followSteps(user: AgentPlace, mode: AgentMode, t: Deno.TestContext): Promise<void> {
  user.place.write("work/secret.env", `GITHUB_TOKEN=${TOKEN}\n`);
  user.place.write(
    "home/.config/debrief/policy.jsonc",
    '{ "extends": "default", "run": { "deny": ["git push"] } }',
  );
  await user.install(mode);
  const { results, requests } = await user.follow(STEPS.map(({ command }) => command), mode);
  const records = kept(user);
  for (const [index, { name, shown, exit, outcome, ran }] of STEPS.entries()) {
    await t.step(name, () => {
      const result = results[index]!;
      const record = records[index]!;
      for (const part of shown) assertStringIncludes(result, part);
      // The block, as text or as JSON, with the id under which the model can ask for more where there is more.
      assertMatch(result, new RegExp(`${record.command_id}|--- debrief \\d{9} \u2713 exit 0, `));
      assert(result.length < SHOWN, `${result.length} characters`);
      assertEquals(record.exit_code, exit);
      if (outcome !== undefined) assertEquals(record.outcome.kind, outcome);
      assertEquals(record.sandbox.proof !== null, ran !== false, JSON.stringify(record.sandbox));
    });
  }
  await t.step("no secret reaches the model, its agent's own files or the journal", () => {
    for (const { body } of requests) assertEquals(body.includes(TOKEN), false);
    assertEquals(JSON.stringify(user.records()).includes(TOKEN), false);
  });
}

for (const agent of chosenAgents()) {
  for (const mode of ["transparent", "strict"] as const) {
    Deno.test(`${agent}, ${mode}: commands run through Debrief, and the model reads blocks`, async (t) => {
      using user = await AgentPlace.open(agent);
      await followSteps(user, mode, t);
      await t.step("nothing is left running", async () => {
        assertEquals(await untilNoneRuns(user.executable), []);
      });
    });
  }

  Deno.test(`${agent}: without Debrief its commands leave no record, and after --undo again`, async () => {
    using user = await AgentPlace.open(agent);
    user.prepare("transparent");
    const command = "echo alone > made-alone.txt";
    // Some agents ask their shell questions of their own, which are recorded as well.
    const kept = () =>
      user.records().filter(({ command: [text = ""] }) => text.includes("made-alone"));
    await user.follow([command], "transparent");
    await user.install("transparent");
    await user.follow([command], "transparent");
    assertEquals(kept().length, 1);
    const { code } = await user.debrief("install", agent, "--undo", "--yes");
    assertEquals(code, 0);
    await user.follow([command], "transparent");
    assertEquals(kept().length, 1);
  });
}

if (chosenAgents().includes("claude")) {
  Deno.test("claude, transparent: a command begins in the directory that the one before went to", async () => {
    using user = await AgentPlace.open("claude");
    await user.install("transparent");
    const { results } = await user.follow(["mkdir -p inner && cd inner", "pwd"], "transparent");
    assertStringIncludes(results[1]!, user.place.at("work/inner"));
  });

  for (const mode of ["transparent", "strict"] as const) {
    Deno.test(`claude, ${mode}: its other tool for commands does not pass by Debrief`, async () => {
      using user = await AgentPlace.open("claude");
      user.place.write("home/.claude/settings.json", '{"permissions":{"allow":["Monitor"]}}');
      await user.install(mode);
      // What runs it says so itself: the tool does not wait for the command, and may end it before its record.
      const command = "grep NoNewPrivs /proc/self/status > draft.txt; mv draft.txt monitored.txt";
      const input = { command, description: "watch", timeout_ms: 60_000, persistent: false };
      const wait =
        "for i in $(seq 150); do [ -f monitored.txt ] && break; sleep 0.2; done; cat monitored.txt";
      const { results } = await user.follow([
        { name: "ToolSearch", input: { query: "select:Monitor", max_results: 5 } },
        { name: "Monitor", input },
        mode === "transparent" ? wait : "ls -a",
      ], mode);
      assertEquals(results[2]!.includes("NoNewPrivs:\t1"), mode === "transparent", results[2]);
      assertEquals(results[2]!.includes("monitored.txt"), false);
    });
  }
}
