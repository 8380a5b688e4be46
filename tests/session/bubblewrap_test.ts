/** Sessions whose jail is bubblewrap's: what holds for the kernel's holds for it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { livingWith } from "../complaints/living_processes.ts";
import { bubblewrapTest, jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";
import { until } from "../sandbox/observe.ts";

function policyText(rules: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ extends: "default", backend: "bubblewrap", ...rules });
}

bubblewrapTest("a command of bubblewrap's ends as it would without it, and is proven", async () => {
  await using session = new TestSession({ policyText: policyText() });
  const cases = [
    { in: "exit 0", want: 0 },
    { in: "exit 7", want: 7 },
    { in: "exit 255", want: 255 },
    // What bwrap passes on of a signal is the number that shells use for it.
    { in: "kill -TERM $$", want: 143 },
    { in: "kill -KILL $$", want: 137 },
  ];
  for (const { in: source, want } of cases) {
    const { record } = await session.run(["sh", "-c", source]);
    assertEquals([record.exit_code, record.signal, record.error], [want, null, null], source);
    assertEquals(record.sandbox.backend, "bubblewrap");
    assertEquals([record.sandbox.proof?.noNewPrivs, record.sandbox.proof?.seccomp], [1, 2]);
    assertMatch(record.sandbox.proof?.capEff ?? "", /^0+$/);
  }
  const { record } = await session.run(["nosuch-program"]);
  assertEquals([record.outcome.kind, record.exit_code], ["not-found", null]);
});

bubblewrapTest(
  "a session of bubblewrap's keeps its state, gets its input and stands in its directory",
  async () => {
    await using session = new TestSession({ policyText: policyText() });
    session.place.write("work/sub/file", "inside\n");
    await session.run("cd sub; export A=1; f() { echo from f; }");
    const { stdout } = await session.run("pwd; echo $A; f; cat file; [ -t 0 ] || echo no terminal");
    assertEquals(stdout, `${session.place.at("work/sub")}\n1\nfrom f\ninside\nno terminal\n`);
    // The last one is the directory itself.
    assertEquals((await session.run(["ls", "/proc/self/fd"])).stdout, "0\n1\n2\n3\n");
  },
);

bubblewrapTest("bubblewrap keeps a deny exact, and new files can be made beside it", async () => {
  using place = new TestPlace();
  place.write("work/conf/secret", "hidden\n");
  place.write("work/conf/fixed", "fixed\n");
  place.write("work/closed/inner", "hidden\n");
  const text = policyText({
    backend: "auto",
    read: { deny: ["$WORKSPACE/conf/secret", "$WORKSPACE/closed"] },
    write: { deny: ["$WORKSPACE/conf/fixed"] },
  });
  await using session = new TestSession({ place, policyText: text });
  assertEquals(session.context.jail.plan.backend.kind, "bubblewrap");
  const allowed = [
    "echo x >new",
    "echo x >conf/new",
    "mkdir -p a/b",
    "cat conf/fixed",
    "mv new newer",
  ];
  const refused = [
    "cat conf/secret",
    "echo x >conf/secret",
    "rm conf/secret",
    "mv conf/secret conf/moved",
    "ln conf/secret conf/linked",
    "mv conf moved",
    "rm -rf conf",
    "echo x >conf/fixed",
    "mv conf/fixed conf/moved",
    "ls closed",
    "cat closed/inner",
    "chmod 777 closed",
    "touch closed/x",
    "mv closed opened",
  ];
  for (const source of allowed) {
    assertEquals((await session.run(source)).record.exit_code, 0, source);
  }
  for (const source of refused) {
    const { record, stdout } = await session.run(source);
    assert(record.exit_code !== 0 && record.exit_code !== null, source);
    assertEquals(stdout.includes("hidden"), false, source);
  }
  assertEquals(Deno.readTextFileSync(place.at("work/conf/secret")), "hidden\n");
  assertEquals(Deno.readTextFileSync(place.at("work/conf/fixed")), "fixed\n");
});

bubblewrapTest("what a command makes under a denied name is removed and reported", async () => {
  using place = new TestPlace();
  const text = policyText({
    read: { deny: ["$WORKSPACE/*.key"] },
    write: { deny: ["$WORKSPACE/.env", "$WORKSPACE/dir/hook"] },
  });
  await using session = new TestSession({ place, policyText: text });
  const { record } = await session.run(
    "echo x >a.key; mkdir .env dir; echo x >dir/hook; echo x >dir/file",
  );
  const names = ["a.key", ".env", "dir/hook"].map((name) => place.at(`work/${name}`));
  assertEquals([...record.changed].sort(), names.sort());
  const left = [...Deno.readDirSync(place.at("work"))].map(({ name }) => name).sort();
  assertEquals(left, [".git", "dir"]);
  assertEquals((await session.run("cat dir/file")).stdout, "x\n");
});

bubblewrapTest("what a command of bubblewrap's leaves running ends with it", async () => {
  await using session = new TestSession({ policyText: policyText() });
  const marker = 7_000_000 + Math.floor(Math.random() * 1_000_000);
  const { record } = await session.run(`(setsid sleep ${marker} & ) >/dev/null 2>&1; true`);
  assertEquals(record.exit_code, 0);
  const { stdout } = await session.run("ps ax");
  assertEquals(stdout.includes(String(marker)), false);
  assertEquals(commandLines().filter((line) => line.includes(String(marker))), []);
});

function commandLines(): readonly string[] {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => /^\d+$/.test(name)).map(({ name }) => {
    try {
      return Deno.readTextFileSync(`/proc/${name}/cmdline`);
    } catch {
      return "";
    }
  });
}

bubblewrapTest(
  "a command of bubblewrap's gets TERM and its grace before it is killed",
  async () => {
    await using session = new TestSession({
      policyText: policyText({ limits: { grace: "10s" } }),
      keepsState: false,
    });
    const source =
      "trap 'echo ended in order; exit 3' TERM; echo ready; while :; do sleep 0.1; done";
    const { record, stdout } = await session.run(source, { timeoutMs: 1500 });
    assertEquals(stdout, "ready\nended in order\n");
    assertEquals([record.outcome.kind, record.exit_code], ["timeout", null]);
  },
);

bubblewrapTest("no variable of a command reaches bwrap itself", async () => {
  using place = new TestPlace();
  const text = policyText({ env: { set: { LD_PRELOAD: "$X" } } });
  // The loader complains of an object that is not there, once for each program that it starts.
  const library = place.at("work/absent.so");
  await using session = new TestSession({ place, policyText: text.replace("$X", library) });
  const { stderr, record } = await session.run(["true"]);
  assertEquals(record.exit_code, 0);
  assertEquals(stderr.split("\n").filter((line) => line.includes(library)).length >= 1, true);
  assertEquals(/bwrap.*absent\.so/.test(stderr), false);
});

bubblewrapTest(
  "a network of its own lets servers of a command be reached by it alone",
  async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    await using session = new TestSession({ policyText: policyText() });
    const outside = await session.run(`exec 3<>/dev/tcp/127.0.0.1/${listener.addr.port}`);
    assert(outside.record.exit_code !== 0);
    const script = `
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
server.accept()[0].sendall(b"served")
print(client.recv(9).decode())
try:
    socket.socket(socket.AF_UNIX)
except PermissionError:
    print("refused")`;
    const own = await session.run(["python3", "-c", script]);
    assertEquals([own.stdout, own.stderr], ["served\nrefused\n", ""]);
  },
  { programs: ["python3"] },
);

bubblewrapTest("shared memory and terminals are private where the policy names them", async () => {
  const text = policyText({
    backend: "auto",
    write: ["/dev/shm", "/dev/pts"],
    read: ["/dev/pts"],
    limits: { memory: "200M" },
  });
  await using session = new TestSession({ policyText: text });
  const script =
    "from multiprocessing import Pool\nif __name__ == '__main__':\n with Pool(2) as p: print(sum(p.map(abs, [1, -2])))";
  const { stdout, stderr } = await session.run(["python3", "-c", script]);
  assertEquals([stdout, stderr], ["3\n", ""]);
  const name = `debrief-${crypto.randomUUID()}`;
  await session.run(`touch /dev/shm/${name}`);
  assertEquals((await session.run(`ls /dev/shm`)).stdout, "");
  // What lies there belongs to no process: without a control group nothing else would bound it.
  const size = await session.run(["df", "-B1", "--output=size", "/dev/shm"]);
  assertMatch(size.stdout, /\n *209715200\n$/);
  const terminal = await session.run(["script", "-qc", "tty", "/dev/null"]);
  assertMatch(terminal.stdout, /^\/dev\/pts\/\d+\r?\n$/);
}, { programs: ["python3", "script"] });

jailTest('a policy of "none" runs without a jail, and every block and record says so', async () => {
  await using session = new TestSession({ policyText: policyText({ backend: "none" }) });
  const outside = session.place.at("outside/made");
  const { record, block } = await session.run(`echo x >${outside}`);
  assertEquals([record.exit_code, Deno.readTextFileSync(outside)], [0, "x\n"]);
  assertEquals(record.sandbox.backend, "none");
  assertEquals(new Set(Object.values(record.sandbox.enforced)), new Set(["unsupported"]));
  assertStringIncludes(JSON.stringify(block), "nothing is enforced");
  const other = await session.run("true");
  assertStringIncludes(JSON.stringify(other.block), "nothing is enforced");
});

bubblewrapTest(
  "a job of bubblewrap's runs beside commands, asks, is fed and is killed",
  async () => {
    await using session = new TestSession({ policyText: policyText() });
    const start = (source: string) =>
      session.session.start({ text: { kind: "script" as const, source } });
    const job = await start(
      "(setsid sleep 311 &); printf 'name? '; read x; echo hello $x; sleep 312",
    );
    const other = await start("sleep 313");
    await until(() => job.view.waits !== null);
    assertEquals(job.view.waits, { asks: "name?" });
    assertEquals((await session.run("echo beside; true")).stdout, "beside\n");
    await job.send(new TextEncoder().encode("you\n"));
    await until(() => job.view.bytes.stdout >= 16);
    job.kill();
    const { record } = await job.ended;
    assertEquals([record.outcome.kind, record.stdout_tail], ["killed", "name? hello you\n"]);
    assertEquals(other.isRunning, true);
    assertEquals([...livingWith("311"), ...livingWith("312")], []);
  },
);

bubblewrapTest(
  "what is protected and there is read-only for a command of bubblewrap's",
  async () => {
    using place = new TestPlace();
    place.write("work/.vscode/settings.json", "{}");
    place.write("work/.envrc", "user");
    place.write("work/.bashrc", "user");
    Deno.symlinkSync("elsewhere", place.at("work/.zshrc"));
    const rules = { protect: { except: ["$WORKSPACE/.bashrc"] } };
    await using session = new TestSession({ place, policyText: policyText(rules) });
    const attempts = [
      "echo x >.envrc",
      "rm .envrc",
      "mv .envrc other",
      "ln .envrc other",
      "mv .vscode other",
      "echo x >.vscode/settings.json",
    ];
    for (const attempt of attempts) {
      const { record } = await session.run(attempt);
      assertEquals([record.exit_code, record.changed], [1, []], attempt);
    }
    const denied = (await session.run("echo x >.envrc")).record.denials;
    assertEquals(denied.map(({ resource }) => resource), [place.at("work/.envrc")]);
    assertStringIncludes(denied[0]?.rule ?? "", "protect.except");
    // The controls: what was taken out, what stands beside, and what is not there yet, which is checked.
    const { record } = await session.run(
      "echo x >.bashrc && echo x >.vscode/other && echo x >.exrc",
    );
    assertEquals([record.exit_code, record.changed], [0, [place.at("work/.exrc")]]);
    assertEquals(Deno.readTextFileSync(place.at("work/.envrc")), "user");
    assertEquals(Deno.readTextFileSync(place.at("work/.bashrc")), "x\n");
  },
);
