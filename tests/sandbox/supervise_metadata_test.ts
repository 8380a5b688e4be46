import { assert, assertEquals } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

const FORMS = new URL("./metadata_forms.py", import.meta.url);

/** Runs the table of calls in the jail and, as the control, without one. */
async function tryCalls(
  jailed: TestJail,
  words: readonly string[],
): Promise<{ readonly inside: readonly string[]; readonly outside: readonly string[] }> {
  Deno.writeTextFileSync(jailed.tree.at("work/forms.py"), Deno.readTextFileSync(FORMS));
  const args = ["forms.py", ...words];
  const run = await jailed.run(["python3", ...args]);
  const bare = await new Deno.Command("python3", { args, cwd: jailed.tree.at("work") }).output();
  const lines = (text: string) => text.trim().split("\n");
  assertEquals(run.stderr, "");
  return { inside: lines(run.stdout), outside: lines(new TextDecoder().decode(bare.stdout)) };
}

jailTest("superviseMetadata lets every call through on a file that may be written", async () => {
  await using jailed = await TestJail.start();
  const { inside, outside } = await tryCalls(jailed, ["forms", jailed.tree.at("work"), "file"]);
  assertEquals(inside, outside);
  assert(inside.filter((line) => line.endsWith(" 0")).length >= 25, inside.join("\n"));
}, { programs: ["python3"] });

jailTest("superviseMetadata refuses every call on a file that may only be read", async () => {
  const policy = JSON.stringify({ extends: "default", read: ["$HOME/granted"] });
  await using jailed = await TestJail.start({
    policy,
    prepare: (tree) => tree.add("home/granted/file", "text"),
  });
  const path = jailed.tree.at("home/granted");
  const before = Deno.statSync(`${path}/file`);
  const { inside, outside } = await tryCalls(jailed, ["forms", path, "file"]);
  const passed = outside.flatMap((line, index) => line.endsWith(" 0") ? [index] : []);
  assert(passed.length >= 25, outside.join("\n"));
  assertEquals(passed.map((index) => inside[index]).filter((line) => !/ EACCES$/.test(line!)), []);
  assertEquals(jailed.supervision.takeRefused(), [
    { permission: "write", resource: `${path}/file` },
  ]);
  assertEquals(Deno.statSync(`${path}/file`).mode, before.mode);
}, { programs: ["python3"] });

jailTest("superviseMetadata gives the kernel's own errors", async () => {
  await using jailed = await TestJail.start();
  const { inside, outside } = await tryCalls(jailed, ["mistakes", jailed.tree.at("work"), "file"]);
  assertEquals(inside, outside);
}, { programs: ["python3"] });

jailTest("superviseMetadata follows no link out, however fast it changes", async () => {
  await using jailed = await TestJail.start();
  const outside = jailed.tree.at("outside/file");
  Deno.chmodSync(outside, 0o640);
  const script = `
import os, sys, threading
target, stop = sys.argv[1], False
os.makedirs("d"); open("d/file", "w").close(); open("own", "w").close()
def swap():
    while not stop:
        for to in (target, "own"):
            os.symlink(to, "new"); os.rename("new", "l")
        os.rename("d", "d2"); os.symlink(os.path.dirname(target), "d"); os.unlink("d"); os.rename("d2", "d")
thread = threading.Thread(target=swap); thread.start()
done = refused = 0
for _ in range(1500):
    for path in ("l", "d/file"):
        try: os.chmod(path, 0o777); done += 1
        except OSError: refused += 1
stop = True; thread.join()
print(done > 0, refused > 0)`;
  Deno.writeTextFileSync(jailed.tree.at("work/race.py"), script);
  const run = await jailed.run(["python3", "race.py", outside]);
  assertEquals([run.stdout, run.stderr], ["True True\n", ""]);
  assertEquals(Deno.statSync(outside).mode! & 0o777, 0o640);
}, { programs: ["python3"] });

jailTest("superviseMetadata acts for threads, and under signals", async () => {
  await using jailed = await TestJail.start();
  const script = `
import os, signal, threading
hits = 0
def hit(*_):
    global hits; hits += 1
signal.signal(signal.SIGALRM, hit)
# As most runtimes ask for; without it the kernel breaks a call off that nobody has taken up yet.
signal.siginterrupt(signal.SIGALRM, False)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
failed = []
def work(n):
    base = os.open(".", os.O_PATH)
    for i in range(200):
        try:
            open(f"f{n}", "w").close(); os.chmod(f"f{n}", 0o600 + i % 64, dir_fd=base)
            assert os.stat(f"f{n}").st_mode & 0o777 == 0o600 + i % 64
        except Exception as error: failed.append(error)
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for t in threads: t.start()
work(9)
for t in threads: t.join()
print(failed, hits > 0)`;
  Deno.writeTextFileSync(jailed.tree.at("work/threads.py"), script);
  assertEquals((await jailed.run(["python3", "threads.py"])).stdout, "[] True\n");
}, { programs: ["python3"] });

jailTest(
  "superviseMetadata leaves devices alone, and lets pipes and unnamed files be",
  async () => {
    await using jailed = await TestJail.start();
    const script = `
import os, tempfile
def attempt(f):
    try: f(); print(0)
    except OSError as e: print(e.errno)
attempt(lambda: os.chmod("/dev/null", 0o600))
attempt(lambda: os.utime("/dev/null", (1, 1)))
attempt(lambda: os.fchmod(os.open("/dev/null", os.O_RDWR), 0o600))
attempt(lambda: os.fchmod(os.pipe()[0], 0o600))
attempt(lambda: os.fchmod(os.memfd_create("x"), 0o600))
f = open("gone", "w"); os.unlink("gone"); attempt(lambda: os.fchmod(f.fileno(), 0o600))
attempt(lambda: os.chmod("/proc/self/comm", 0o600))
attempt(lambda: os.chmod("/proc/self/cwd/file", 0o600))
`;
    Deno.writeTextFileSync(jailed.tree.at("work/others.py"), script);
    const { stdout } = await jailed.run(["python3", "others.py"]);
    assertEquals(stdout.trim().split("\n"), ["1", "1", "1", "0", "0", "0", "13", "40"]);
  },
  { programs: ["python3"] },
);

jailTest(
  "a Supervisor keeps no timeout waiting, and leaves ordinary tools their work",
  async () => {
    await using jailed = await TestJail.start();
    const busy = "import os\nwhile True: os.chmod('file', 0o600)";
    const run = await jailed.run(["python3", "-c", busy], { timeoutMs: 500, graceMs: 50 });
    assertEquals(run.timedOut, true);
    const tools = await jailed.sh(`
    set -e
    mkdir a; echo x >a/f; chmod 750 a; touch -d 2001-02-03T04:05:06Z a/f; ln -s f a/l
    cp -a a b; tar -cf t.tar a; mkdir c; tar -xpf t.tar -C c; install -m 640 a/f i
    for d in a b c/a; do TZ=UTC stat -c '%a %Y' $d $d/f | tr '\\n' ' '; done; stat -c %a i`);
    const [tree, installed] = [tools.stdout.trim().slice(0, -4), tools.stdout.trim().slice(-3)];
    const times = [...tree.matchAll(/981173106/g)].length;
    assertEquals([tools.stderr, times, installed], ["", 3, "640"]);
  },
  { programs: ["python3", "tar", "install"] },
);
