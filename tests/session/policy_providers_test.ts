import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { PolicyError } from "../../src/errors.ts";
import { livingWith } from "../complaints/living_processes.ts";
import { bubblewrapTest, jailTest } from "../sandbox/require_sandbox.ts";
import { until } from "../sandbox/observe.ts";
import { TestPlace, TestSession } from "./test_session.ts";

/** A policy with providers, in a file beside what they name. */
function policyOf(...providers: readonly Record<string, unknown>[]): string {
  return JSON.stringify({ extends: "default", feedback: { providers, timeout: "5s" } });
}

const always = { everyNCalls: 1 };

/** Seconds that no other test sleeps. */
const ORPHAN = 600_000 + Deno.pid;

/** A program in Python that answers by what it reads. */
const program = (body: string) => `#!/usr/bin/env python3\nimport json, os, sys\n${body}\n`;

const ECHO = program(`told = json.load(sys.stdin)
print(json.dumps({"summary": "%s ended with %s" % (told["command"]["command"], told["command"]["exitCode"])}))`);

jailTest("a session asks a TypeScript module of its policy", async () => {
  using place = new TestPlace();
  place.write("words.ts", `export const words = (n: number): string => \`\${n} so far\`;`);
  place.write(
    "mine.ts",
    `import type { FeedbackProvider } from "@debrief/debrief";
import { words } from "./words.ts";
export default {
  name: "Mine",
  shouldRun: ({ command }) => command.exitCode !== 0,
  provide: ({ call }) => ({ summary: words(call), suggestions: ["Look again."] }),
} satisfies FeedbackProvider;`,
  );
  await using test = new TestSession({
    place,
    policyText: policyOf({ name: "Mine", module: "./mine.ts" }),
  });
  assertEquals((await test.run("true")).record.feedback, []);
  assertEquals((await test.run("false")).record.feedback, [
    "[Feedback - Mine]\n2 so far\n\u2192 Look again.",
  ]);
});

jailTest("a session runs nothing while a module of its policy cannot be used", async () => {
  using place = new TestPlace();
  place.write("mine.ts", `import "node:fs";\nexport default { provide: () => null };`);
  await using test = new TestSession({
    place,
    policyText: policyOf({ name: "Mine", module: "./mine.ts" }),
  });
  const { record, stdout } = await test.run("echo ran > made; echo ran");
  assertEquals([record.exit_code, stdout], [null, ""]);
  assertMatch(record.error ?? "", /policy\.jsonc:1: .*"Mine": ".*mine\.ts" imports "node:fs"/);
  assertThrows(() => Deno.statSync(place.at("work/made")), Deno.errors.NotFound);
});

jailTest("a session asks a program of its policy, and gives it the context as JSON", async () => {
  using place = new TestPlace();
  place.write("tell.py", ECHO, 0o755);
  const policyText = policyOf({ name: "Tell", exec: ["./tell.py"], trigger: always });
  await using test = new TestSession({ place, policyText });
  assertEquals((await test.run("exit 3")).record.feedback, [
    "[Feedback - Tell]\nexit 3 ended with 3",
  ]);
}, { programs: ["python3"] });

jailTest(
  "a program of the policy keeps notes, has its arguments, and may say nothing",
  async () => {
    using place = new TestPlace();
    place.write(
      "count.py",
      program(`told = json.load(sys.stdin)
times = told["state"]["memory"].get("times", 0) + 1
if sys.argv[1:] != ["--quiet", "two words"]: sys.exit("arguments")
print(json.dumps({"summary": "%d times" % times, "memory": {"times": times}}) if times != 2 else json.dumps(
  {"summary": "again", "memory": {"times": times}, "observations": [{"category": "A", "description": "b"}]}))`),
      0o755,
    );
    place.write("silent.sh", "#!/bin/sh\ncat >/dev/null\n", 0o755);
    const policyText = policyOf(
      { name: "Count", exec: ["./count.py", "--quiet", "two words"], trigger: always },
      { name: "Silent", exec: ["./silent.sh"], trigger: always },
    );
    await using test = new TestSession({ place, policyText });
    const said: (readonly string[])[] = [];
    for (let run = 0; run < 3; run++) said.push((await test.run("true")).record.feedback);
    assertEquals(said, [
      ["[Feedback - Count]\n1 times"],
      ["[Feedback - Count]\nagain\n\u2022 A: b"],
      ["[Feedback - Count]\n3 times"],
    ]);
  },
  { programs: ["python3"] },
);

