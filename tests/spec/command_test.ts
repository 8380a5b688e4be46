/** The program itself against real bash: a sample of the tables, through every layer from the arguments to the exit. */
import { assertEquals } from "@std/assert";
import { runDebrief } from "./debrief_command.ts";
import { runBash } from "./real_bash.ts";
import { ReplayPlace } from "./replay_place.ts";
import {
  compareResults,
  loadTable,
  type ReplayCase,
  type Result,
  type Shelf,
} from "./replay_table.ts";

/** Commands at a time. More gain nothing on two processors. */
const PARALLEL = 3;

/** Every n-th case without a divergence of the tables. */
function sample(shelf: Shelf, options: { tables: readonly string[]; every: number }): ReplayCase[] {
  const cases = options.tables.flatMap((table) => loadTable(shelf, table));
  return cases.filter(({ diverges }) => diverges === null)
    .filter((_, index) => index % options.every === 0);
}

/** The environment that commands of a place get; its temporary directory is made again, so that bash has one too. */
async function commandEnvironment(place: ReplayPlace): Promise<Record<string, string>> {
  const { stdout } = await runDebrief(["--pass-through", "-c", "env -0"], { place });
  const entries = stdout.split("\0").filter((entry) => entry !== "").map((entry) => {
    const [name = "", ...value] = entry.split("=");
    return [name, value.join("=")];
  });
  const environment: Record<string, string> = Object.fromEntries(entries);
  Deno.mkdirSync(environment.TMPDIR!, { recursive: true });
  return environment;
}

/** Every run has a private directory of its own; its name is the only thing that may differ. */
function withoutPrivate({ stdout, stderr, code }: Result): Result {
  const [out, err] = [stdout, stderr].map((text) =>
    text.replace(/debrief-[0-9a-f]{16}/g, "debrief-")
  );
  return { stdout: out!, stderr: err!, code };
}

async function inParallel(
  cases: readonly ReplayCase[],
  each: (entry: ReplayCase, place: ReplayPlace, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const queue = [...cases];
  const failures: string[] = [];
  const work = async () => {
    using place = new ReplayPlace();
    const env = await commandEnvironment(place);
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      place.prepare(entry.files);
      await each(entry, place, env).catch((error) =>
        failures.push(`${entry!.name}: ${error.message}`)
      );
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  assertEquals(failures, []);
}

Deno.test("debrief -c does what bash -c does", async () => {
  const tables = ["plain", "statuses", "pipelines", "redirections", "functions", "output"];
  await inParallel(sample("replay", { tables, every: 10 }), async (entry, place, env) => {
    const { script, args } = entry;
    const options = { cwd: place.cwd, env, stdin: place.input(entry.stdin) };
    const bash = await runBash(["-c", script, ...args], options);
    place.prepare(entry.files);
    const stdin = entry.stdin ?? undefined;
    const debrief = await runDebrief(["--pass-through", "-c", script, ...args], { place, stdin });
    compareResults(entry, { bash: withoutPrivate(bash), debrief: withoutPrivate(debrief) });
  });
});

Deno.test("debrief with commands on standard input does what bash -s does", async () => {
  const tables = ["ending", "reading", "state"];
  await inParallel(sample("sessions", { tables, every: 10 }), async (entry, place, env) => {
    const text = entry.script + "\n";
    const options = { cwd: place.cwd, env, stdin: place.input(text) };
    const bash = await runBash(["-s"], options);
    place.prepare([]);
    const { stdout, stderr, code } = await runDebrief(["--pass-through"], { place, stdin: text });
    compareResults(entry, { bash: { ...bash, stderr: "" }, debrief: { stdout, stderr: "", code } });
    assertEquals(stderr.replace(/line \d+/g, ""), bash.stderr.replace(/line \d+/g, ""));
  });
});

Deno.test("debrief keeps state, prints a block and writes a record for each command", async () => {
  using place = new ReplayPlace();
  const stdin = "export A=1\ncd /usr\necho $A $PWD\nfalse\n";
  const { stdout, stderr, code, records } = await runDebrief([], { place, stdin, block: null });
  assertEquals(code, 1);
  assertEquals(stderr, "");
  const lines = stdout.split("\n").map((line) =>
    line.replace(/^--- debrief \d{9} .*?\bexit (\d+), .*$/, "block $1")
  );
  assertEquals(lines, ["block 0", "block 0", "1 /usr", "block 0", "block 1", ""]);
  assertEquals(
    records.map(({ command, cwd, exit_code }) => ({ command, cwd, exit_code })),
    [
      { command: ["export A=1"], cwd: place.cwd, exit_code: 0 },
      { command: ["cd /usr"], cwd: place.cwd, exit_code: 0 },
      { command: ["echo $A $PWD"], cwd: "/usr", exit_code: 0 },
      { command: ["false"], cwd: "/usr", exit_code: 1 },
    ],
  );
});

Deno.test("debrief says on standard error what no block says", async () => {
  using place = new ReplayPlace();
  const syntax = await runDebrief(["-c", "if"], { place });
  assertEquals(syntax.stdout, "");
  assertEquals(
    syntax.stderr,
    "debrief: syntax error at line 1, column 3: unexpected end: the closing then is missing\n",
  );
  assertEquals(syntax.code, 2);
  const fine = await runDebrief(["-c", "exit 2"], { place });
  assertEquals([fine.stdout, fine.stderr, fine.code], ["", "", 2]);
});
