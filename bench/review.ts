/**
 * `debrief review`: its first picture against that of ink's own hello world, both bundled, on the same Deno and kind of
 * terminal; and what a key costs in 50,000 records against one in 100.
 */
import { join } from "node:path";
import { entryOf } from "../src/cli/review/entry.ts";
import { pressKey } from "../src/cli/review/press_key.ts";
import { addOlder, emptyReview, type ReviewState } from "../src/cli/review/review_state.ts";
import { bodyOf, screenLines } from "../src/cli/review/screen.ts";
import { Journal } from "../src/record/journal.ts";
import type { CommandRecord } from "../src/record/record.ts";
import { isThere } from "./programs.ts";
import { compare, type Contender, type Row } from "./compare.ts";
import { typical } from "./journal.ts";

const ROOT = join(import.meta.dirname!, "..");

/** The row of a first picture. */
export const FIRST_PICTURE = "debrief review, no records";

/** What `deno task build` leaves beside the executable. */
const BUNDLE = join(ROOT, "dist/bundle/main.js");

/** The example of ink's manual, cut to one picture. */
const HELLO = `import { createElement } from "react";
import { render, Text } from "ink";
render(createElement(Text, null, "Hello World"));
`;

/** Records that fill a journal with all its rotations, and more than any journal holds. */
const FULL = 6_000;
const MANY = 50_000;

/** Bundles the hello world; its place within the repository gives it the same packages. */
function bundleHello(directory: string): string {
  const name = `.hello-${Deno.pid}`;
  const source = join(ROOT, `bench/${name}.ts`);
  Deno.writeTextFileSync(source, HELLO);
  try {
    const args = ["bundle", "--quiet", "--minify", "--platform", "deno", "--code-splitting"];
    const { success, stderr } = new Deno.Command(Deno.execPath(), {
      args: [...args, "--external", "react-devtools-core", "--outdir", directory, source],
      cwd: ROOT,
    }).outputSync();
    if (!success) throw new Error(`Cannot bundle: ${new TextDecoder().decode(stderr)}`);
  } finally {
    Deno.removeSync(source);
  }
  return join(directory, `${name}.js`);
}

/** Runs a program on a terminal until it has shown a text. @throws {Error} when it ends before. */
async function untilShown(words: readonly string[], text: string): Promise<void> {
  const command = words.map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", `exec ${command}`, "/dev/null"],
    env: { TERM: "xterm-256color" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let shown = "";
  const decoder = new TextDecoder();
  for await (const bytes of child.stdout) {
    shown += decoder.decode(bytes, { stream: true });
    if (shown.includes(text)) break;
  }
  try {
    // Not SIGTERM, which it passes on and waits: the terminal hangs up, and that ends what runs on it.
    child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
  await Promise.all([child.status, child.stdin.close().catch(() => {})]);
  if (!shown.includes(text)) throw new Error(`Cannot measure "${command}": it showed ${shown}`);
}

/** Measure the first picture; null when `dist/bundle` is not built. The first row is the hello world. */
export async function benchFirstPaint(): Promise<readonly Row[] | null> {
  if (!isThere(BUNDLE)) return null;
  const directory = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.chmodSync(directory, 0o700);
  try {
    {
      using journal = Journal.open({ directory });
      for (let index = 0; index < FULL; index++) journal.append(typical(index));
    }
    const deno = [Deno.execPath(), "run", "--quiet", "--no-lock", "--no-prompt", "-A"];
    const contender = (name: string, words: readonly string[], text: string): Contender => ({
      name,
      run: () => untilShown([...deno, ...words], text),
    });
    const review = (journal: string) => [BUNDLE, "review", "--journal", journal];
    return await compare([
      contender("ink's hello world", [bundleHello(directory)], "Hello World"),
      contender(FIRST_PICTURE, review(`${directory}/none`), "debrief review"),
      contender("debrief review, a full journal", review(directory), "11-14 2"),
    ], { rounds: 15, warmUp: 2 });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

function stateOf(count: number): ReviewState {
  const entries = Array.from(
    { length: count },
    (_, index) =>
      entryOf(
        { ...typical(index), duration_ms: index * 7_919 % 100_000, prev: null } as CommandRecord,
      ),
  );
  return { ...addOlder(emptyReview(), entries), loading: false };
}

/** Measure keys with the picture that follows; the first row has 100 records. */
export async function benchKeys(): Promise<readonly Row[]> {
  const size = { columns: 120, rows: 40 };
  const press = (name: string, before: ReviewState, keys: readonly string[]): Contender => {
    const ready = keys.slice(0, -1).reduce(
      (state, key) => pressKey(state, key, bodyOf(size)).state,
      before,
    );
    return {
      name,
      run: () => {
        const { state } = pressKey(ready, keys.at(-1)!, bodyOf(size));
        screenLines(state, { size, readOutput: () => ({ lines: [], problem: null }) });
        return Promise.resolve();
      },
    };
  };
  const [few, many] = [stateOf(100), stateOf(MANY)];
  return await compare([
    press("the next line, of 100 records", few, ["j"]),
    press("the next line, of 50,000", many, ["j"]),
    press("the last line", many, ["G"]),
    press("the first letter of a filter", many, ["/", "z"]),
    press("the tenth letter of a filter", many, ["/", ..."something "]),
    press("sort by duration", many, ["d"]),
    press("the chain of a record", many, ["c"]),
  ], { rounds: 20, warmUp: 2 });
}
