/** `debrief --version`. */
import { probeHost } from "../sandbox/host.ts";

/** Written into the executable by tools/compile.ts. */
interface BuildInfo {
  readonly deno: string;
  readonly target: string;
  readonly denort: "official" | "npm";
  readonly denortSha256: string | null;
}

/** Version of Debrief; a test compares it with deno.json. */
export const VERSION = "0.1.0";

function buildInfo(): BuildInfo | null {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL("./build_info.json", import.meta.url)));
  } catch {
    return null;
  }
}

/** One line each: Debrief, its runtime and where that came from, the kernel. */
export function versionText(): string {
  const build = buildInfo();
  const host = probeHost();
  const origin = build === null
    ? "from source"
    : build.denort === "npm"
    ? `base runtime from npm, sha256 ${build.denortSha256}`
    : "official base runtime";
  return [
    `debrief ${VERSION}`,
    `deno ${Deno.version.deno} (${origin})`,
    `linux ${host.kernel} ${host.architecture}, Landlock ABI ${host.landlockAbi}`,
  ].join("\n") + "\n";
}
