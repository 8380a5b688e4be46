/** What users of agents' shells complain about most, each with the answer, as an agent meets it: `debrief -c`. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  finished,
  type Result,
  runDebrief,
  runWithDebrief,
  startDebrief,
} from "../cli/run_debrief.ts";
import { claudeText } from "../command/harness_texts.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { livingWith } from "./living_processes.ts";

/** Characters that every known agent passes on whole. */
const SHOWN = 8_000;

function policyOf(place: TestPlace, changes: Readonly<Record<string, unknown>>): string {
  return place.write("policy.jsonc", JSON.stringify({ extends: "default", ...changes }));
}

function sh(place: TestPlace, script: string, flags: readonly string[] = []): Promise<Result> {
  return runDebrief([...flags, "-c", script], { place });
}

function idIn(text: string): string {
  return text.match(/, (c\w{7})(?: ---)?\n/)?.[1] ?? "";
}

/** Text that occurs on no other command line. */
function marker(): string {
  return `600${crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000}`;
}

jailTest(
  "1. interactive prompts hang: the question is reported and the command ended",
  async () => {
    using place = new TestPlace();
    const policy = policyOf(place, { limits: { input: "500ms" } });
    const script = "printf 'Overwrite? [y/N] '; read answer; echo never";
    const child = startDebrief(["--policy", policy, "-c", script], { place });
    // Its input stays open, and nobody writes.
    const { stdout, stderr } = await finished(child);
    await child.stdin.close().catch(() => {});
    assertEquals(stdout.includes("never"), false);
    assertMatch(stderr, /✗ needs input \(asks "Overwrite\? \[y\/N\]"\)/);
    assertEquals(place.records()[0]?.outcome.kind, "needs-input");
  },
);

jailTest("2. a background child holds the pipe: the command ends without it", async () => {
  using place = new TestPlace();
  const time = marker();
  const { code, stdout, stderr } = await sh(place, `sleep ${time} & echo started`);
  assertEquals([code, stdout], [0, "started\n"]);
  assertMatch(stderr, new RegExp(`left running: \\d+ sleep ${time} \\(ended\\)`));
});

jailTest(
  "3. stuck after completion: a daemon with the command's output holds nobody up",
  async () => {
    using place = new TestPlace();
    const time = marker();
    const { code, stdout } = await sh(
      place,
      `(setsid sh -c 'sleep ${time}; echo late' &); echo done`,
    );
    assertEquals([code, stdout], [0, "done\n"]);
  },
);

jailTest("4. truncation loses the error: it is shown, and all around it can be read", async () => {
  using place = new TestPlace();
  const script =
    "seq 1 9000 | sed s/^/line/; echo 'main.c:7: error: the cause'; seq 1 9000; echo last; exit 1";
  const { code, stdout, stderr } = await sh(place, script);
  assertEquals(code, 1);
  assert(stdout.length + stderr.length <= SHOWN, `${stdout.length} + ${stderr.length}`);
  assertStringIncludes(stdout, "main.c:7: error: the cause\n");
  assert(stdout.endsWith("9000\nlast\n"), stdout.slice(-100));
  const args = ["output", idIn(stderr), "--grep", "error", "--around", "1"];
  const around = await runDebrief(args, { place });
  assertMatch(around.stdout, /line9000\n.*error: the cause\n.*1\n/);
});

jailTest("5. output lost: what a command printed before it was killed is there", async () => {
  using place = new TestPlace();
  const { code, stderr } = await sh(place, "seq 20000; kill -9 $$");
  assertEquals(code, 137);
  const kept = await runDebrief(["output", idIn(stderr)], { place });
  assertEquals(kept.stdout, Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join(""));
});

jailTest("6. cwd confusion: a change of directory is kept, passed on, and recorded", async () => {
  using place = new TestPlace();
  const stdin = "mkdir -p a/b; cd a/b\npwd\ncd nosuch\npwd\n";
  const session = await runDebrief(["--block", "off"], { place, stdin });
  assertEquals(session.stdout, `${place.at("work/a/b\n")}`.repeat(2));
  assertEquals(place.records().map(({ cwd }) => cwd), [
    place.at("work"),
    ...Array(3).fill(place.at("work/a/b")),
  ]);
  const file = place.at("tmp/claude-70cc-cwd");
  await runDebrief(["-c", claudeText("cd a", { file })], { place });
  assertEquals(Deno.readTextFileSync(file), `${place.at("work/a")}\n`);
  const gone = await runDebrief([], { place, stdin: "mkdir x; cd x; rmdir ../x\npwd\n" });
  assertStringIncludes(gone.stdout, "is gone: this ran in");
});

