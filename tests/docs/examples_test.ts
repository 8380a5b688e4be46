/**
 * Executes the examples of the documents. The first word of a fence decides:
 *
 *     console          a transcript (transcript.ts)
 *     console binary   the same, for the compiled program only
 *     sh               commands, which must succeed
 *     sh task          tasks of this repository: `start` is run, the others must exist
 *     sh walk          what a new user types: tests/agents/walk_e2e.ts does it
 *     python           a program, which must succeed
 *     ts client        a program that imports the library, which must succeed
 *     json mcp         a configuration of MCP servers, which must start
 *     jsonc policy     a policy, which must pass `debrief policy check`; a path after it is where it is written
 *     ts module        a module of the policy that comes after it, at the path that follows
 *     sh program       a program of the policy that comes after it, at the path that follows
 *
 * All examples of one document share a home and a project.
 */
import { join } from "node:path";
import { probeHost } from "../../src/sandbox/host.ts";
import { REQUIRED_ABI } from "../../src/sandbox/landlock_abi.ts";
import { documents, type Example, examplesOf, readDocument, ROOT } from "./documents.ts";
import { denoDir, ExamplePlace, IS_COMPILED } from "./example_place.ts";
import { bind, type Bindings, exchangesOf, matches } from "./transcript.ts";

const TASK = /^npx -y deno@\d+\.\d+\.\d+ (task ([a-z0-9]+).*)$/;

interface Context {
  readonly place: ExamplePlace;
  readonly bindings: Bindings;
}

/** What is wrong with an example, null when nothing is. */
type Check = (example: Example, context: Context) => string | null;

const CHECKS: Readonly<Record<string, Check>> = {
  console: checkTranscript,
  "console binary": checkTranscript,
  sh: checkScript,
  "sh task": checkTasks,
  "jsonc policy": checkPolicy,
  python: checkPython,
  "json mcp": checkMcp,
  "ts client": checkClient,
  "ts module": writeExample,
  "sh program": writeExample,
};

function kindOf({ info }: Example): string {
  return info.slice(0, 2).join(" ");
}

function checkTranscript(example: Example, { place, bindings }: Context): string | null {
  let status = 0;
  for (const { command, output: shown } of exchangesOf(example.text)) {
    const run = place.run(bind(command, bindings), status);
    status = run.status;
    if (!matches(run.output, { shown, home: place.home, bindings })) {
      return `${command}\nshown:\n${shown}\nprinted:\n${run.output}`;
    }
  }
  return null;
}

function checkScript(example: Example, { place, bindings }: Context): string | null {
  const { status, output } = place.run(`set -e\n${bind(example.text, bindings)}`);
  return status === 0 ? null : `status ${status}:\n${output}`;
}

function checkTasks(example: Example, { place }: Context): string | null {
  const { tasks } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  for (const line of example.text.split("\n")) {
    const [, words = "", name = ""] = TASK.exec(line.replace(/\s*#.*$/, "")) ?? [];
    if (!Object.hasOwn(tasks, name)) return `no task: ${line}`;
    if (name !== "start") continue;
    const { status, output } = place.runTask(words);
    if (status !== 0) return `${line}\nstatus ${status}:\n${output}`;
  }
  return null;
}

function checkPython({ text }: Example, { place }: Context): string | null {
  const file = place.write("~/example.py", text);
  const { status, output } = place.run(`python3 '${file}'`);
  return status === 0 ? null : `status ${status}:\n${output}`;
}

/** The library's import is this checkout's, the program is the one on PATH. */
function checkClient({ text }: Example, { place }: Context): string | null {
  const file = join(ROOT, "src/mod.ts");
  const source = text.replace('"@debrief/debrief"', JSON.stringify(`file://${file}`));
  const path = place.write("~/example.ts", source);
  const flags = `run --quiet --allow-all --no-lock --config '${join(ROOT, "deno.json")}'`;
  const { status, output } = place.run(
    `DENO_DIR='${denoDir()}' '${Deno.execPath()}' ${flags} '${path}'`,
  );
  return status === 0 ? null : `status ${status}:\n${output}`;
}

/** Every server of a client's configuration takes its words. */
function checkMcp({ text }: Example, { place }: Context): string | null {
  const { mcpServers } = JSON.parse(text);
  const servers: { command: string; args: string[] }[] = Object.values(mcpServers);
  for (const { command, args } of servers) {
    const words = [command, ...args].map((word) => `'${word}'`).join(" ");
    const { status, output } = place.run(`${words} < /dev/null`);
    if (status !== 0 || output !== "") return `status ${status}:\n${output}`;
  }
  return null;
}

function checkPolicy(example: Example, { place }: Context): string | null {
  const file = place.write(example.info[2] ?? "~/checked.jsonc", example.text);
  const { status, output } = place.run(`debrief policy check '${file}'`);
  return status === 0 ? null : output;
}

/** What uses the file checks it. */
function writeExample(example: Example, { place }: Context): string | null {
  const [, kind, path] = example.info;
  if (path === undefined) return "a path must follow";
  const file = place.write(path, example.text);
  if (kind === "program") Deno.chmodSync(file, 0o755);
  return null;
}

/** Why an example cannot be run here, null when it can. Under `REQUIRE_SANDBOX=1` a missing jail is a failure. */
function obstacle(example: Example): string | null {
  if (kindOf(example) === "console binary" && !IS_COMPILED) return "DEBRIEF_BINARY is not set";
  const { seccomp, landlockAbi } = probeHost();
  const jailed = seccomp && landlockAbi >= REQUIRED_ABI;
  if (jailed || Deno.env.get("REQUIRE_SANDBOX") === "1") return null;
  return `Landlock ABI ${landlockAbi}, ${REQUIRED_ABI} is needed`;
}

for (const path of documents()) {
  const examples = examplesOf(readDocument(path)).filter((one) => kindOf(one) in CHECKS);
  if (examples.length === 0) continue;
  Deno.test(`the examples of ${path} do what it shows`, async (t) => {
    using place = new ExamplePlace();
    const context: Context = { place, bindings: new Map() };
    for (const example of examples) {
      const reason = obstacle(example);
      await t.step({
        name: `${path}:${example.line}${reason === null ? "" : ` (ignored: ${reason})`}`,
        ignore: reason !== null,
        fn: () => {
          const problem = CHECKS[kindOf(example)]?.(example, context);
          if (problem) throw new Error(problem);
        },
      });
    }
  });
}
