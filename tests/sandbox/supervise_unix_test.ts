import { assertEquals } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

async function python(jailed: TestJail, script: string): Promise<readonly string[]> {
  const prelude = `
import errno, os, socket, stat
def attempt(f):
    try: print(f() or "ok")
    except OSError as e: print(errno.errorcode.get(e.errno, e.errno))
def connect(name):
    s = socket.socket(socket.AF_UNIX); s.connect(name)
def bind(name):
    s = socket.socket(socket.AF_UNIX); s.bind(name); s.listen(); kept.append(s); return "ok"
kept = []
`;
  Deno.writeTextFileSync(jailed.tree.at("work/script.py"), prelude + script);
  const run = await jailed.run(["python3", "script.py"]);
  return (run.stdout + run.stderr).trim().split("\n");
}

jailTest("bindUnix makes names where they may be written, as the caller would", async () => {
  await using jailed = await TestJail.start();
  const said = await python(
    jailed,
    `
os.mkdir("d"); os.chdir("d"); os.umask(0o077)
attempt(lambda: bind("s")); print(oct(stat.S_IMODE(os.stat("s").st_mode)), kept[0].getsockname())
attempt(lambda: connect(os.path.abspath("s"))); attempt(lambda: connect("../d/./s"))
attempt(lambda: bind("s")); attempt(lambda: bind("absent/s")); attempt(lambda: bind("../../outside/s"))
os.symlink("../../outside", "l"); attempt(lambda: bind("l/s")); attempt(lambda: bind("\\0name")); attempt(lambda: connect("\\0name"))
attempt(lambda: connect("nothing")); attempt(lambda: connect("../file"))
os.umask(0); attempt(lambda: bind("open")); print(oct(stat.S_IMODE(os.stat("open").st_mode)))
`,
  );
  assertEquals(said, [
    ...[
      "ok",
      "0o700 s",
      "ok",
      "ok",
      "EADDRINUSE",
      "ENOENT",
      "EACCES",
      "EACCES",
      "EACCES",
      "EACCES",
    ],
    ...["ENOENT", "ECONNREFUSED", "ok", "0o777"],
  ]);
  assertEquals([...Deno.readDirSync(jailed.tree.at("outside"))].map(({ name }) => name), ["file"]);
}, { programs: ["python3"] });

jailTest("connectUnix leads to nobody else's server, unless the policy lists it", async () => {
  await using jailed = await TestJail.start();
  // Listening in another process: this one's own sockets are the session's, as far as the kernel can tell.
  const serve = `import socket, sys
for path in sys.argv[1:]:
    s = socket.socket(socket.AF_UNIX); s.bind(path); s.listen(); globals()[path] = s
print("up", flush=True); sys.stdin.read()`;
  const paths = [jailed.tree.at("work/theirs"), jailed.tree.at("outside/theirs")];
  const child = new Deno.Command("python3", {
    args: ["-c", serve, ...paths],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  let listed: TestJail | null = null;
  const reader = child.stdout.getReader();
  await reader.read();
  try {
    const script = `
for path in ("theirs", "../outside/theirs"): attempt(lambda: connect(path))
os.symlink("../outside/theirs", "l"); attempt(lambda: connect("l"))`;
    assertEquals(await python(jailed, script), ["EACCES", "EACCES", "EACCES"]);
    assertEquals(
      jailed.supervision.takeRefused(),
      paths.map((path) => ({
        permission: "net",
        resource: `unix:${path}`,
      })),
    );
    const net = { allow: [`unix:${paths[1]}`], loopback: true };
    listed = await TestJail.start({
      policy: JSON.stringify({ extends: "default", net }),
      tree: jailed.tree,
    });
    const again = await python(
      listed,
      "for p in ('theirs', '../outside/theirs', 'l'): attempt(lambda: connect(p))",
    );
    assertEquals(again, ["EACCES", "ok", "ok"]);
  } finally {
    await child.stdin.close();
    await reader.cancel();
    await child.status;
    // Last, because its end ends every child of this process.
    await (listed as TestJail | null)?.[Symbol.asyncDispose]();
  }
}, { programs: ["python3"] });

jailTest("connectUnix and bindUnix let ssh-agent serve the session", async () => {
  await using jailed = await TestJail.start();
  const script = `
    eval "$(ssh-agent -a "$PWD/agent")" >/dev/null
    ssh-keygen -q -t ed25519 -N '' -f key && ssh-add -q key && ssh-add -l | wc -l
    ssh-agent -k >/dev/null`;
  const run = await jailed.sh(script);
  assertEquals([run.stdout.trim(), run.stderr], ["1", ""]);
}, { programs: ["ssh-agent", "ssh-keygen"] });