jailTest(
  "7. missing PATH or env: programs of the caller's PATH run, variables are explained",
  async () => {
    using place = new TestPlace();
    place.write("work/tools/mytool", "#!/bin/sh\necho tool $LC_MINE\n", 0o755);
    const env = {
      PATH: `${place.at("work/tools")}:${place.environment.PATH}`,
      LC_MINE: "kept",
      OTHER: "not kept",
    };
    // As agents start a login shell: nothing resets what they gave.
    const { stdout } = await runDebrief(["-lc", "mytool; echo ${OTHER-unset}"], { place, env });
    assertEquals(stdout, "tool kept\nunset\n");
    const explained = await runDebrief(["policy", "explain", "true", "--json"], { place, env });
    const { env: names } = JSON.parse(explained.stdout);
    assertEquals(["PATH", "LC_MINE", "OTHER"].map((name) => names.includes(name)), [
      true,
      true,
      false,
    ]);
    const missing = await sh(place, "mytol");
    assertEquals(missing.code, 127);
    assertMatch(missing.stderr, /✗ not found \(mytol: not found\)/);
  },
);

jailTest("8. timeouts and retry loops: both are named, with what came before", async () => {
  using place = new TestPlace();
  const slow = await sh(place, "echo begun; sleep 600", ["--timeout", "1s"]);
  assertEquals([slow.code, slow.stdout], [124, "begun\n"]);
  assertMatch(slow.stderr, /✗ timeout[^]*the limit was 1\.0s; `--timeout 2s`/);
  let last = "";
  for (let at = 0; at < 3; at++) last = (await sh(place, "ls nosuch")).stderr;
  assertMatch(last, /\[Feedback - Loop\]\nThe same command has failed the same way 3 times\./);
});

jailTest("9. orphans: nothing of a command outlives it, nor Debrief's own end", async () => {
  using place = new TestPlace();
  const time = marker();
  await sh(place, `setsid nohup sleep ${time} >/dev/null 2>&1 & disown; (sleep ${time} &) ; true`);
  assertEquals(livingWith(time), []);
  const child = startDebrief(["-c", `setsid sleep ${time} & wait`], { place });
  while (livingWith(time).length === 0) await new Promise((done) => setTimeout(done, 50));
  child.kill("SIGKILL");
  await finished(child);
  await child.stdin.close().catch(() => {});
  while (livingWith(time).length > 0) await new Promise((done) => setTimeout(done, 50));
});

jailTest("10. disk and memory runaway: the command ends at a limit, which is named", async () => {
  using place = new TestPlace();
  const limits = { output: "1M", memory: "200M", fileSize: "1M" };
  const policy = policyOf(place, { limits });
  const cases = [
    { in: "yes", want: /✗ killed \(output limit of 1 MB\)/ },
    { in: "head -c 99000000 /dev/zero >big", want: /✗ killed \(file size limit of 1 MB\)/ },
    {
      in: "x=$(head -c 900000000 /dev/zero | tr '\\0' x); echo ${#x}",
      want: /✗ killed \(memory limit of 200 MB\)/,
    },
  ];
  for (const { in: script, want } of cases) {
    const { stderr } = await sh(place, script, ["--policy", policy]);
    assertMatch(stderr, want, script);
  }
  assert(Deno.statSync(place.at("work/big")).size <= 1 << 20);
});

jailTest("11. ANSI noise: what a terminal would show in the end is what is shown", async () => {
  using place = new TestPlace();
  const script =
    "printf '\\033[1;31mred\\033[0m\\n 10%%\\r 55%%\\r100%%\\n\\033]0;title\\007end\\n'";
  assertEquals((await sh(place, script)).stdout, "red\n100%\nend\n");
});

