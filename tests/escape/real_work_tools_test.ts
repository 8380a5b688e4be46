/** Tools of everyday work that ask the kernel for unusual things: what works in the jail, and what is refused there. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { everydayWork, type Work } from "./everyday_work.ts";
import { BOTH, policyOf, runnerTest } from "./runner.ts";

const WORKS: readonly Work[] = [
  {
    in: "a server in a test, its clients, and unix sockets with their names",
    programs: ["node", "python3"],
    want: ["GET /page", "answer", "unix answer", "refused"],
    script: `
cat >s.js <<'E'
const http = require("http"), net = require("net"), fs = require("fs");
const s = http.createServer((q, r) => { console.log(q.method, q.url); r.end("answer"); });
s.listen(0, async () => {
  const get = (path) => fetch("http://localhost:" + s.address().port + path).then((r) => r.text());
  console.log(await get("/page"));
  s.close(); s.closeAllConnections();
  const u = net.createServer((c) => c.end("unix answer")).listen("./u.sock", () => net.connect("./u.sock").on("data", (d) => { console.log(String(d)); u.close(); }));
  u.on("close", () => net.connect("./gone.sock").on("error", (e) => console.log(e.code === "ENOENT" ? "refused" : e)));
});
E
node s.js
python3 - <<'E'
import multiprocessing.connection as c, threading
with c.Listener("m.sock", "AF_UNIX", authkey=b"k") as l:
    t = threading.Thread(target=lambda: l.accept().send([1, 2])); t.start()
    print(c.Client("m.sock", authkey=b"k").recv()); t.join()
E`,
  },
  {
    in: "keys, certificates, archives with owners, lists of processes, manuals",
    programs: ["openssl", "ssh-keygen", "tar", "ps", "man"],
    want: ["key ED25519", "verified", "self ps", "page - says so"],
    script: `
ssh-keygen -q -t ed25519 -N '' -f k && ssh-keygen -l -f k.pub | sed 's/.*(\\(.*\\))/key \\1/'
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=x 2>/dev/null
openssl verify -CAfile cert.pem cert.pem >/dev/null && echo verified
echo text >f; openssl enc -aes-256-cbc -pbkdf2 -k x -in f | openssl enc -d -aes-256-cbc -pbkdf2 -k x
mkdir -p d; echo x >d/f; chmod 640 d/f; tar --owner=12345 --group=12345 -cf t.tar d && mkdir o && tar --no-same-owner -xpf t.tar -C o && stat -c %a o/d/f
touch -d @1000000000 f; stat -c %Y f; ln -s f l; touch -h -d @1 l; stat -c %Y l; install -m 600 f g; stat -c %a g; cp -a d e; stat -c %a e/f
printf '.TH PAGE 1\\n.SH NAME\\npage \\\\- says so\\n' >page.1 && LC_ALL=C man ./page.1 | grep -o 'page - says so'
echo "self $(ps -o comm= -p $$ | sed 's/bash/ps/')"; uptime >/dev/null && free >/dev/null; df . >/dev/null; echo $?
script=1; (trap 'echo usr1' USR1; kill -USR1 $BASHPID); kill -0 $$; nice -n 1 true; taskset -c 0 true; ionice -c 3 true; chrt -o 0 true; echo $?`,
  },
  {
    in: "C with address sanitizer, threads, link-time optimisation and a debugger's symbols",
    programs: ["gcc"],
    want: ["clean", "found"],
    script: `
cat >a.c <<'E'
#include <stdlib.h>
int main(int c, char **v) { char *p = malloc(8); p[c > 1 ? 8 : 0] = 1; free(p); return 0; }
E
gcc -g -fsanitize=address,undefined -o a a.c && ASAN_OPTIONS=detect_leaks=0 ./a && echo clean
ASAN_OPTIONS=detect_leaks=0 ./a x 2>&1 | grep -q heap-buffer-overflow && echo found
echo 'int g(void); int main(void) { return g(); }' >m.c; echo 'int g(void) { return 0; }' >g.c; gcc -flto -O2 -o m m.c g.c && ./m; echo $?`,
  },
];

everydayWork("tools come to the same result in the jail", WORKS, { ordinary: WORKS.slice(0, 2) });

const SQLITE: Work = {
  in: "a database, its journal and its locks",
  programs: ["sqlite3"],
  want: ["3", "wal"],
  script: `sqlite3 d.db 'create table t (a); insert into t values (1), (2); select sum(a) from t;'
sqlite3 d.db 'pragma journal_mode = wal; insert into t values (3); select count(*) from t;'
(sqlite3 d.db 'pragma busy_timeout = 5000; insert into t values (4);' >/dev/null & sqlite3 d.db 'pragma busy_timeout = 5000; insert into t values (5);' >/dev/null; wait)
sqlite3 d.db 'select sum(a) from t; pragma integrity_check;'`,
};
const JAVA: Work = {
  in: "a virtual machine with its threads, and a server in it",
  programs: ["java"],
  want: ["java 499500", "got x"],
  script: `cat >A.java <<'E'
import java.net.*; import java.util.stream.*;
public class A { public static void main(String[] a) throws Exception {
  System.out.println("java " + IntStream.range(0, 1000).parallel().sum());
  try (ServerSocket s = new ServerSocket(0)) {
    Thread t = new Thread(() -> { try (Socket c = s.accept()) { c.getOutputStream().write('x'); } catch (Exception e) { System.out.println(e); } }); t.start();
    try (Socket c = new Socket("127.0.0.1", s.getLocalPort())) { System.out.println("got " + (char) c.getInputStream().read()); } t.join(); } } }
E
java -Xmx256m A.java`,
};
everydayWork("sqlite comes to the same result in the jail", [SQLITE], { ordinary: [SQLITE] });
everydayWork("java comes to the same result in the jail", [JAVA], { ordinary: [] });

/** What is refused because it reaches into other processes; each works without the jail where it is installed. */
const REFUSED: Readonly<Record<string, string>> = {
  "tracing a process of one's own": `python3 -c 'import ctypes, os, sys
c = ctypes.CDLL(None, use_errno=True); child = os.fork()
if child == 0:
    import time; time.sleep(5)
    os._exit(0)
said = c.ptrace(16, child, 0, 0); os.kill(child, 9); sys.exit(0 if said == 0 else 1)'`,
  "the priority of another process of one's own":
    "sleep 5 & renice -n 5 -p $!; s=$?; kill $!; exit $s",
  "the processors of another process of one's own":
    "sleep 5 & taskset -p 1 $!; s=$?; kill $!; exit $s",
  "a file system of one's own": "unshare -r true",
};

