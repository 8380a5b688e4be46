/**
 * `deno task replay [NAME...]`: failures that scripted agents meet, with feedback and without; `--agent NAME` plays one
 * agent only, `--tuned` leaves out what is held aside.
 */
import { type AgentName } from "./agents.ts";
import { play, type Played } from "./play.ts";
import { heldAside, SCENARIOS } from "./scenarios.ts";

const AGENTS: readonly AgentName[] = ["follows", "ignores", "repeats", "without"];

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function row(agent: AgentName, played: readonly Played[]): string {
  const over = played.filter(({ recovered }) => recovered);
  const share = (100 * over.length / Math.max(1, played.length)).toFixed(0);
  const loops = played.reduce((sum, one) => sum + one.loops, 0);
  return `| ${agent} | ${over.length} of ${played.length} (${share} %) | ${
    median(over.map(({ steps }) => steps))
  } | ${loops} | ${median(played.map(({ tokens }) => tokens))} |`;
}

const flagged = Deno.args.indexOf("--agent");
const agents = flagged < 0 ? AGENTS : AGENTS.filter((name) => name === Deno.args[flagged + 1]);
const names = Deno.args.filter((word, at) =>
  !word.startsWith("--") && at !== flagged + 1 || (flagged < 0 && !word.startsWith("--"))
);
const tables: Record<"tuned" | "held", string[]> = { tuned: [], held: [] };
for (const agent of agents) {
  const all: Record<"tuned" | "held", Played[]> = { tuned: [], held: [] };
  for (const [index, scenario] of SCENARIOS.entries()) {
    const group = heldAside(index) ? "held" : "tuned";
    if (
      names.length > 0
        ? !names.includes(scenario.name)
        : group === "held" && Deno.args.includes("--tuned")
    ) continue;
    const played = await play(scenario, agent);
    all[group].push(played);
    print(
      `${played.recovered ? "ok " : "NO "} ${agent} ${group} ${scenario.name}: ${
        JSON.stringify(played.lines)
      }`,
    );
  }
  for (const group of ["tuned", "held"] as const) tables[group].push(row(agent, all[group]));
}
for (const group of ["tuned", "held"] as const) {
  print(
    `\n${group}\n| agent | recovered | steps | loops | tokens |\n| --- | --- | --- | --- | --- |`,
  );
  for (const line of tables[group]) print(line);
}
Deno.exit(0);
