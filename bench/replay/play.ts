/** Plays one scenario with one agent in a real session: jail, records, feedback. */
import { renderText } from "../../src/feedback/render.ts";
import { estimateTokens } from "../../src/output/token_estimate.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { Session } from "../../src/session/session.ts";
import { type AgentName, nextOf, type Seen } from "./agents.ts";
import type { Scenario } from "./scenario.ts";

/** What came of it. */
export interface Played {
  readonly recovered: boolean;
  /** Commands after the one that failed. */
  readonly steps: number;
  /** Commands that had been run before and ended the same way. */
  readonly loops: number;
  /** Tokens that the agent read. */
  readonly tokens: number;
  readonly lines: readonly string[];
}

/** Commands that an agent may spend on getting over a failure. */
const MAX_STEPS = 6;
/** Characters of raw output that an agent without Debrief reads: its end, as harnesses cut it. */
const MAX_RAW = 8_000;

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

interface Ran extends Seen {
  readonly tokens: number;
  readonly end: string;
}

class Place {
  readonly root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-replay-" }));
  readonly project = `${this.root}/project`;

  constructor({ files = {}, setup = "true", policy }: Scenario) {
    Deno.mkdirSync(`${this.project}/.git`, { recursive: true });
    if (/git init/.test(setup)) Deno.removeSync(`${this.project}/.git`);
    for (const [path, text] of Object.entries(files)) {
      const whole = `${this.project}/${path}`;
      Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(whole, text);
    }
    Deno.writeTextFileSync(
      `${this.root}/policy.jsonc`,
      JSON.stringify({ extends: "default", ...policy }),
    );
    if (!this.check(setup)) throw new Error(`Cannot set up "${setup}"`);
  }

  get environment() {
    return {
      HOME: this.root,
      XDG_STATE_HOME: `${this.root}/state`,
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LANG: "C.UTF-8",
    };
  }

  check(script: string): boolean {
    const { success } = new Deno.Command("bash", {
      args: ["--norc", "-c", script],
      cwd: this.project,
      env: this.environment,
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).outputSync();
    return success;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** Play. Everything that it made is gone afterwards. */
export async function play(scenario: Scenario, agent: AgentName): Promise<Played> {
  using place = new Place(scenario);
  const stdin = open("/dev/null", OPEN.RDONLY);
  const session = Session.open({
    environment: place.environment,
    cwd: place.project,
    policy: `${place.root}/policy.jsonc`,
    workspace: place.project,
    timeoutMs: scenario.timeoutMs ?? 20_000,
    aims: { goal: scenario.goal ?? null },
    keepsState: true,
  });
  const execute = (line: string, timeoutMs?: number) =>
    /^debrief (?:output|policy|show)\b/.test(line)
      ? ownCommand(line, place)
      : run(session, { line, stdin, ...timeoutMs === undefined ? {} : { timeoutMs } });
  try {
    for (const line of scenario.prelude ?? []) await execute(line);
    const seen: Ran[] = [await execute(scenario.command)];
    const done = (last: Ran) =>
      "check" in scenario.done
        ? place.check(scenario.done.check)
        : last.succeeded && scenario.done.prints.test(last.output);
    for (;;) {
      const last = seen.at(-1)!;
      if (seen.length > 1 && done(last)) return report(agent, seen, true);
      const next = seen.length > MAX_STEPS ? null : nextOf(agent, seen);
      if (next === null) return report(agent, seen, false);
      seen.push(await execute(next.line, next.timeoutMs));
    }
  } finally {
    await session.close();
    close(stdin);
  }
}

function report(agent: AgentName, seen: readonly Ran[], recovered: boolean): Played {
  const ends = seen.map(({ line, end }) => `${line}\0${end}`);
  return {
    recovered,
    steps: seen.length - 1,
    loops: ends.filter((end, at) => ends.indexOf(end) < at).length,
    tokens: seen.reduce(
      (sum, { tokens, output }) =>
        sum + (agent === "without" ? estimateTokens(output.slice(-MAX_RAW)) : tokens),
      0,
    ),
    lines: seen.map(({ line }) => line),
  };
}

async function run(
  session: Session,
  { line, ...rest }: { line: string; stdin: number; timeoutMs?: number },
): Promise<Ran> {
  let output = "";
  let finished: Extract<SessionEvent, { kind: "finished" }> | null = null;
  await session.run({ text: { kind: "script", source: line }, ...rest }, (event) => {
    if (event.kind === "output") output += event.text;
    if (event.kind === "finished") finished = event;
  });
  const { block, record } = finished!;
  return {
    line,
    succeeded: record.exit_code === 0,
    output,
    suggestions: block.next?.suggestions.map(({ text }) => text) ?? [],
    feedback: block.feedback,
    tokens: estimateTokens(output + renderText(block, { nonce: "7f3a9c1e", color: false })),
    end: `${record.exit_code} ${record.outcome.kind} ${record.stdout_tail}${record.stderr_tail}`,
  };
}

/** Debrief's own commands, as an agent's harness would run them. */
async function ownCommand(line: string, place: Place): Promise<Ran> {
  const { code, stdout } = await new Deno.Command("bash", {
    args: [
      "-c",
      `debrief() { "${Deno.execPath()}" run --quiet --no-prompt -A "${MAIN}" "$@"; }; ${line}`,
    ],
    cwd: place.project,
    env: {
      ...Deno.env.toObject(),
      ...place.environment,
      DEBRIEF_POLICY: `${place.root}/policy.jsonc`,
      DENO_DIR: denoDirectory(),
    },
    stdin: "null",
    stderr: "null",
  }).output();
  const output = new TextDecoder().decode(stdout);
  return {
    line,
    succeeded: code === 0,
    output,
    suggestions: [],
    feedback: [],
    tokens: estimateTokens(output),
    end: `${code} ${output}`,
  };
}

/** Where this process has its modules: another home would mean fetching them again. */
function denoDirectory(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}