jailTest(
  "a program of the policy writes nowhere and reaches nothing, where commands can",
  async () => {
    using place = new TestPlace();
    const server = `import socket
one = socket.socket(); one.bind(("127.0.0.1", 0)); one.listen(); print("server")`;
    const attempts = program(`tried = []
def attempt(name, act):
    try:
        act(); tried.append(name + " WORKED")
    except OSError as error:
        tried.append(name + " " + type(error).__name__)
attempt("workspace", lambda: open("made", "w"))
attempt("temporary", lambda: open("${place.at("tmp")}/made", "w"))
attempt("outside", lambda: open("${place.at("outside")}/made", "w"))
attempt("journal", lambda: open("${place.at("state/debrief/journal.jsonl")}").read())
attempt("hidden", lambda: open("${place.at("outside")}/secret").read())
attempt("mode", lambda: os.chmod("${place.at("work")}", 0o777))
def listen():
    import socket
    one = socket.socket(); one.bind(("127.0.0.1", 0)); one.listen()
attempt("server", listen)
attempt("null", lambda: open("/dev/null", "w"))
attempt("readable", lambda: open("given").read())
print(json.dumps({"summary": "; ".join(tried)}))`);
    place.write("outside/secret", "hidden");
    place.write("work/given", "text");
    place.write("try.py", attempts, 0o755);
    const policyText = policyOf({
      name: "Try",
      exec: ["./try.py"],
      trigger: { onOutcome: ["failed"] },
    });
    await using test = new TestSession({ place, policyText });
    // Control: a command of the same session can do what the provider then cannot.
    const control = await test.run(`echo x > made && rm made && python3 -c '${server}'`);
    assertEquals(control.stdout, "server\n");
    const { record } = await test.run("exit 3");
    const denied = ["workspace", "temporary", "outside", "journal", "hidden", "mode", "server"];
    const want = [
      ...denied.map((name) => `${name} PermissionError`),
      "null WORKED",
      "readable WORKED",
    ];
    assertEquals(record.feedback, [`[Feedback - Try]\n${want.join("; ")}`]);
    assertEquals(record.denials, [], "what a provider is refused is none of the command's");
    assertEquals((await test.run("true")).record.denials, []);
  },
  { programs: ["python3"] },
);

jailTest(
  "a program of the policy that fails is reported in one line, and ends with all it started",
  async () => {
    const cases = [
      { in: `sys.exit("no such thing")`, want: "exit status 1: no such thing" },
      { in: `print("not json")`, want: "what it printed is no JSON" },
      { in: `print('{"severity":"info"}')`, want: "what it said is no feedback" },
      { in: `print("[1]")`, want: "what it said is no feedback" },
      { in: `print("x" * 10_000_000)`, want: "it says too much: 65536 bytes are accepted" },
      { in: `sys.stderr.write("x" * 10_000_000)`, want: "it says too much" },
      { in: `os.kill(os.getpid(), 9)`, want: "signal 9" },
      { in: `import time\ntime.sleep(600)`, want: "it took longer than" },
      { in: `os.fork() or os.setsid() or os.execvp("sleep", ["sleep", "${ORPHAN}"])`, want: null },
    ];
    for (const { in: body, want } of cases) {
      using place = new TestPlace();
      place.write("fail.py", program(body), 0o755);
      place.write("good.py", ECHO, 0o755);
      const policyText = JSON.stringify({
        extends: "default",
        feedback: {
          timeout: want === "it took longer than" ? "300ms" : "5s",
          providers: [
            { name: "Fail", exec: ["./fail.py"], trigger: always },
            { name: "Fixed", say: { summary: "Heard." }, trigger: always },
          ],
        },
      });
      await using test = new TestSession({ place, policyText });
      const { record } = await test.run("echo done");
      assertEquals(record.exit_code, 0, body);
      const [line = "", ...rest] = record.feedback;
      if (want === null) assertEquals(record.feedback, ["[Feedback - Fixed]\nHeard."], body);
      else {
        assertStringIncludes(line, `[Feedback - Fail] failed: ${want}`, body);
        assertEquals(rest, ["[Feedback - Fixed]\nHeard."], body);
      }
      assertEquals(line.split("\n").length, want === null ? 2 : 1, body);
      assertEquals(livingWith(`${ORPHAN}`), [], body);
    }
  },
  { programs: ["python3"] },
);

