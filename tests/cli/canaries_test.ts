/** Secrets planted in every place from which text leaves: none is in what Debrief printed, nor in a file that it wrote. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path/posix";
import { alnum } from "../output/rules_samples.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { type Result, runDebrief } from "./run_debrief.ts";

/** Places by name; each gets a token of its own, so that a leak tells where it is from. */
const PLACES = [
  "argument",
  "note",
  "task",
  "goal",
  "stdout",
  "stderr",
  "encoded",
  "cut",
  "program",
  "denied",
  "path",
  "directory",
  "script",
  "flag",
  "operand",
  "policy",
  "explained",
  "required",
  "environment",
  "session",
  "line",
  "message",
] as const;

type Place = (typeof PLACES)[number];

function token(place: Place): string {
  return "gh" + "p_" + alnum(36, 100 + PLACES.indexOf(place));
}

/** All bytes of all files below a directory, as text of one character for each byte. */
function filesBelow(directory: string): { path: string; text: string }[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory, isFile }) => {
    const path = join(directory, name);
    if (isDirectory) return filesBelow(path);
    if (!isFile) return [];
    return [{ path, text: new TextDecoder("latin1").decode(Deno.readFileSync(path)) }];
  });
}

/** Middle parts of a token in the encodings in which it was printed. */
function traces(place: Place): string[] {
  const value = token(place);
  return [value.slice(8, 24), btoa(value).slice(8, 28)];
}

function leaks(text: string): Place[] {
  return PLACES.filter((place) => traces(place).some((trace) => text.includes(trace)));
}

/** Requests of the JSON lines protocol, most of them no good ones. */
function requests(): string {
  const secret = token("line");
  return [
    { type: "run", id: "1", command: `echo ${secret}; echo ${secret} >&2; exit 3`, note: secret },
    { type: "run", id: "2", argv: ["echo", "--password", secret], task: secret },
    { type: "run", id: "3", command: "true", [secret]: secret },
    { type: secret, id: "4" },
    { type: "status", id: "5" },
    { type: "aims", id: "6", goal: secret, task: secret },
    { type: "aims", id: "7", deadline: secret },
    { type: "output", id: "8", target: secret, grep: `(${secret}` },
    { type: "kill", id: "9", target: secret },
  ].map((request) => JSON.stringify(request) + "\n").join("") + `{ "id": "${secret}\n`;
}

