import { assert, assertEquals } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

/** A server of the machine's own, which counts who comes. */
function stranger(options: Deno.TcpListenOptions = { port: 0, hostname: "127.0.0.1" }) {
  const listener = Deno.listen(options);
  const seen = { connections: 0, port: listener.addr.port };
  const done = (async () => {
    for await (const connection of listener) {
      seen.connections++;
      connection.close();
    }
  })();
  return {
    seen,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
    },
  };
}

async function python(
  jailed: TestJail,
  script: string,
  ...args: readonly string[]
): Promise<string> {
  Deno.writeTextFileSync(jailed.tree.at("work/script.py"), script);
  const run = await jailed.run(["python3", "script.py", ...args]);
  return run.stdout + run.stderr;
}

const PRELUDE = `
import asyncio, ctypes, errno, os, socket, sys, threading
def attempt(f):
    try: f(); print("ok")
    except OSError as e: print(errno.errorcode.get(e.errno, e.errno))
`;

const SERVERS: Readonly<
  Record<string, { readonly argv: readonly string[]; readonly want: string }>
> = {
  "http.server and urllib": {
    argv: [
      "python3",
      "-c",
      `import http.server, threading, urllib.request
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self): self.send_response(200); self.end_headers(); self.wfile.write(b"page")
    def log_message(self, *_): pass
s = http.server.ThreadingHTTPServer(("", 0), H)
threading.Thread(target=s.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{s.server_port}/").read().decode(), s.server_address[0])`,
    ],
    want: "page 127.0.0.1\n",
  },
  "asyncio, on TCP and on a unix socket": {
    argv: [
      "python3",
      "-c",
      `import asyncio, os
async def serve(reader, writer): writer.write(await reader.readline()); await writer.drain(); writer.close()
async def main():
    tcp = await asyncio.start_server(serve, "localhost", 0)
    unix = await asyncio.start_unix_server(serve, "u.sock")
    for connect in (lambda: asyncio.open_connection("127.0.0.1", tcp.sockets[0].getsockname()[1]),
                    lambda: asyncio.open_unix_connection(os.path.abspath("u.sock"))):
        reader, writer = await connect(); writer.write(b"line\\n"); print((await reader.readline()).decode().strip()); writer.close()
asyncio.run(main())`,
    ],
    want: "line\nline\n",
  },
  "node, which listens on every address": {
    argv: [
      "node",
      "-e",
      `const http = require("http"), net = require("net");
const s = http.createServer((q, r) => r.end("page")).listen(0, () =>
  http.get({ port: s.address().port, host: "127.0.0.1" }, (r) => r.on("data", (d) => { console.log(String(d)); s.close(); ipc(); })));
const ipc = () => { const u = net.createServer((c) => c.end("ipc")).listen("n.sock", () =>
  net.connect("n.sock").on("data", (d) => { console.log(String(d)); u.close(); })); };
require("os").networkInterfaces();`,
    ],
    want: "page\nipc\n",
  },
  "many threads at once": {
    argv: [
      "python3",
      "-c",
      `import socket, threading
s = socket.create_server(("127.0.0.1", 0), backlog=128); got = []
def connect():
    for _ in range(10):
        with socket.create_connection(s.getsockname()) as c: got.append(c.recv(1))
threads = [threading.Thread(target=connect) for _ in range(16)]
for t in threads: t.start()
for _ in range(160):
    c, _ = s.accept(); c.sendall(b"x"); c.close()
for t in threads: t.join()
print(len(got), set(got), socket.if_nameindex() != [])`,
    ],
    want: "160 {b'x'} True\n",
  },
};

for (const [name, { argv, want }] of Object.entries(SERVERS)) {
  jailTest(`a Supervisor lets a command have servers: ${name}`, async () => {
    await using jailed = await TestJail.start();
    const run = await jailed.run(argv);
    assertEquals([run.stdout, run.stderr], [want, ""]);
    assertEquals(jailed.supervision.takeRefused(), []);
  }, { programs: [argv[0]!] });
}

jailTest(
  "a server of one command is reached by the next, and by no one else's policy",
  async () => {
    await using jailed = await TestJail.start();
    await jailed.sh(
      `python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 0)); open("port", "w").write(str(s.getsockname()[1])); time.sleep(60)' \
    </dev/null >/dev/null 2>&1 & while [ ! -s port ]; do sleep 0.05; done`,
    );
    const connect =
      "import socket; socket.create_connection(('127.0.0.1', int(open('port').read()))); print('in')";
    assertEquals((await jailed.run(["python3", "-c", connect])).stdout, "in\n");
    await using other = await TestJail.start();
    Deno.copyFileSync(jailed.tree.at("work/port"), other.tree.at("work/port"));
    const refused = await other.run(["python3", "-c", connect]);
    assert(refused.stderr.includes("PermissionError"), refused.stderr);
  },
  { programs: ["python3"] },
);

