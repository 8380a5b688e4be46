/**
 * Whether an agent's commands really run through Debrief. Several agents run a command as it is when their configuration is
 * not quite right, so what a file says is no proof: a canary is run and has to be found in the journal.
 */
import { reasonOf } from "../../errors.ts";
import { dirname } from "node:path/posix";
import { shortText } from "../../record/visible_text.ts";
import { hookCommand, type Wish } from "./agent_changes.ts";
import type { AgentMode } from "./agent_names.ts";
import { canaryRecord, newCanary } from "./canary.ts";
import { codexHooks } from "./codex_trust.ts";
import { driveCanary } from "./drive_canary.ts";
import { findConfigurations } from "./find_configuration.ts";
import { ledgerPath } from "./install_ledger.ts";
import { agentProgram } from "./plan_for.ts";
import { replayCanary } from "./replay_canary.ts";

/** One thing that was found; `inspected` is read from a file, and a file proves nothing. */
export interface Finding {
  readonly kind: "proven" | "inspected" | "failed";
  readonly text: string;
}

/** All that was found. */
export interface Examination {
  readonly agent: string;
  readonly mode: AgentMode | null;
  /** True when the agent itself ran a canary through Debrief and nothing failed. */
  readonly isProven: boolean;
  readonly findings: readonly Finding[];
}

/** Characters of an agent's words that are quoted. */
const QUOTED = 600;

const proven = (text: string): Finding => ({ kind: "proven", text });
const inspected = (text: string): Finding => ({ kind: "inspected", text });
const failed = (text: string): Finding => ({ kind: "failed", text });

async function trustOf(wish: Wish, codex: string): Promise<Finding> {
  const { environment, project: cwd } = wish;
  const hooks = await codexHooks({ codex, environment, cwd });
  const hook = hooks.find(({ command }) => command === hookCommand(wish));
  if (hook === undefined) return failed("Codex does not see the hook");
  const runs = hook.enabled && (hook.trustStatus === "trusted" || hook.trustStatus === "managed");
  return runs
    ? inspected(`Codex says that it trusts the hook in ${hook.sourcePath}`)
    : failed("Codex skips the hook, because it is not trusted: start codex and type /hooks");
}

/** What the journal says of a canary; `result` is what came back on the way to the model. */
function verdict(
  way: string,
  { canary, state, result }: {
    readonly canary: ReturnType<typeof newCanary>;
    readonly state: string;
    readonly result: string | null;
  },
): Finding {
  const record = canaryRecord(canary, state);
  const ran = result?.includes(canary.word) ?? false;
  if (record === null) {
    return failed(
      ran
        ? `${way}: the command RAN WITHOUT DEBRIEF: there is no record of it in ${state}`
        : `${way}: the command did not run: ${shortText(result ?? "no answer", QUOTED)}`,
    );
  }
  if (!record.isProven) return failed(`${way}: record ${record.id} has no proof of a jail`);
  if (!ran) return failed(`${way}: record ${record.id} is there, but its output did not come back`);
  return proven(`${way}: the command ran in the jail (record ${record.id})`);
}

async function driven(wish: Wish, program: string): Promise<readonly Finding[]> {
  const { agent, mode, environment, project: cwd, state } = wish;
  const canary = newCanary();
  const scratch = dirname(ledgerPath(state, wish));
  Deno.mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const { result, offersShell, said } = await driveCanary(
    { agent, mode, program, environment, cwd, scratch },
    canary,
  );
  const way = `${program}, asked by a scripted model`;
  if (result === null) {
    return [failed(`${way}: it did not get to a command: ${shortText(said, QUOTED)}`)];
  }
  const found = [verdict(way, { canary, state, result })];
  if (mode === "strict") {
    found.push(
      offersShell
        ? failed("the agent still offers its own shell tool to the model")
        : proven("the agent offers no shell tool of its own to the model"),
    );
  }
  return found;
}

async function replayed(wish: Wish): Promise<readonly Finding[]> {
  const canary = newCanary();
  const { stdout, stderr } = await replayCanary(wish, canary);
  const way = "what the configuration says, run as the agent would";
  const result = `${stdout}${stderr}`;
  return [verdict(way, { canary, state: wish.state, result })];
}

async function found(wish: Wish, program: string | null): Promise<readonly Finding[]> {
  try {
    const trust = wish.agent === "codex" && wish.mode === "transparent" && program !== null
      ? [await trustOf(wish, program)]
      : [];
    return [...trust, ...program === null ? await replayed(wish) : await driven(wish, program)];
  } catch (error) {
    return [failed(reasonOf(error))];
  }
}

/** Examine an agent in the current project. */
export async function examineAgent(wish: Wish): Promise<Examination> {
  const { agent } = wish;
  const program = agentProgram(agent, wish);
  const ways = findConfigurations(wish);
  const [way] = ways;
  // Somebody may have configured it in another way: the canary tells.
  const mode = way?.mode ?? "transparent";
  const scope = way?.scope ?? "user";
  const findings = [
    ...ways.map((one) =>
      inspected(`configured ${one.mode}, ${one.scope}: ${one.paths.join(", ")}`)
    ),
    ...way === undefined
      ? [inspected(`nothing of debrief install ${agent} for ${wish.executable} is there`)]
      : [],
    ...program === null
      ? [
        failed(
          `${agent} is not on PATH, in which nothing of the project counts: what it does itself cannot be proven`,
        ),
      ]
      : [],
    ...way === undefined && program === null ? [] : await found({ ...wish, mode, scope }, program),
  ];
  const isProven = findings.some(({ kind }) => kind === "proven") &&
    !findings.some(({ kind }) => kind === "failed");
  return { agent, mode: way?.mode ?? null, isProven, findings };
}
