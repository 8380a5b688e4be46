/** The commands that read: policy, log, show, output, doctor, end to end in a home of their own. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

jailTest("debrief log, show and output lead to what commands left", async () => {
  using place = new TestPlace();
  const state = { place };
  const first = await runDebrief([
    "--task",
    "t1",
    "--note",
    "5 lines",
    "-c",
    "seq 5; echo bad >&2; exit 3",
  ], state);
  const id = first.stderr.match(/, (c\w{7})/)?.[1] ?? "";
  await runDebrief(["-c", "true"], state);
  const run = async (...args: string[]) => await runDebrief(args, state);
  const [log, json, task, session, verify, show, short, none] = await Promise.all([
    run("log"),
    run("log", "--json", "--limit", "1"),
    run("log", "--task", "t1"),
    run("log", "--session", "nosuch"),
    run("log", "--verify"),
    run("show", id),
    run("show", id.slice(0, 4), "--json"),
    run("log", "--journal", place.at("empty")),
  ]);
  assertEquals(log.stdout.split("\n").length, 3);
  assertStringIncludes(log.stdout, "seq 5; echo bad");
  assertEquals(JSON.parse(json.stdout)[0]?.command ?? JSON.parse(json.stdout).command, ["true"]);
  assertEquals([task.stdout.split("\n").length, task.stdout.includes(id)], [2, true]);
  assertEquals([session.code, session.stdout, none.code, none.stdout], [0, "", 0, ""]);
  assertEquals([session.stderr, /empty" does not exist$/m.test(none.stderr)], ["", true]);
  assertEquals([verify.code, verify.stdout], [0, "2 records, 0 gaps\n"]);
  const record = JSON.parse(show.stdout);
  assertEquals([record.command_id, record.task_id, record.agent_note, record.exit_code], [
    id,
    "t1",
    "5 lines",
    3,
  ]);
  assertEquals(JSON.parse(short.stdout), record);
  assertEquals(short.stdout.split("\n").length, 2);

  const outputs: readonly (readonly [readonly string[], string])[] = [
    [[], "1\n2\n3\n4\n5\nbad\n"],
    [["--stdout", "--lines", "2:3"], "2\n3\n"],
    [["--stdout", "--lines", "4"], "4\n"],
    [
      ["--json", "--lines", "5:"],
      '{"stream":"stdout","line":5,"text":"5"}\n',
    ],
    [
      ["--json", "--grep", "^(2|ba+d)$", "--around", "1"],
      [
        '{"stream":"stdout","line":1,"text":"1","match":false}',
        '{"stream":"stdout","line":2,"text":"2","match":true}',
        '{"stream":"stdout","line":3,"text":"3","match":false}',
        '{"stream":"stderr","line":1,"text":"bad","match":true}\n',
      ].join("\n"),
    ],
    [["--stderr"], "bad\n"],
    [["--stdout", "--tail", "1"], "5\n"],
    [["--stdout", "--grep", "^[24]$", "--around", "1"], "1-1\n2:2\n3-3\n4:4\n5-5\n"],
  ];
  const texts = await Promise.all(outputs.map(([flags]) => run("output", id, ...flags)));
  assertEquals(texts.map(({ stdout }) => stdout), outputs.map(([, want]) => want));
  const bad = await run("output", id, "--grep", "(");
  assertEquals([bad.code, bad.stderr.split("\n").length], [2, 2]);

  const journal = place.at("state/debrief/journal.jsonl");
  Deno.writeTextFileSync(journal, Deno.readTextFileSync(journal).replace("5 lines", "6 lines"));
  const broken = await run("log", "--verify");
  assertEquals([broken.code, broken.stdout.includes(", 1 gap\n")], [1, true], broken.stdout);
});

jailTest(
  "debrief output of a record without output says so, and of a pruned one as well",
  async () => {
    using place = new TestPlace();
    for (const script of ["true", "echo x"]) await runDebrief(["-c", script], { place });
    const [silent, loud] = place.records().map((record) => record.command_id) as [string, string];
    Deno.removeSync(place.at(`state/debrief/outputs/${loud}`), { recursive: true });
    for (const id of [silent, loud]) {
      const { code, stderr } = await runDebrief(["output", id], { place });
      assertEquals([code, stderr.startsWith(`debrief: Cannot`), stderr.includes(id)], [
        2,
        true,
        true,
      ], stderr);
    }
  },
);

jailTest("debrief policy lists, shows and checks", async () => {
  using place = new TestPlace();
  const good = place.write(
    "work/team.jsonc",
    '{ "extends": "readonly", "run": { "deny": ["curl"] } }',
  );
  const outside = place.write(
    "team.jsonc",
    '{ "extends": "readonly", "run": { "deny": ["curl"] } }',
  );
  const [list, listJson, show, showJson, check, checkJson, writable] = await Promise.all([
    ["policy", "list"],
    ["policy", "list", "--json"],
    ["policy", "show", "--policy", outside],
    ["policy", "show", "--policy", "readonly", "--json"],
    ["policy", "check", outside],
    ["policy", "check", outside, "--json"],
    ["policy", "check", good, "--workspace", place.at("work")],
  ].map((args) => runDebrief(args, { place })));
  for (const name of ["default", "readonly", "offline", "ci", "open"]) {
    assertMatch(list!.stdout, new RegExp(`^${name} +\\S`, "m"));
  }
  assertEquals(JSON.parse(listJson!.stdout).length, 5);
  assertStringIncludes(show!.stdout, `${outside}:1`);
  assertEquals(JSON.parse(showJson!.stdout).name, "readonly");
  assertEquals(check!.stdout, `${outside}: ok\n`);
  const { ok, files } = JSON.parse(checkJson!.stdout);
  assertEquals([ok, files.at(-1)], [true, outside]);
  const kernel = place.write(
    "kernel.jsonc",
    '{\n"extends": "readonly",\n"write": ["/proc/sys"] }',
  );
  const byKernel = place.write("by.jsonc", '{ "extends": "readonly", "backend": "kernel" }');
  const [refuses, refusesJson, old] = await Promise.all([
    runDebrief(["policy", "check", kernel], { place }),
    runDebrief(["policy", "check", kernel, "--json"], { place }),
    runDebrief(["policy", "check", byKernel], { place, env: { DEBRIEF_LANDLOCK_ABI: "5" } }),
  ]);
  assertEquals(refuses.code, 1);
  assertStringIncludes(
    refuses.stdout,
    `every run on this host is refused\n  write (${kernel}:3): `,
  );
  assertEquals(JSON.parse(refusesJson.stdout).refusals.length, 1);
  assertEquals([old.code, old.stdout.includes("signals: kernel ")], [1, true], old.stdout);
  // "readonly" lets commands write nothing but the private directory, so this file is safe where it lies.
  assertEquals([writable!.code, writable!.stderr], [0, ""]);
  const changes = place.write("work/loose.jsonc", '{ "extends": "default" }');
  const refused = await runDebrief(["policy", "check", changes], { place });
  assertEquals([refused.code, refused.stderr.includes("commands could change it")], [2, true]);
  const trusted = await runDebrief(["policy", "check", changes, "--trust-policy"], { place });
  assertEquals(trusted.code, 0);
});

jailTest("debrief policy check loads the modules of providers", async () => {
  using place = new TestPlace();
  const policy = place.write(
    "modules.jsonc",
    '{ "extends": "default",\n"feedback": { "providers": [{ "name": "Mine", "module": "./mine.ts" }] } }',
  );
  const table = [
    { in: "export default { name: 'Mine', provide: () => null };", want: null },
    {
      in: "export default { name: 'Mine', provides: () => null };",
      want: 'its default export has no function "provide"',
    },
    { in: "throw new Error('not today');", want: "not today" },
    { in: "for (;;);", want: "it took longer than 500 ms" },
  ];
  for (const { in: text, want } of table) {
    place.write("mine.ts", text);
    const { code, stderr } = await runDebrief(["policy", "check", policy], { place });
    const found = want === null ? stderr === "" : stderr.endsWith(`provider "Mine": ${want}\n`);
    assertEquals([code, found], [want === null ? 0 : 2, true], stderr);
  }
});

jailTest(
  "debrief doctor proves the jail, and fails where the policy cannot be enforced",
  async () => {
    using place = new TestPlace();
    const kernel = place.write("kernel.jsonc", '{ "extends": "default", "backend": "kernel" }');
    const unconfined = place.write("none.jsonc", '{ "extends": "default", "backend": "none" }');
    const [text, none, json, old] = await Promise.all([
      runDebrief(["doctor"], { place }),
      runDebrief(["doctor", "--json", "--policy", unconfined], { place }),
      runDebrief(["doctor", "--json", "--policy", "readonly"], { place }),
      runDebrief(["doctor", "--policy", kernel], { place, env: { DEBRIEF_LANDLOCK_ABI: "1" } }),
    ]);
    assertEquals([text!.code, text!.stderr], [0, ""]);
    assertMatch(
      text!.stdout,
      /^\u2713 jail: NoNewPrivs 1, Seccomp 2, CapEff 0000000000000000, forbidden file refused$/m,
    );
    const diagnosis = JSON.parse(json!.stdout);
    assertMatch(diagnosis.shell, /^\/.*\/bash$/);
    assertStringIncludes(text!.stdout, `\n\u2713 shell: ${diagnosis.shell}\n`);
    assertEquals([diagnosis.policy, diagnosis.proof.seccomp, diagnosis.unsupported], [
      "readonly",
      2,
      [],
    ]);
    assertEquals(old!.code, 1);
    assertMatch(old!.stdout, /^\u2717 write .*Landlock ABI 1/m);
    assertMatch(old!.stdout, /^\u2717 backend kernel: Landlock ABI 1, 6 is needed/m);
    assertMatch(text!.stdout, /^\u2713 backend kernel$/m);
    const names = diagnosis.backends.map(({ kind }: { kind: string }) => kind);
    assertEquals([names, diagnosis.backend.kind], [["kernel", "bubblewrap", "none"], "kernel"]);
    assertMatch(
      text!.stdout,
      /^- backend none: confines nothing; taken only where the policy says/m,
    );
    assertEquals([none!.code, JSON.parse(none!.stdout).proof], [1, null]);
    assertEquals(JSON.parse(none!.stdout).problem, 'the backend "none" confines nothing');
    assert(place.leftovers().length === 0);
  },
);

jailTest(
  "debrief policy explain says what a command comes to, and proves the plan with --probe",
  async () => {
    using place = new TestPlace();
    place.write("work/input", "");
    const policy = place.write(
      "p.jsonc",
      '{ "extends": "default", "backend": "kernel",\n"read": { "deny": ["$WORKSPACE/secret"] },\n"run": { "deny": ["curl"] },\n"protect": ["$WORKSPACE/deploy"] }',
    );
    place.write("work/secret/key", "x");
    const explain = (...args: string[]) => runDebrief(["policy", "explain", ...args], { place });
    const [text, json, denied, broken, probed, none] = await Promise.all([
      explain("sort <input >/etc/x", "--policy", "readonly"),
      explain("sort <input | env cat", "--json"),
      explain("env curl x >out", "--policy", policy, "--json"),
      explain("if", "--json"),
      explain("true", "--policy", policy, "--probe", "--json"),
      explain(),
    ]);
    assertEquals([text.code, text.stderr], [0, ""]);
    assertMatch(text.stdout, /^decision +runs$/m);
    assertMatch(
      text.stdout,
      /^ {2}allowed {2}read \S+\/work\/input {2}\(read\.allow "\$WORKSPACE", built-in:/m,
    );
    assertMatch(
      text.stdout,
      /^ {2}denied {3}write \/etc\/x {2}\(no write rule allows it, built-in:readonly:\d+/m,
    );
    assertMatch(
      text.stdout,
      /^ {2}kernel {6}read\.deny \/etc\/shadow\* {2}built-in:readonly:\d+$/m,
    );
    const one = JSON.parse(json.stdout);
    assertEquals([one.runs, one.programs.length, one.net, one.refusals], [true, 3, "none", []]);
    assertEquals(one.programs[2].via, ["env"]);
    const refused = JSON.parse(denied.stdout);
    assertEquals([denied.code, refused.decision, refused.argv], [1, "denied", []]);
    const curl = refused.programs.find(({ text }: { text: string }) => text === "curl x");
    assertEquals([curl.allowed, curl.rule, curl.at], [false, 'run.deny "curl"', `${policy}:3`]);
    assertEquals(refused.redirections[0].allowed, false);
    const [deploy] = refused.protect;
    assertEquals([deploy.written, deploy.at, deploy.enforced], [
      "$WORKSPACE/deploy",
      `${policy}:4`,
      "checked",
    ]);
    assertEquals([broken.code, JSON.parse(broken.stdout).decision], [1, "syntax-error"]);
    assertEquals(none.code, 2);
    const { proofs } = JSON.parse(probed.stdout) as {
      proofs: readonly { about: string; result: string; reason: string | null }[];
    };
    assertEquals([probed.code, proofs.filter(({ result }) => result === "FAILED")], [0, []]);
    const proven = (about: string) => proofs.find((proof) => proof.about.startsWith(about))?.result;
    for (
      const about of [
        'read.allow "$WORKSPACE"',
        'read.deny "$WORKSPACE/secret"',
        'write.allow "$TMP"',
        'run.deny "curl"',
        "net: ",
        "env: ",
        "Debrief's own state cannot be read",
        "Debrief's own state cannot be written",
      ]
    ) assertEquals(proven(about), "proven", about);
    assertEquals(proven('read.allow "/nix/store"'), "not provable here");
    assertEquals([place.leftovers(), [...Deno.readDirSync(place.at("work"))].length], [[], 3]);
  },
);
