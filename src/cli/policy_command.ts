/** `debrief policy check FILE`, `debrief policy show`, `debrief policy list`, `debrief policy explain 'COMMAND'`. */
import { UsageError } from "../errors.ts";
import { listBuiltins, renderPolicy } from "../policy/explain.ts";
import type { Policy } from "../policy/policy.ts";
import { findBubblewrap } from "../sandbox/find_bubblewrap.ts";
import { planJail, refusals } from "../sandbox/plan.ts";
import { checkProviders } from "../session/policy_providers.ts";
import { hostOf } from "../session/session.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf, workspaceOf } from "./directories.ts";
import { policyOf } from "./load_policy.ts";
import { runExplainCommand } from "./explain_command.ts";
import { writeText } from "./terminal.ts";

function load(line: CommandLine, choice: string | null): Policy {
  const user = userPaths(Deno.env.toObject(), directoryOf(line, "journal"));
  return policyOf(line, { choice, workspace: workspaceOf(line, user) });
}

/** Words of each verb besides the verb itself. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ["check", 1],
  ["show", 0],
  ["list", 0],
  ["explain", 1],
]);

/** Run the command. @throws {UsageError} when the policy cannot be used or the words are not understood. */
export async function runPolicyCommand(line: CommandLine): Promise<number> {
  const [verb = "", ...words] = line.operands;
  const most = WORDS.get(verb);
  if (most === undefined) {
    const what = verb === ""
      ? "Cannot choose a policy command: there is no word"
      : `Cannot use "${verb}" as a policy command`;
    throw new UsageError(`${what}: check, show, list and explain are accepted`);
  }
  const surplus = words[most];
  if (surplus !== undefined) {
    throw new UsageError(`Cannot use "${surplus}": debrief policy ${verb} takes no more words`);
  }
  const json = line.switches.has("json");
  if (line.switches.has("probe") && verb !== "explain") {
    throw new UsageError(`Cannot use --probe: debrief policy ${verb} proves nothing`);
  }
  if (verb === "explain") return await runExplainCommand(line, words[0]);
  if (verb === "check") return await check(line, { file: words[0], json });
  if (verb === "list") return list(json);
  writeText(1, renderPolicy(load(line, line.values.get("policy") ?? null), { json }));
  return 0;
}

async function check(
  line: CommandLine,
  { file, json }: { readonly file: string | undefined; readonly json: boolean },
): Promise<number> {
  if (file === undefined) throw new UsageError("Cannot check a policy: a file is needed");
  if (line.values.has("policy")) {
    throw new UsageError("Cannot use --policy: the file is what is checked");
  }
  const policy = load(line, file.includes("/") ? file : `./${file}`);
  const host = hostOf(Deno.env.toObject());
  const look = () => findBubblewrap(policy);
  const plan = planJail(policy, { host, hidden: [], readable: [], findBubblewrap: look });
  const refused = refusals(plan);
  const ok = refused.length === 0;
  const state = ok ? "ok" : "valid, and every run on this host is refused";
  const providers = (await checkProviders(policy)).map(({ name, graph }) => ({
    name,
    modules: graph.modules.map(({ path }) => path),
    sha256: graph.sha256,
  }));
  const text = [
    `${file}: ${state}`,
    ...refused.map((reason) => `  ${reason}`),
    ...providers.map(({ name, modules, sha256 }) =>
      `  provider ${name}: ${modules.join(", ")} (SHA-256 ${sha256})`
    ),
  ];
  const { files } = policy;
  const report = { ok, files, refusals: refused, providers };
  writeText(1, json ? JSON.stringify(report) + "\n" : text.map((one) => `${one}\n`).join(""));
  return ok ? 0 : 1;
}

function list(json: boolean): number {
  const builtins = listBuiltins();
  const lines = builtins.map(({ name, description }) => `${name.padEnd(10)}${description}\n`);
  writeText(1, json ? JSON.stringify(builtins) + "\n" : lines.join(""));
  return 0;
}
