/** What a caller changes while it is supervised: options of its socket, who listens where, what it has open. */
import { assert, assertEquals } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

const PRELUDE = `
import ctypes, errno, os, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(f):
    try: return f() or "ok"
    except OSError as e: return errno.errorcode.get(e.errno, e.errno)
def thread(f): threading.Thread(target=f, daemon=True).start()
`;

async function python(jailed: TestJail, script: string, ...args: readonly string[]) {
  const name = `script-${crypto.randomUUID()}.py`;
  Deno.writeTextFileSync(jailed.tree.at(`work/${name}`), PRELUDE + script);
  return await jailed.run(["python3", name, ...args]);
}

/** Races that end after five seconds, unless they have stopped the only thread that answers. */
const STOPPING: Readonly<Record<string, string>> = {
  "takes its time limit back while a full queue is waited for": `
s = socket.socket(socket.AF_UNIX); s.bind("full"); s.listen(0)
fill = socket.socket(socket.AF_UNIX); fill.connect("full")
c = socket.socket(socket.AF_UNIX)
forever = (ctypes.c_long * 2)(0, 0)
def spin():
    while True: libc.setsockopt(c.fileno(), 1, socket.SO_SNDTIMEO, forever, 16)
thread(spin)
for _ in range(4): thread(lambda: attempt(lambda: c.connect("full")))
time.sleep(5); os.chmod("full", 0o600); print("answered", flush=True); os._exit(0)`,
  "leaves the last descriptor of a lingering socket to the supervisor": `
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096); s.bind(("127.0.0.1", 0)); s.listen(128)
end = time.monotonic() + 5; number = -1; kept = []
def touch():
    while True: libc.fchmod(number, 0o600)
for _ in range(2): thread(touch)
while time.monotonic() < end:
    c = socket.create_connection(s.getsockname()); kept.append(s.accept()[0])
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 3600))
    c.setblocking(False); attempt(lambda: c.send(bytes(1 << 20) * 4))
    number = c.fileno(); time.sleep(0.005)
    # As another thread would: no wait for what is sent.
    os.dup2(0, number); c.detach(); os.close(number)
number = -1; os.chmod(".", 0o755); print("answered", flush=True); os._exit(0)`,
};

for (const [name, script] of Object.entries(STOPPING)) {
  jailTest(`a Supervisor goes on when its caller ${name}`, async () => {
    await using jailed = await TestJail.start();
    const run = await python(jailed, script);
    assertEquals([run.stdout, run.timedOut], ["answered\n", false], run.stderr);
  }, { programs: ["python3"] });
}

jailTest("a Supervisor leaves no connection to the kernel that nobody has taken", async () => {
  await using jailed = await TestJail.start();
  const script = `
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0); address = s.getsockname()
fill = [socket.socket() for _ in range(3)]
for f in fill: f.setblocking(False); attempt(lambda: f.connect(address))
c = socket.socket(); c.setblocking(False); said = attempt(lambda: c.connect(address))
late = socket.socket(); thread(lambda: attempt(lambda: late.connect(address)))
time.sleep(0.3); s.close(); print(said, address[1], flush=True)
sys.stdin.close()
# The kernel asks for a connection again after 1, 3 and 7 seconds.
end = time.monotonic() + 9
while time.monotonic() < end:
    for one in [c, late]: attempt(lambda: one.send(b"x"))
    time.sleep(0.01)
`;
  let server: Deno.Listener | null = null;
  let seen = 0;
  const name = "script.py";
  Deno.writeTextFileSync(jailed.tree.at(`work/${name}`), PRELUDE + script);
  const run = await jailed.run(["python3", name], {
    onOutput: (text) => {
      const port = Number(text.match(/^\S+ (\d+)\n/)?.[1]);
      if (server !== null || !port) return;
      // The user's own, which starts on the port that the command has left.
      const own = server = Deno.listen({ hostname: "127.0.0.1", port });
      (async () => {
        for await (const connection of own) {
          seen++;
          connection.close();
        }
      })();
    },
  });
  assert(server !== null, run.stdout + run.stderr);
  // Control: it can be reached.
  (await Deno.connect({ hostname: "127.0.0.1", port: Number(run.stdout.split(" ")[1]) })).close();
  (server as Deno.Listener).close();
  assertEquals([run.stdout.split(" ")[0], run.stderr], ["ECONNREFUSED", ""]);
  assert(seen <= 1, `${seen} connections came`);
}, { programs: ["python3"] });

