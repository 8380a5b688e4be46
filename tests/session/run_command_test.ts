import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { EXIT } from "../../src/exit_codes.ts";
import { parseRecord } from "../../src/record/record_shape.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "./test_session.ts";

/** A value that secret rules need not know: only its variable's name says what it is. */
const SECRET = ["hush", crypto.randomUUID().replaceAll("-", "")].join("");

jailTest("Session.run() writes a record for every kind of end", async () => {
  const policyText = '{"extends":"default","run":{"deny":["curl"]},"limits":{"grace":"100ms"}}';
  await using session = new TestSession({ policyText, keepsState: false });
  session.place.write("work/plain.txt", "text\n");
  const late = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(2), 150);
    return controller.signal;
  };
  const cases: readonly {
    readonly in: string | readonly string[];
    readonly request?: { readonly timeoutMs?: number; readonly signal?: () => AbortSignal };
    readonly want: readonly [
      code: number | null,
      signal: string | null,
      kind: string,
      status: number,
    ];
    readonly error: RegExp | null;
  }[] = [
    { in: "true", want: [0, null, "success", 0], error: null },
    { in: "exit 255", want: [255, null, "failed", 255], error: null },
    { in: ["sh", "-c", "exit 3"], want: [3, null, "failed", 3], error: null },
    { in: "kill -9 $$", want: [137, "SIGKILL", "killed", 137], error: null },
    { in: "kill -PIPE $$; echo no", want: [141, "SIGPIPE", "killed", 141], error: null },
    {
      in: "sleep 20",
      request: { timeoutMs: 100 },
      want: [null, "SIGTERM", "timeout", EXIT.timeout],
      error: /^timed out after 0\.1 s$/,
    },
    {
      in: "trap '' TERM; while :; do sleep 1; done",
      request: { timeoutMs: 100 },
      want: [null, "SIGKILL", "timeout", EXIT.timeout],
      error: /^timed out/,
    },
    {
      in: "sleep 20",
      request: { signal: late },
      want: [null, "SIGINT", "killed", 130],
      error: /^cancelled$/,
    },
    {
      in: "sleep 20",
      request: { signal: () => AbortSignal.abort() },
      want: [null, null, "no-exit", EXIT.refused],
      error: /^cancelled$/,
    },
    {
      in: "curl x",
      want: [null, null, "denied-policy", EXIT.denied],
      error: /denied by the policy/,
    },
    {
      in: ["env", "curl", "x"],
      want: [null, null, "denied-policy", EXIT.denied],
      error: /denied by the policy/,
    },
    {
      in: "echo 'open",
      want: [null, null, "syntax-error", EXIT.usage],
      error: /^syntax error at line 1, column 11/,
    },
    { in: "echo a\0b", want: [null, null, "syntax-error", EXIT.usage], error: /holds a NUL/ },
    {
      in: ["echo", "a\0b"],
      want: [null, null, "syntax-error", EXIT.usage],
      error: /word 2 holds what no argument can/,
    },
    { in: [], want: [null, null, "syntax-error", EXIT.usage], error: /there is no program/ },
    { in: "nosuch", want: [127, null, "not-found", 127], error: null },
    {
      in: ["nosuch"],
      want: [null, null, "not-found", EXIT.notFound],
      error: /^Cannot start "nosuch": no such file/,
    },
    {
      in: [""],
      want: [null, null, "not-found", EXIT.notFound],
      error: /^Cannot start "": no such file/,
    },
    { in: "./plain.txt", want: [126, null, "not-executable", 126], error: null },
    {
      in: ["./plain.txt"],
      want: [null, null, "not-executable", EXIT.denied],
      error: /^Cannot start ".\/plain.txt": permission denied/,
    },
    {
      in: ["echo", "x".repeat(200_000)],
      want: [null, null, "no-exit", EXIT.refused],
      error: /argument list too long/,
    },
    { in: "cat /etc/shadow", want: [1, null, "denied-sandbox", 1], error: null },
  ];
  for (const { in: what, request, want, error } of cases) {
    const { record, exitStatus, kinds, endsSession } = await session.run(what, {
      ...request,
      signal: request?.signal?.() ?? null,
    });
    const message = JSON.stringify(what).slice(0, 80);
    assertEquals([record.exit_code, record.signal, record.outcome.kind, exitStatus], want, message);
    if (error === null) assertEquals(record.error, null, message);
    else assertMatch(record.error ?? "", error, message);
    assertEquals([kinds[0], kinds.at(-1), endsSession], ["started", "finished", false], message);
    const stored = session.place.records().at(-1)!;
    assertEquals(stored, record, message);
    assertEquals(parseRecord(JSON.stringify(stored)).kind, "record", message);
  }
  assertEquals(session.place.records().length, cases.length);
});