jailTest("12. secrets in output: they are hidden before anything is shown or kept", async () => {
  using place = new TestPlace();
  const value = `example-${"value"}-4711-${marker()}`;
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  place.write("work/notes", `token ${token}\n`);
  const script = `cat notes; echo ${value}; printf %s ${value} | base64; echo "[$MY_TOKEN]"`;
  const { stdout, stderr } = await runDebrief(["-c", script], { place, env: { MY_TOKEN: value } });
  const kept = await runDebrief(["output", idIn(stderr)], { place });
  const journal = Deno.readTextFileSync(place.at("state/debrief/journal.jsonl"));
  for (const text of [stdout, stderr, kept.stdout, journal]) {
    for (const secret of [value, token, btoa(value)]) {
      assertEquals(text.includes(secret), false, text);
    }
  }
  assertMatch(stdout, /\[REDACTED:MY_TOKEN#\d\]\n/);
  assertStringIncludes(stdout, "\n[]\n");
});

jailTest(
  "13. deny rules bypassed: other spellings are denied, and the kernel knows no spelling",
  async () => {
    using place = new TestPlace();
    place.write("work/vault/key", "inside\n");
    const policy = policyOf(place, { run: { deny: ["touch denied"] } });
    const spellings = [
      "touch denied",
      "touch   denied",
      "touch -c denied",
      "'touch' \"denied\"",
      "\\touch denied",
      "t\\\nouch denied",
      "/usr/bin/touch denied",
      "true && touch denied",
      "echo $(touch denied)",
      "env A=1 touch denied",
      "timeout 5 nice touch denied",
      "sh -c 'touch denied'",
      "eval 'touch denied'",
      "bash -c \"bash -c 'touch denied'\"",
      "echo denied | xargs touch",
      "find . -maxdepth 0 -exec touch denied ';'",
      "f() { touch denied; }; f",
      "trap 'touch denied' EXIT",
      "touch $(echo denied)",
      claudeText("touch denied", { file: place.at("tmp/claude-70cc-cwd") }),
    ];
    const denied = spellings.map((script) =>
      `debrief --policy ${policy} -c ${shellWord(script)}; echo $?`
    );
    const { stdout } = await runWithDebrief(`(${denied.join("\n")}) 2>/dev/null`, { place });
    assertEquals(stdout, "126\n".repeat(spellings.length));
    assertEquals((await sh(place, "touch allowed", ["--policy", policy])).code, 0);
    // What text cannot tell the kernel decides: a name that is made at run time, an interpreter, a link.
    const outside = place.at("outside/x");
    for (
      const script of [
        `n=touch; $n ${outside}`,
        `python3 -c 'open("${outside}", "w")' || exit 1`,
        `ln -s ${place.at("outside")} link; echo x >link/x`,
      ]
    ) {
      assertEquals((await sh(place, script)).code === 0, false, script);
    }
    assertEquals([...Deno.readDirSync(place.at("outside"))], []);
  },
);

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

jailTest("14. prompt fatigue: nothing is ever asked, and no input is taken", async () => {
  using place = new TestPlace();
  const policy = policyOf(place, { run: { deny: ["git push"] } });
  const answers = "y\n".repeat(3);
  const script = "mkdir build && echo x >build/out && rm -r build; cat";
  const { code, stdout, stderr } = await runDebrief(["--policy", policy, "-c", script], {
    place,
    stdin: answers,
  });
  // All that could have answered a question arrived at the command.
  assertEquals([code, stdout], [0, answers]);
  assertEquals(stderr.includes("?"), false, stderr);
  const denied = await runDebrief(["--policy", policy, "-c", "git push"], {
    place,
    stdin: answers,
  });
  assertEquals([denied.code, denied.stdout], [126, ""]);
});

jailTest(
  "15. opaque denials: what, by which rule of which line, and what is allowed instead",
  async () => {
    using place = new TestPlace();
    const policy = policyOf(place, { run: { deny: ["git push"] } });
    const byPolicy = await sh(place, "git push origin", ["--policy", policy]);
    assertMatch(
      byPolicy.stderr,
      /\ndenied: run git push origin, run\.deny "git push" \([^)]*policy\.jsonc:1\)/,
    );
    const target = place.at("outside/x");
    const byKernel = await sh(place, `echo x >${target}`, ["--policy", policy]);
    const [, line = ""] = byKernel.stderr.match(/\n(denied: .*)\n/) ?? [];
    assertStringIncludes(line, `write ${target}`);
    assertStringIncludes(line, "allowed");
    assertEquals(place.records().map(({ denials }) => denials.length > 0), [true, true]);
  },
);