runnerTest(
  "what reaches into other processes is refused, also among a command's own",
  async (place) => {
    for (const [name, script] of Object.entries(REFUSED)) {
      const jailed = await place.debrief(["--block", "off", "-c", script]);
      assert(jailed.code !== 0, `${name}: ${jailed.stdout}${jailed.stderr}`);
      // Hosts may refuse user namespaces and tracing to ordinary users themselves.
      const bare = await place.bare(["bash", "-c", script]);
      if (Deno.uid() === 0 && place.isRoots) assertEquals(bare.code, 0, `${name}: ${bare.stderr}`);
    }
  },
  { programs: ["python3", "taskset", "renice", "unshare"] },
);

/** A server of its own, whose pane says when it has run. The user's own shell may be one that lets nobody in. */
const TMUX =
  `export SHELL=/bin/sh; tmux -S ./s -f /dev/null new-session -d 'echo pane >out; tmux -S ./s wait-for -S ran; sleep 9' &&
timeout 20 tmux -S ./s wait-for ran && cat out; s=$?; tmux -S ./s kill-server; exit $s`;

runnerTest("tmux, which makes terminals, is told at once that it cannot", async (place) => {
  const jailed = await place.debrief([...policyOf(place), "--block", "off", "-c", TMUX]);
  assertEquals([jailed.code !== 0, jailed.stdout], [true, ""], jailed.stderr);
  assertMatch(jailed.stderr, /Permission denied/);
  const bare = await place.bare(["bash", "-c", TMUX]);
  assertEquals([bare.code, bare.stdout], [0, "pane\n"], bare.stderr);
}, { programs: ["tmux"], once: true, backends: BOTH });