jailTest(
  "Session.run() refuses to run without enforcement, and says what is in force at best effort",
  async () => {
    const environment = { DEBRIEF_LANDLOCK_ABI: "0" };
    {
      const policyText = '{"extends":"default","backend":"kernel"}';
      await using session = new TestSession({ environment, policyText });
      const { record, exitStatus, stdout } = await session.run("echo x; touch ran");
      assertEquals([exitStatus, stdout, record.exit_code], [EXIT.refused, "", null]);
      assertStringIncludes(
        record.error ?? "",
        "the policy cannot be enforced here: read (built-in:readonly:",
      );
      assertEquals([record.sandbox.proof, record.sandbox.enforced.read], [null, "unsupported"]);
      assertThrows(() => Deno.lstatSync(session.place.at("work/ran")), Deno.errors.NotFound);
    }
    const policyText = '{"extends":"default","backend":"kernel","enforcement":"best-effort"}';
    await using session = new TestSession({ environment, policyText });
    const { record, block } = await session.run("echo x");
    assertEquals([record.exit_code, record.sandbox.proof?.seccomp, record.sandbox.enforced.write], [
      0,
      2,
      "unsupported",
    ]);
    assert(block.sandbox !== null, "the block must say that the sandbox is not whole");
  },
);

jailTest(
  "Session.run() keeps the command's status when its record or its output cannot be stored",
  async () => {
    await using session = new TestSession();
    const state = session.place.at("state/debrief");
    const healthy = await session.run("echo x; exit 0");
    assertEquals(healthy.block.notices, []);

    Deno.removeSync(`${state}/outputs`, { recursive: true });
    Deno.writeTextFileSync(`${state}/outputs`, "");
    const lost = await session.run("echo y; (exit 3)");
    assertEquals([lost.exitStatus, lost.stdout, lost.record.output_id], [3, "y\n", null]);
    assertMatch(lost.block.notices.join(), /^the kept output is incomplete: /);

    // A record must not go where others can read it.
    Deno.chmodSync(`${state}/journal.jsonl`, 0o644);
    Deno.renameSync(`${state}/journal.jsonl`, `${state}/moved`);
    Deno.symlinkSync(`${state}/moved`, `${state}/journal.jsonl`);
    const unrecorded = await session.run("echo z; (exit 4)");
    assertEquals([unrecorded.exitStatus, unrecorded.stdout, unrecorded.record.prev], [
      4,
      "z\n",
      null,
    ]);
    assertMatch(unrecorded.block.notices.join("\n"), /^no record was written: Cannot open/m);
    assertEquals(unrecorded.record.command_id === session.context.history.at(-1)?.command_id, true);
  },
);

jailTest(
  "Session.run() lets no secret into the record, the block or the output, wherever it stands",
  async () => {
    await using session = new TestSession({
      environment: { MY_API_TOKEN: SECRET },
      task: `task ${SECRET}`,
      policyText: '{"extends":"default","env":{"allow":["MY_API_TOKEN"]},"run":{"deny":["curl"]}}',
    });
    Deno.mkdirSync(session.place.at(`work/${SECRET}`));
    const note = `expect ${SECRET}`;
    const runs = [
      await session.run(`echo "$MY_API_TOKEN"; echo "$MY_API_TOKEN" >&2`, { note }),
      await session.run(["echo", SECRET, `--x=${SECRET}`], { note }),
      await session.run([`./${SECRET}.sh`]),
      await session.run(`curl ${SECRET}`),
      await session.run(`echo '${SECRET}`),
      await session.run(`cd ${SECRET}`),
      await session.run(`pwd; false`),
      await session.run(`cat /etc/shadow/${SECRET}`),
      await session.run(
        `sleep 60 & sh -c 'sleep 61; : ${SECRET}' & cd ..; rmdir ${SECRET}; cd ${SECRET}`,
      ),
      await session.run(`mkdir ${SECRET}; cd ${SECRET}; rmdir ../${SECRET}`),
      await session.run("true; :"),
    ];
    for (const [index, run] of runs.entries()) {
      const all = JSON.stringify([run.record, run.block, run.stdout, run.stderr]);
      assertEquals(all.includes(SECRET), false, `run ${index}: ${all}`);
    }
    assertStringIncludes(runs[0]!.stdout, "[REDACTED:");
    assertStringIncludes(runs.at(-1)!.block.notices.join(), "is gone");
    const files = [...Deno.readDirSync(session.place.at("state/debrief"))].filter(({ isFile }) =>
      isFile
    );
    for (const { name } of files) {
      const text = new TextDecoder().decode(
        Deno.readFileSync(session.place.at(`state/debrief/${name}`)),
      );
      assertEquals(text.includes(SECRET), false, name);
    }
  },
);

jailTest("Session.run() says which limit a program complains of", async () => {
  const policyText = '{ "extends": "default",\n"limits": { "openFiles": 16 } }';
  await using session = new TestSession({ policyText });
  const open = (count: number) => `for i in {1..${count}}; do exec {fd}</dev/null || exit; done`;
  const suggestions = async (script: string) => {
    const { record } = await session.run(script);
    return [record.outcome.kind, JSON.stringify(record.suggestions).includes("limits.openFiles")];
  };
  assertEquals(await suggestions(open(64)), ["failed", true]);
  // The controls: within the limit, and the same words where nothing failed.
  assertEquals(await suggestions(open(4)), ["success", false]);
  assertEquals(await suggestions("echo too many open files"), ["success", false]);
});