jailTest("a program of the policy leaves alone what commands left running", async () => {
  using place = new TestPlace();
  place.write("tell.py", ECHO, 0o755);
  const policyText = policyOf({ name: "Tell", exec: ["./tell.py"], trigger: always });
  await using test = new TestSession({ place, policyText });
  const { record } = await test.run("sleep 600 & echo $!");
  const pid = Number(record.stdout_tail);
  assertEquals([record.jobs.length, record.feedback.length], [1, 1]);
  const { stdout, record: { feedback } } = await test.run(`kill -0 ${pid} && echo running`);
  assertEquals([stdout, feedback.length], ["running\n", 1]);
}, { programs: ["python3"] });

bubblewrapTest("a program of the policy is confined by bubblewrap where commands are", async () => {
  using place = new TestPlace();
  const text = program(`found = []
for name in ["work/made", "tmp/made", "outside/secret"]:
    try:
        open("${place.root}/" + name, "r" if "secret" in name else "w"); found.append(name)
    except OSError as error:
        found.append(type(error).__name__)
print(json.dumps({"summary": " ".join(found)}))`);
  place.write("outside/secret", "hidden");
  place.write("try.py", text, 0o755);
  const provider = { name: "Try", exec: ["./try.py"], trigger: always };
  const policy = { ...JSON.parse(policyOf(provider)), backend: "bubblewrap" };
  await using test = new TestSession({ place, policyText: JSON.stringify(policy) });
  const { record, stdout } = await test.run("echo x > made && rm made && echo made");
  assertEquals([stdout, record.sandbox.backend], ["made\n", "bubblewrap"]);
  assertMatch(record.feedback.join(), /^\[Feedback - Try\]\nOSError \S+Error FileNotFoundError$/);
}, { programs: ["python3"] });

jailTest("what a program of the policy says is redacted", async () => {
  using place = new TestPlace();
  const token = ["ghp", "_", "a1B2".repeat(9)].join("");
  place.write("leak.sh", `#!/bin/sh\necho '{"summary":"see ${token}"}'\n`, 0o755);
  const policyText = policyOf({ name: "Leak", exec: ["./leak.sh"], trigger: always });
  await using test = new TestSession({ place, policyText });
  const { record } = await test.run("true");
  assert(record.feedback.join().includes("see "), "the provider was heard");
  assert(!JSON.stringify(record).includes(token), "its secret is hidden");
});

jailTest(
  "a session is not opened with a program that commands could change or that is none",
  () => {
    using place = new TestPlace();
    place.write("work/tell.sh", "#!/bin/sh\n", 0o755);
    place.write("plain.sh", "#!/bin/sh\n", 0o644);
    Deno.symlinkSync(place.at("work/tell.sh"), place.at("link.sh"));
    const cases = [
      { in: "$WORKSPACE/tell.sh", want: "could be changed by commands, because write.allow" },
      { in: "./link.sh", want: "could be changed by commands" },
      { in: "./plain.sh", want: "is no executable file" },
      { in: "./home", want: "is no executable file" },
      { in: "./absent.sh", want: "does not exist" },
    ];
    for (const { in: path, want } of cases) {
      const policyText = policyOf({ name: "Tell", exec: [path], trigger: always });
      assertThrows(() => new TestSession({ place, policyText }), PolicyError, want, path);
    }
    return Promise.resolve();
  },
);

jailTest("a program of the policy ends nothing that starts while it runs", async () => {
  using place = new TestPlace();
  const gate = place.at("work/gate");
  // It goes on until the test has looked, and leaves something of its own.
  const wait = `until [ -e ${gate} ]; do sleep 0.05; done`;
  const body = `(setsid sleep ${ORPHAN + 1} &) >/dev/null 2>&1; ${wait}; echo '{"summary":"done"}'`;
  place.write("slow.sh", `#!/bin/bash\n${body}\n`, 0o755);
  const policyText = policyOf({ name: "Slow", exec: ["./slow.sh"], trigger: always });
  await using test = new TestSession({ place, policyText, keepsState: true });
  const start = (source: string) =>
    test.session.start({ text: { kind: "script", source } }, () => {});
  const first = await start("true");
  await until(() => livingWith(`${ORPHAN + 1}`).length > 0);
  // They begin while the first one's provider runs; one goes on beyond its end.
  const quick = await start("exit 5");
  const slow = await start("until [ -e gone ]; do sleep 0.05; done; exit 7");
  Deno.writeTextFileSync(gate, "");
  assertEquals((await first.ended).record.feedback, ["[Feedback - Slow]\ndone"]);
  Deno.writeTextFileSync(place.at("work/gone"), "");
  const ends = [await first.ended, await quick.ended, await slow.ended];
  assertEquals(ends.map(({ record }) => record.exit_code), [0, 5, 7]);
  assertEquals(livingWith(`${ORPHAN + 1}`), []);
});
