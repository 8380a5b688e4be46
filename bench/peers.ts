/**
 * Other sandboxes for agents' commands, installed from the npm registry into a cache of their own. Each does less than
 * Debrief besides the sandbox (no record, no block), and something else within it: the rows compare what a user waits for.
 */
import type { Contender } from "./compare.ts";
import { firstThere, type Place, program, runProgram } from "./programs.ts";

const PACKAGES = ["@openai/codex@0.169.0", "@anthropic-ai/sandbox-runtime@0.0.83"];

/** Peers with their command lines; what runs is `true`. */
const PEERS = [
  { name: "codex sandbox -- true", words: ["codex", "sandbox", "--", "true"] },
  { name: "srt -c true", words: ["srt", "-c", "true"] },
];

/** What was found. */
export interface Peers {
  readonly contenders: readonly Contender[];
  /** Peers that do not work here, with the reason. */
  readonly missing: readonly string[];
}

/** Install packages from the npm registry; returns where their programs are. @throws {Error} when that fails. */
export function installPeers(packages: readonly string[]): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? ""}/.cache`;
  const directory = `${cache}/debrief-bench-peers`;
  Deno.mkdirSync(directory, { recursive: true });
  const args = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", directory];
  const { success, stderr } = new Deno.Command("npm", { args: [...args, ...packages] })
    .outputSync();
  if (success) return `${directory}/node_modules/.bin`;
  throw new Error(`Cannot install the peers: ${new TextDecoder().decode(stderr)}`);
}

/** Bubblewrap, if it is installed, and with `fetch` the peers from npm that work on this machine. */
export async function findPeers(
  place: Place,
  options: { readonly fetch: boolean },
): Promise<Peers> {
  const contenders: Contender[] = [];
  const missing: string[] = [];
  const bwrap = firstThere("/usr/bin/bwrap", "/usr/local/bin/bwrap");
  const wrapped = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-all",
    "true",
  ];
  const found = [
    ...(bwrap === null ? [] : [{ name: "bwrap … true", words: [bwrap, ...wrapped] }]),
    ...(options.fetch ? PEERS : []),
  ];
  const bin = options.fetch ? installPeers(PACKAGES) : "";
  for (const { name, words } of found) {
    const [first = "", ...rest] = words;
    const argv = [first.startsWith("/") ? first : `${bin}/${first}`, ...rest];
    try {
      await runProgram(argv, place);
      contenders.push(program(name, argv, place));
    } catch (error) {
      missing.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (bwrap === null) missing.push("bwrap is not installed");
  return { contenders, missing };
}
