/** `debrief policy check FILE`, `debrief policy show`, `debrief policy list`. */
import { UsageError } from "../errors.ts";
import { listBuiltins, renderPolicy } from "../policy/explain.ts";
import { loadPolicy } from "../policy/load.ts";
import type { Policy } from "../policy/policy.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf, workspaceOf } from "./directories.ts";
import { writeText } from "./terminal.ts";

/** The private directory does not exist yet when a policy is only looked at. */
const TMP_PLACEHOLDER = "/tmp/debrief-session/tmp";

function load(line: CommandLine, choice: string | null): Policy {
  const environment = Deno.env.toObject();
  const user = userPaths(environment, directoryOf(line, "journal"));
  const workspace = workspaceOf(line, user);
  return loadPolicy({
    choice,
    envChoice: environment.DEBRIEF_POLICY ?? null,
    configDir: user.config,
    variables: { WORKSPACE: workspace, HOME: user.home, TMP: TMP_PLACEHOLDER },
    trustPolicy: line.switches.has("trust-policy"),
  });
}

/** Words of each verb besides the verb itself. */
const WORDS: ReadonlyMap<string, number> = new Map([["check", 1], ["show", 0], ["list", 0]]);

/** Run the command. @throws {UsageError} when the policy cannot be used or the words are not understood. */
export function runPolicyCommand(line: CommandLine): number {
  const [verb = "", ...words] = line.operands;
  const most = WORDS.get(verb);
  if (most === undefined) {
    const what = verb === ""
      ? "Cannot choose a policy command: there is no word"
      : `Cannot use "${verb}" as a policy command`;
    throw new UsageError(`${what}: check, show and list are accepted`);
  }
  const surplus = words[most];
  if (surplus !== undefined) {
    throw new UsageError(`Cannot use "${surplus}": debrief policy ${verb} takes no more words`);
  }
  const json = line.switches.has("json");
  if (verb === "check") return check(line, { file: words[0], json });
  if (verb === "list") return list(json);
  writeText(1, renderPolicy(load(line, line.values.get("policy") ?? null), { json }));
  return 0;
}

function check(
  line: CommandLine,
  { file, json }: { readonly file: string | undefined; readonly json: boolean },
): number {
  if (file === undefined) throw new UsageError("Cannot check a policy: a file is needed");
  if (line.values.has("policy")) {
    throw new UsageError("Cannot use --policy: the file is what is checked");
  }
  const { files } = load(line, file.includes("/") ? file : `./${file}`);
  writeText(1, json ? JSON.stringify({ ok: true, files }) + "\n" : `${file}: ok\n`);
  return 0;
}

function list(json: boolean): number {
  const builtins = listBuiltins();
  const lines = builtins.map(({ name, description }) => `${name.padEnd(10)}${description}\n`);
  writeText(1, json ? JSON.stringify(builtins) + "\n" : lines.join(""));
  return 0;
}
