/** `debrief policy check FILE`, `debrief policy show`, `debrief policy list`. */
import { UsageError } from "../errors.ts";
import { listBuiltins, renderPolicy } from "../policy/explain.ts";
import { loadPolicy } from "../policy/load.ts";
import type { Policy } from "../policy/policy.ts";
import { findWorkspace } from "../sandbox/workspace.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf } from "./directories.ts";
import { writeText } from "./terminal.ts";

/** The private directory does not exist yet when a policy is only looked at. */
const TMP_PLACEHOLDER = "/tmp/debrief-session/tmp";

function load(line: CommandLine, choice: string | null): Policy {
  const environment = Deno.env.toObject();
  const user = userPaths(environment, directoryOf(line, "journal"));
  const workspace = directoryOf(line, "workspace") ??
    findWorkspace({ cwd: Deno.cwd(), home: user.home, state: user.state });
  return loadPolicy({
    choice,
    envChoice: environment.DEBRIEF_POLICY ?? null,
    configDir: user.config,
    variables: { WORKSPACE: workspace, HOME: user.home, TMP: TMP_PLACEHOLDER },
    trustPolicy: line.switches.has("trust-policy"),
  });
}

/** Run the command. @throws {UsageError} when the policy cannot be used or the words are not understood. */
export function runPolicyCommand(line: CommandLine): number {
  const [verb, file, ...rest] = line.operands;
  const json = line.switches.has("json");
  const surplus = verb === "check" ? rest[0] : file;
  if (surplus !== undefined) {
    throw new UsageError(`Cannot use "${surplus}": debrief policy ${verb} takes no more words`);
  }
  switch (verb) {
    case "check": {
      if (file === undefined) throw new UsageError("Cannot check a policy: a file is needed");
      const path = file.includes("/") ? file : `./${file}`;
      const policy = load(line, path);
      writeText(
        1,
        json ? JSON.stringify({ ok: true, files: policy.files }) + "\n" : `${file}: ok\n`,
      );
      return 0;
    }
    case "show":
      writeText(1, renderPolicy(load(line, line.values.get("policy") ?? null), { json }));
      return 0;
    case "list": {
      const builtins = listBuiltins();
      const text = builtins.map(({ name, description }) => `${name.padEnd(10)}${description}\n`)
        .join("");
      writeText(1, json ? JSON.stringify(builtins) + "\n" : text);
      return 0;
    }
    default:
      throw new UsageError(
        verb === undefined
          ? "Cannot run debrief policy alone: check, show and list are accepted"
          : `Cannot use "${verb}" as a policy command: check, show and list are accepted`,
      );
  }
}