jailTest("a Supervisor connects to nobody else, and says whom it refused", async () => {
  await using host = stranger();
  await using jailed = await TestJail.start();
  const port = String(host.seen.port);
  const script = `${PRELUDE}
port = int(sys.argv[1])
for address in [("127.0.0.1", port), ("0.0.0.0", port), ("192.0.2.1", 80), ("169.254.169.254", 80)]:
    attempt(lambda: socket.create_connection(address, timeout=5))
attempt(lambda: socket.socket(socket.AF_INET6).connect(("::ffff:127.0.0.1", port)))
s = socket.socket(); s.setblocking(False); attempt(lambda: s.connect(("127.0.0.1", port)))
free = socket.socket(); free.bind(("127.0.0.1", 0)); attempt(lambda: socket.create_connection(free.getsockname()))
`;
  const said = await python(jailed, script, port);
  assertEquals(said.split("\n").slice(0, 7), [...Array(6).fill("EACCES"), "ECONNREFUSED"]);
  assertEquals(jailed.supervision.takeRefused().map(({ resource }) => resource), [
    `127.0.0.1:${port}`,
    "192.0.2.1:80",
    "169.254.169.254:80",
  ]);
  assertEquals(host.seen.connections, 0);
  (await Deno.connect({ hostname: "127.0.0.1", port: host.seen.port })).close();
}, { programs: ["python3"] });

jailTest("a Supervisor gives no address beyond the loopback device", async () => {
  await using jailed = await TestJail.start();
  const script = `${PRELUDE}
def bound(family, *address):
    s = socket.socket(family); s.bind(address); s.listen(); print(s.getsockname()[0])
four, six = socket.AF_INET, socket.AF_INET6
bound(four, "", 0); bound(four, "127.3.4.5", 0); bound(six, "::", 0); bound(six, "::1", 0)
attempt(lambda: bound(four, "192.0.2.1", 0))
only = socket.socket(six); only.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1); only.bind(("::", 0)); print(only.getsockname()[0])
none = socket.socket(); none.listen(); print(none.getsockname()[0])
attempt(lambda: socket.socket(four, socket.SOCK_DGRAM))
attempt(lambda: socket.socket(four).bind(("127.0.0.1", 80)))
`;
  const said = (await python(jailed, script)).split("\n");
  const want = ["127.0.0.1", "127.3.4.5", "::ffff:127.0.0.1", "::1", "EACCES", "::1", "127.0.0.1"];
  assertEquals(said.slice(0, 8), [...want, "EACCES"]);
  assert(["EACCES", "ok", "EADDRINUSE"].includes(said[8]!), said[8]);
}, { programs: ["python3"] });

jailTest(
  "a Supervisor decides on a copy of the address, whatever a thread does to it",
  async () => {
    await using host = stranger();
    await using jailed = await TestJail.start();
    const script = `${PRELUDE}
libc = ctypes.CDLL(None, use_errno=True); foreign = int(sys.argv[1]); stop = False
s = socket.create_server(("127.0.0.1", 0), backlog=128); own = s.getsockname()[1]
address = bytearray(b"\\2\\0" + own.to_bytes(2, "big") + b"\\x7f\\0\\0\\1" + bytes(8))
memory = (ctypes.c_char * 16).from_buffer(address)
def flip():
    while not stop:
        address[2:4] = foreign.to_bytes(2, "big"); address[2:4] = own.to_bytes(2, "big")
def drain():
    while not stop:
        try: s.accept()[0].close()
        except OSError: pass
s.settimeout(0.2)
threads = [threading.Thread(target=f) for f in (flip, drain)]
for t in threads: t.start()
def outcome():
    c = socket.socket(); status = 0 if libc.connect(c.fileno(), memory, 16) == 0 else ctypes.get_errno()
    c.close(); return status
results = {outcome() for _ in range(100)}
stop = True
for t in threads: t.join()
# Which of the two the flipping thread leaves more often is up to the machine; without it each has its own answer.
address[2:4] = own.to_bytes(2, "big"); allowed = outcome()
address[2:4] = foreign.to_bytes(2, "big"); print(results - {0, 13}, allowed, outcome())`;
    const said = await python(jailed, script, String(host.seen.port));
    assertEquals(said, "set() 0 13\n");
    assertEquals(host.seen.connections, 0);
  },
  { programs: ["python3"] },
);

jailTest("a Supervisor reaches no stranger on a port that a command has left", async () => {
  await using jailed = await TestJail.start();
  const left = await python(
    jailed,
    `${PRELUDE}
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1]); socket.create_connection(s.getsockname())`,
  );
  await using host = stranger({ hostname: "127.0.0.1", port: Number(left) });
  const again = `${PRELUDE}
attempt(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
attempt(lambda: s.bind(("127.0.0.1", int(sys.argv[1]))))`;
  assertEquals(await python(jailed, again, left.trim()), "EACCES\nEADDRINUSE\n");
  assertEquals(host.seen.connections, 0);
}, { programs: ["python3"] });
