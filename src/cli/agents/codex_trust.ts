/**
 * Codex runs a hook only if its configuration holds the hash of just this hook, and skips it without a word otherwise. The
 * hash is Codex's own matter, so Codex is asked for it, with a configuration that has the hook and nothing else.
 */
import { join } from "node:path/posix";
import { TextLineStream } from "@std/streams/text-line-stream";
import * as v from "valibot";
import { startAgent } from "./agent_process.ts";
import type { Change } from "./config_change.ts";

/** Seconds in which Codex has to answer; it takes less than one. */
const ANSWER_SECONDS = 20;

const HooksSchema = v.object({
  id: v.literal(2),
  result: v.object({
    data: v.array(v.object({
      hooks: v.array(v.object({
        key: v.string(),
        command: v.nullish(v.string()),
        sourcePath: v.string(),
        currentHash: v.string(),
        trustStatus: v.string(),
        enabled: v.boolean(),
      })),
    })),
  }),
});

/** A hook as Codex sees it. */
export type CodexHook = v.InferOutput<
  typeof HooksSchema
>["result"]["data"][number]["hooks"][number];

/** Which Codex is asked, and about what. */
export interface CodexQuestion {
  /** The program, absolute. */
  readonly codex: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory whose project counts. */
  readonly cwd: string;
}

const REQUESTS = (cwd: string) =>
  [
    {
      id: 1,
      method: "initialize",
      params: { clientInfo: { name: "debrief", title: null, version: "1" } },
    },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
  ].map((request) => JSON.stringify(request) + "\n").join("");

/** All hooks that Codex would run or skip. @throws {Error} when it does not say. */
export async function codexHooks(question: CodexQuestion): Promise<readonly CodexHook[]> {
  const { codex, environment, cwd } = question;
  await using agent = startAgent({
    program: codex,
    args: ["app-server"],
    cwd,
    environment,
    seconds: ANSWER_SECONDS,
  });
  const { stdin, stdout, stderr } = agent.child;
  stderr.pipeTo(new WritableStream()).catch(() => {});
  const writer = stdin.getWriter();
  await writer.write(new TextEncoder().encode(REQUESTS(cwd))).catch(() => {});
  try {
    const lines = stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
    for await (const line of lines) {
      const answer = v.safeParse(HooksSchema, JSON.parse(line));
      if (answer.success) return answer.output.result.data.flatMap(({ hooks }) => hooks);
    }
  } finally {
    await writer.close().catch(() => {});
  }
  throw new Error(`Cannot learn from "${codex}" which hooks it runs: it gave no answer`);
}

/**
 * The change to `config.toml` by which Codex runs the hook of Debrief in `hooks.json`.
 *
 * @param hooks the text that `hooks.json` is to have, and where.
 * @throws {Error} when Codex does not say.
 */
export async function codexTrust(
  hooks: { readonly path: string; readonly text: string; readonly command: string },
  question: CodexQuestion,
): Promise<Change> {
  const place = Deno.makeTempDirSync({ prefix: "debrief-codex-" });
  try {
    const draft = join(place, "hooks.json");
    Deno.writeTextFileSync(draft, hooks.text, { mode: 0o600 });
    const environment = { ...question.environment, CODEX_HOME: place };
    const found = await codexHooks({ ...question, cwd: place, environment });
    const hook = found.find(({ command }) => command === hooks.command);
    if (hook === undefined) {
      throw new Error("Cannot learn the hash of the hook: Codex does not see it");
    }
    const key = hook.key.replace(hook.sourcePath, hooks.path);
    return {
      kind: "set",
      path: ["hooks", "state", key],
      value: { trusted_hash: hook.currentHash },
    };
  } finally {
    Deno.removeSync(place, { recursive: true });
  }
}
