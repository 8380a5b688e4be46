/** `debrief --version`. */
import { reasonOf } from "../errors.ts";
import { probeHost } from "../sandbox/host.ts";
import type { Host } from "../sandbox/host.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf, workspaceOf } from "./directories.ts";
import { policyOf } from "./load_policy.ts";
import { redactOwnText } from "./own_text.ts";

/** Written into the executable by tools/compile.ts. */
interface BuildInfo {
  readonly deno: string;
  readonly target: string;
  readonly denort: "official" | "npm";
  readonly denortSha256: string | null;
}

/** Version of Debrief; a test compares it with deno.json. */
export const VERSION = "0.1.0";

/** What `--version` says, as data. */
interface Versions {
  readonly debrief: string;
  readonly deno: string;
  readonly v8: string;
  readonly typescript: string;
  /** How the executable was built, null when Debrief runs from its source. */
  readonly build: BuildInfo | null;
  readonly host: Host;
  /** The policy in force here, or why none can be used: a version is told all the same. */
  readonly policy:
    | { readonly name: string; readonly files: readonly string[] }
    | { readonly problem: string };
}

function buildInfo(): BuildInfo | null {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL("./build_info.json", import.meta.url)));
  } catch {
    return null;
  }
}

function policyFacts(line: CommandLine): Versions["policy"] {
  try {
    const user = userPaths(Deno.env.toObject(), directoryOf(line, "journal"));
    const choice = line.values.get("policy") ?? null;
    const { name, files } = policyOf(line, { choice, workspace: workspaceOf(line, user) });
    return { name, files };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

function runtimeText(build: BuildInfo | null): string {
  if (build === null) return "from source";
  return build.denort === "npm"
    ? `base runtime from npm, sha256 ${build.denortSha256}`
    : "official base runtime";
}

function policyText(policy: Versions["policy"]): string {
  if ("problem" in policy) return `none can be used: ${policy.problem}`;
  const files = policy.files.length === 0 ? "built-in" : policy.files.join(", ");
  return `${policy.name} (${files})`;
}

/** One line each, or one object: Debrief, its runtime and where that came from, the kernel, the policy in force. */
export function versionText(line: CommandLine): string {
  const [build, host] = [buildInfo(), probeHost()];
  const policy = policyFacts(line);
  if (line.switches.has("json")) {
    const versions: Versions = { debrief: VERSION, ...Deno.version, build, host, policy };
    return redactOwnText(JSON.stringify(versions) + "\n");
  }
  const seccomp = host.seccomp ? "seccomp filters" : "no seccomp filters";
  return redactOwnText(
    [
      `debrief ${VERSION}`,
      `deno ${Deno.version.deno} (${runtimeText(build)})`,
      `linux ${host.kernel} ${host.architecture}, Landlock ABI ${host.landlockAbi}, ${seccomp}`,
      `policy ${policyText(policy)}`,
    ].join("\n") + "\n",
  );
}