jailTest("a server whose queue is full is reached when it has taken something", async () => {
  await using jailed = await TestJail.start();
  const run = await python(
    jailed,
    `
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0); taken = []
def serve():
    time.sleep(0.3)
    while True: taken.append(s.accept()[0])
thread(serve)
def client(blocking):
    c = socket.socket(); c.setblocking(blocking); said = attempt(lambda: c.connect(s.getsockname()))
    c.setblocking(True); results.append((blocking, said if blocking else said in ("ok", "EINPROGRESS"), attempt(lambda: c.send(b"x")))); clients.append(c)
clients, results = [], []
threads = [threading.Thread(target=client, args=(index % 2 == 0,)) for index in range(12)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(set(results)))`,
  );
  assertEquals([run.stdout, run.stderr], ["[(False, True, 1), (True, 'ok', 1)]\n", ""]);
}, { programs: ["python3"] });

jailTest("a command cannot share its port with a server that starts later", async () => {
  await using jailed = await TestJail.start();
  await jailed.sh(
    `python3 -c 'import socket, time
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1); s.bind(("127.0.0.1", 0)); s.listen()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
open("port", "w").write(str(s.getsockname()[1])); time.sleep(60)' </dev/null >/dev/null 2>&1 &
while [ ! -s port ]; do sleep 0.05; done`,
  );
  const port = Deno.readTextFileSync(jailed.tree.at("work/port"));
  const share = (port: string) =>
    new Deno.Command("python3", {
      args: [
        "-c",
        `import socket, sys
def bind(port):
    s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1); s.bind(("127.0.0.1", port)); s.listen(); return s
first = bind(int(sys.argv[1])); print(first is not bind(first.getsockname()[1]))`,
        port,
      ],
    }).outputSync();
  assertEquals(new TextDecoder().decode(share("0").stdout), "True\n");
  const theirs = new TextDecoder().decode(share(port).stderr);
  assert(theirs.includes("Address already in use"), theirs);
}, { programs: ["python3"] });

jailTest("connectUnix leads to nobody else's server, not even for a moment", async () => {
  await using jailed = await TestJail.start();
  const path = jailed.tree.at("work/theirs");
  const server = new Deno.Command("python3", {
    args: [
      "-c",
      `import socket, sys, threading
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(64); came = []
def serve():
    while True:
        c = s.accept()[0]; data = c.recv(100); came.append(data); c.close()
threading.Thread(target=serve, daemon=True).start()
print("up", flush=True); sys.stdin.read(); print(sum(map(len, came)), flush=True)`,
      path,
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  // The end of a jail ends and reaps every child of this process.
  const ended = server.status.catch(() => {});
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const line = async () => {
    for (let text = "";;) {
      const { value, done } = await reader.read();
      text += value ?? "";
      if (done || text.endsWith("\n")) return text.trim();
    }
  };
  assertEquals(await line(), "up");
  const write = `
end = time.monotonic() + 2; c = None
def push():
    while True:
        if c is not None: libc.send(c.fileno(), b"x", 1, socket.MSG_NOSIGNAL | socket.MSG_DONTWAIT)
thread(push); said = set()
while time.monotonic() < end:
    c = socket.socket(socket.AF_UNIX); said.add(attempt(lambda: c.connect("theirs"))); c.close()
print(said, flush=True); os._exit(0)`;
  const run = await python(jailed, write);
  // The control.
  const bare = new Deno.Command("python3", {
    args: [
      "-c",
      `import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b"control"); s.recv(1)`,
      path,
    ],
  }).outputSync();
  assert(bare.success, new TextDecoder().decode(bare.stderr));
  await server.stdin.close();
  assertEquals([run.stdout, await line()], ["{'EACCES'}\n", "7"]);
  await reader.cancel();
  await ended;
}, { programs: ["python3"] });