/** The same for MCP. */
function messages(): string {
  const secret = token("message");
  const calls = [
    { name: "run", arguments: { command: `echo ${secret}; exit 3`, note: secret, [secret]: 1 } },
    { name: "run", arguments: { command: `echo ${secret}; exit 3`, note: secret } },
    { name: "run", arguments: { argv: ["echo", "--password", secret] } },
    { name: secret, arguments: {} },
    { name: "status", arguments: {} },
    { name: "aims", arguments: { goal: secret, task: secret } },
    { name: "aims", arguments: { deadline: secret } },
    { name: "output", arguments: { id: "c1", grep: `(${secret}` } },
    { name: "kill", arguments: { id: secret } },
  ];
  const clientInfo = { name: secret, version: "1" };
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  return [
    { method: "initialize", id: 0, params: initialize },
    { method: "notifications/initialized" },
    ...calls.map((params, index) => ({ method: "tools/call", id: index + 1, params })),
    { method: secret, id: 90 },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("") +
    `{ "id": "${secret}\n`;
}

async function runAll(place: TestPlace): Promise<readonly Result[]> {
  const environment = { DEPLOY_TOKEN: token("environment") };
  const run = (args: readonly string[], more: { cwd?: string; stdin?: string } = {}) =>
    runDebrief(args, { place, env: environment, ...more });
  const deep = place.at(`work/${token("directory")}`);
  Deno.mkdirSync(deep, { recursive: true });
  const printing = [
    `printf '%s\\n' ${token("stdout")}`,
    `printf '%s\\n' ${token("stderr")} >&2`,
    `printf '%s\\n' ${token("encoded")}`,
    `printf '%s' ${token("encoded")} | base64 -w0`,
    "exit 3",
  ].join("; ");
  const long = `printf '%s' ${token("cut").slice(0, 20)}; printf '%s\\n' ${
    token("cut").slice(20)
  }; seq 20000; false`;
  const broken = place.write(
    "broken.jsonc",
    `{ "read": { "allow": ["relative ${token("policy")}"] }, "bad": 1 }`,
  );
  return [
    await run(["--", "echo", token("argument")]),
    await run(["--note", `expects ${token("note")}`, "-c", "true"]),
    await run(["--task", token("task"), "-c", "true"]),
    await run(["--goal", `use ${token("goal")}`, "-c", "true"]),
    await run(["-c", printing]),
    await run(["--format", "json", "-c", printing]),
    await run(["-c", long]),
    await run(["--pass-through", "-c", printing]),
    await run(["-c", token("program")]),
    await run(["--", token("program"), "x"]),
    await run(["--policy", "readonly", "-c", `curl ${token("denied")}.example`]),
    await run(["-c", `cat /root/${token("path")} /nosuch/${token("path")}`]),
    await run(["-c", `echo ${token("script")} | (`]),
    await run(["-c", "pwd; false"], { cwd: deep }),
    await run([`--${token("flag")}`]),
    await run(["--timeout", token("flag"), "-c", "true"]),
    await run([token("operand")]),
    await run(["show", token("operand")]),
    await run(["output", token("operand"), "--grep", token("operand")]),
    await run(["log", "--session", token("operand")]),
    await run(["--policy", broken, "-c", "true"]),
    await run(["policy", "check", broken]),
    await run(["--policy", token("policy"), "-c", "true"]),
    await run(["policy", "explain", `echo ${token("explained")}`]),
    await run(["policy", "explain", "--json", `echo ${token("explained")}`]),
    await run(["gate", "--require", `echo ${token("required")}`]),
    await run(["gate", "--json", "--require", `echo ${token("required")}`]),
    await run(["-c", `echo ${token("environment")}`]),
    await run([], { stdin: `echo ${token("session")}\n${token("session")}\nfoo() {\n` }),
    await run(["stdio"], { stdin: requests(), cwd: deep }),
    await run(["mcp"], { stdin: messages(), cwd: deep }),
    await run(["redact", "--report", "--json"], { stdin: PLACES.map(token).join("\n") }),
    await run(["log", "--last", "100"]),
    await run(["log", "--json", "--last", "100"]),
  ];
}

jailTest("debrief prints no planted secret and writes none to a file", async () => {
  using place = new TestPlace();
  const results = await runAll(place);
  for (const [index, { stdout, stderr }] of results.entries()) {
    const text = stdout + stderr;
    assertEquals(leaks(text), [], `run ${index}: ${text}`);
  }
  const ids = place.records().map((record) => record.command_id);
  assert(ids.length >= 14, `${ids.length} records`);
  for (const id of ids) {
    for (const command of ["show", "output", "chain"]) {
      const { stdout, stderr } = await runDebrief([command, id], { place });
      assertEquals(leaks(stdout + stderr), [], `${command} ${id}`);
    }
  }
  const written = ["state", "tmp", "home"].map((name) => place.at(name))
    .filter((path) => {
      try {
        return Deno.statSync(path).isDirectory;
      } catch {
        return false;
      }
    }).flatMap(filesBelow);
  assert(written.length > 0);
  for (const { path, text } of written) assertEquals(leaks(text), [], path);
  // The control: the same search finds what was not redacted, and labels stand where tokens were.
  assertEquals(leaks(`x ${token("note")} y`), ["note"]);
  assertMatch(results[0]!.stdout, /\[REDACTED:github-token#1\]/);
  assert(written.some(({ text }) => text.includes("[REDACTED:github-token#")));
});
