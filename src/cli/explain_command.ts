/** `debrief policy explain 'COMMAND'`: what a command would come to, and with `--probe` the proof in a jail. */
import { reasonOf, UsageError } from "../errors.ts";
import {
  explain,
  type ExplainedProtection,
  type ExplainedRule,
  type Explanation,
  type Verdict,
} from "../session/explain.ts";
import { type Proven, provePlan } from "../session/prove.ts";
import { Session } from "../session/session.ts";
import type { CommandLine } from "./command_line.ts";
import { sessionOptions } from "./session_options.ts";
import { writeText } from "./terminal.ts";

function verdict({ allowed, rule, at, note }: Verdict, what: string): string {
  const why = note === null ? "" : `; ${note}`;
  return `  ${allowed ? "allowed" : "denied "}  ${what}  (${rule}, ${at}${why})`;
}

function decisionLine({ decision, mistake, runs }: Explanation): string {
  if (decision === "syntax-error") return `does not parse: ${mistake}`;
  if (decision === "denied") return "denied before it starts";
  return runs ? "runs" : "refused: this host cannot enforce the policy";
}

function ruleLines(rule: ExplainedRule): readonly string[] {
  const { permission, effect, written, pattern, at, enforced, reason } = rule;
  const words = written === pattern || written === "true" ? written : `${written} = ${pattern}`;
  const label = `  ${enforced.padEnd(11)}`;
  return [
    `${label} ${permission}.${effect} ${words}  ${at}`,
    ...(reason === null ? [] : [`${" ".repeat(label.length + 1)}${reason}`]),
  ];
}

function protectionLine(entry: ExplainedProtection): string {
  const { effect, written, pattern, at, enforced } = entry;
  const words = written === pattern ? written : `${written} = ${pattern}`;
  return `  ${(enforced ?? "lifted").padEnd(11)} ${
    effect === "protect" ? "protect" : "protect.except"
  } ${words}  ${at}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function text(one: Explanation, proofs: readonly Proven[] | null): string {
  const { grants, limits } = one;
  const seconds = (ms: number) => ms === 0 ? "none" : `${ms / 1000} s`;
  return [
    `command      ${one.command.replaceAll("\n", "\n             ")}`,
    `decision     ${decisionLine(one)}`,
    ...one.refusals.map((reason) => `refused      ${reason}`),
    `policy       ${one.policy.name}, enforcement ${one.enforcement}`,
    `backend      ${one.backend.kind} (${one.backend.reason})${
      one.backend.kind === "kernel" ? `, Landlock ABI ${one.landlockAbi}` : ""
    }`,
    `grants       ${grants.read} to read, ${grants.write} to write, ${grants.list} to list only`,
    `writable     ${one.writable.join(", ") || "nothing"}`,
    `executable   ${one.executable?.join(", ") ?? "what can be read"}`,
    ...(one.covered.length === 0 ? [] : [`covered      ${one.covered.join(", ")}`]),
    `net          ${one.net}`,
    `env          ${one.env.join(" ")}`,
    `limits       timeout ${seconds(limits.timeoutMs)}, grace ${seconds(limits.graceMs)}`,
    `kept by      ${Object.entries(one.keepers).map((entry) => entry.join(" ")).join(", ")}`,
    ...section(
      "programs",
      one.programs.map((program) => {
        const via = program.via.length === 0 ? "" : ` (started by ${program.via.join(", ")})`;
        return verdict(program, program.text + via);
      }),
    ),
    ...section(
      "redirections",
      one.redirections.map((found) => verdict(found, `${found.permission} ${found.path}`)),
    ),
    // What the rules of env come to stands above, by name.
    ...section(
      "rules",
      one.rules.filter(({ permission }) => permission !== "env").flatMap(ruleLines),
    ),
    ...section(
      "besides the rules",
      [
        ...one.guards.map(({ name, enforced, reason }) =>
          `  ${enforced.padEnd(11)} ${name}${reason === null ? "" : `: ${reason}`}`
        ),
        ...one.protect.map(protectionLine),
      ],
    ),
    ...(proofs === null ? [] : section(
      "proof",
      proofs.map(({ about, result, reason }) =>
        `  ${result.padEnd(20)} ${about}${reason === null ? "" : `: ${reason}`}`
      ),
    )),
  ].join("\n") + "\n";
}

async function proofsOf(session: Session): Promise<readonly Proven[]> {
  try {
    return await provePlan(session.context);
  } catch (error) {
    const reason = reasonOf(error);
    return [{ about: "the jail starts and is proven", result: "FAILED", reason }];
  }
}

/**
 * Run the command; status 1 when a run would not start the command, or a probe fails.
 *
 * @throws {UsageError} as `Session.open` does, and without a command.
 */
export async function runExplainCommand(
  line: CommandLine,
  source: string | undefined,
): Promise<number> {
  if (source === undefined) throw new UsageError("Cannot explain nothing: a command is needed");
  const session = Session.open(sessionOptions(line));
  try {
    const explanation = explain(session.context, source);
    // A plan that may not run is not tried: its jail would prove another one.
    const provable = line.switches.has("probe") && explanation.refusals.length === 0;
    const proofs = provable ? await proofsOf(session) : null;
    const json = JSON.stringify(proofs === null ? explanation : { ...explanation, proofs });
    const shown = line.switches.has("json") ? json + "\n" : text(explanation, proofs);
    writeText(1, session.context.redactor.redactText(shown));
    const failed = proofs?.some(({ result }) => result === "FAILED") ?? false;
    return explanation.runs && !failed ? 0 : 1;
  } finally {
    await session.close();
  }
}
