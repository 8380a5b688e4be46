/** Everyday work in the jail comes to the same result as without it. */
import { everydayWork, type Work } from "./everyday_work.ts";

const GIT = `
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
export GIT_AUTHOR_DATE=2024-01-01T00:00:00Z GIT_COMMITTER_DATE=2024-01-01T00:00:00Z
`;

const WORKS: readonly Work[] = [
  {
    in: "git: init, add, commit, branch, merge, rebase, stash, tag, gc",
    programs: ["git"],
    want: ["merged", "rebased", "stashed", "fsck 0"],
    script: `${GIT}
git init -q -b main r && cd r && git config gc.auto 0
echo one >a && git add a && git commit -qm one && git tag first
git checkout -qb side && echo two >b && git add b && git commit -qm two
git checkout -q main && echo three >c && git add c && git commit -qm three
git merge -q --no-ff -m merged side && git log -1 --format=%s
git checkout -qb other first && echo four >d && git add d && git commit -qm four
git rebase -q main && git log --format=%s -2 | head -1 && echo rebased
echo five >>d && git stash -q && git stash list | wc -l && git stash pop -q && git diff --stat && echo stashed
git checkout -q -- . && git gc -q && git fsck --strict; echo "fsck $?"
git log --graph --format='%h %s' --all && git status --short && git show --stat HEAD~1
git mv d e && git commit -qam moved && git revert --no-edit HEAD >/dev/null && git log -1 --format=%B
git cherry-pick -x first~0 2>&1 | tail -1; git reset -q --hard; git bisect start -q HEAD first && git bisect reset -q
git blame a && git grep -n one && git ls-tree -r HEAD && git count-objects`,
  },
  {
    in: "git: clone, worktree, remote, push, fetch, submodule",
    programs: ["git"],
    want: ["worktree", "pushed", "fetched"],
    script: `${GIT}
git init -q -b main r && cd r && echo one >a && git add a && git commit -qm one && cd ..
git clone -q --bare r bare.git && git clone -q bare.git c && cd c && git log --format=%h
git worktree add -q ../w -b work && (cd ../w && echo two >b && git add b && git commit -qm worktree)
git worktree list | wc -l && git log -1 --format=%s work
git remote -v | sed "s,$PWD,," | wc -l && git push -q origin work && echo pushed
cd ../r && git remote add up ../bare.git && git fetch -q up && git log --format=%s up/work -1 && echo fetched
git -c protocol.file.allow=always submodule --quiet add ../bare.git sub && git commit -qm sub && git submodule status | wc -l
git worktree prune && git config --get remote.up.url && git archive HEAD | tar -tf -`,
  },
  {
    in: "python: a virtual environment, modules, unit tests",
    programs: ["python3"],
    want: ["OK", "in venv True", "sqlite 3"],
    script: `
python3 -m venv --without-pip v && . v/bin/activate && python -c 'import sys; print("in venv", sys.prefix != sys.base_prefix)'
cat >shapes.py <<'E'
def area(a, b):
    return a * b
E
cat >test_shapes.py <<'E'
import subprocess, sys, tempfile, threading, unittest, asyncio, concurrent.futures
from shapes import area
class T(unittest.TestCase):
    def test_area(self): self.assertEqual(area(2, 3), 6)
    def test_child(self): self.assertEqual(subprocess.check_output([sys.executable, "-c", "print(1)"]), b"1\\n")
    def test_file(self):
        with tempfile.NamedTemporaryFile() as f: f.write(b"x"); f.flush()
    def test_threads(self):
        with concurrent.futures.ThreadPoolExecutor(8) as p: self.assertEqual(sum(p.map(area, range(99), range(99))), 318549)
    def test_async(self):
        async def run():
            p = await asyncio.create_subprocess_exec("sh", "-c", "echo a; exit 3", stdout=subprocess.PIPE)
            return (await p.communicate())[0], p.returncode
        self.assertEqual(asyncio.run(run()), (b"a\\n", 3))
E
python -m unittest -v 2>&1 | sed 's/ in [0-9.]*s$//'
python -m compileall -q . && ls __pycache__ | wc -l
python -c 'import sqlite3; d = sqlite3.connect("d.db"); d.execute("create table t (a)"); d.executemany("insert into t values (?)", [(1,), (2,)]); d.commit(); print("sqlite", d.execute("select sum(a) from t").fetchone()[0])'`,
  },
  {
    in: "C: gcc, ar, make, make -j4, ctest-like runs",
    programs: ["gcc", "make", "ar"],
    want: ["sum 45", "make: 'app' is up to date."],
    script: `
for i in 0 1 2 3 4 5 6 7 8 9; do echo "int part$i(void) { return $i; }" >part$i.c; done
{ for i in 0 1 2 3 4 5 6 7 8 9; do echo "int part$i(void);"; done; echo '#include <stdio.h>'
echo 'int main(void) { printf("sum %d\\n", part0()+part1()+part2()+part3()+part4()+part5()+part6()+part7()+part8()+part9()); return 0; }'; } >main.c
cat >Makefile <<'E'
OBJECTS := $(patsubst %.c,%.o,$(wildcard part*.c))
app: main.o libparts.a
	$(CC) -o $@ main.o -L. -lparts
libparts.a: $(OBJECTS)
	ar rcsD $@ $(sort $^)
%.o: %.c
	$(CC) -O2 -g -Wall -c -o $@ $<
check: app
	./app
clean:
	rm -f *.o *.a app
E
make -s check && make -s clean && make -s -j4 check && make app && gcc -O2 -flto -o lto main.c part*.c && ./lto
sha256sum libparts.a | cut -c1-16; touch part3.c; make -n app | wc -l; gdb --version >/dev/null 2>&1; ls | wc -l`,
  },
  {
    in: "node: child processes, workers, streams, files",
    programs: ["node"],
    want: ["fork 42", "exec 1", "worker 7", "spawned 3", "piped 5"],
    script: `
cat >child.js <<'E'
process.on("message", (n) => { process.send(n * 2); process.disconnect(); });
E
cat >main.js <<'E'
const cp = require("node:child_process"), fs = require("node:fs"), path = require("node:path");
const { Worker } = require("node:worker_threads");
const { pipeline } = require("node:stream/promises");
(async () => {
  await new Promise((done) => { const c = cp.fork(path.join(__dirname, "child.js")); c.on("message", (n) => console.log("fork", n)); c.on("exit", done); c.send(21); });
  console.log("exec", cp.execSync("echo 1").toString().trim());
  console.log("spawned", cp.spawnSync("sh", ["-c", "exit 3"]).status);
  await new Promise((done) => new Worker("require('worker_threads').parentPort.postMessage(7)", { eval: true }).on("message", (n) => { console.log("worker", n); done(); }));
  const c = cp.spawn("wc", ["-c"]); c.stdin.end("12345"); let out = ""; for await (const d of c.stdout) out += d; console.log("piped", out.trim());
  fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("d/e/f", "x"); fs.cpSync("d", "g", { recursive: true }); fs.rmSync("d", { recursive: true });
  console.log(fs.readdirSync(".", { recursive: true }).sort().join(" "));
  await pipeline(fs.createReadStream("main.js"), require("node:zlib").createGzip(), fs.createWriteStream("z.gz"));
  const killed = cp.spawn("sleep", ["60"]); killed.kill("SIGINT"); killed.on("exit", (code, signal) => console.log("killed", code, signal));
})();
E
node main.js; echo "exit $?"; node --test child.js >/dev/null; echo "test $?"`,
  },
  {
    in: "shell tools: sort, tar, find, xargs, sed, awk, process substitution, coproc, fifos",
    programs: ["tar", "awk", "find", "xargs", "python3"],
    want: ["sorted 50000", "same", "coproc 4", "fifo ok"],
    script: `
seq 50000 | sort -R | sort -n --parallel=2 -S 1M | tail -1 | sed 's/^/sorted /'
mkdir -p t/a/b && seq 10 >t/a/b/n && tar -cf - t | tar -xf - -C "$(mktemp -d)" && tar -czf t.tgz t && tar -tzf t.tgz
find t -type f -print0 | xargs -0 -P4 -n1 wc -l | awk '{ print $1 }'
cmp <(seq 10) t/a/b/n && echo same
coproc C { python3 -c 'print(eval(input()))'; }; echo 2+2 >&"\${C[1]}"; read -r n <&"\${C[0]}"; echo "coproc $n"
mkfifo f; (echo ok >f) & read -r x <f; echo "fifo $x"; wait
trap 'echo trapped' EXIT; (exit 3); echo "status $?"; [[ -r /etc/passwd && ! -w /etc/passwd || $UID == 0 ]] && echo rights
timeout 1 sleep 5; echo "timeout $?"; nice -n 5 true; echo "nice $?"; date -d @0 -u +%F; id -u >/dev/null && umask
dd if=/dev/zero bs=1M count=4 2>/dev/null | sha256sum; (ulimit -n 64; ulimit -n); echo $((2**40)); printf '%q\\n' "a b"`,
  },
];

const ROOT_IS_ENOUGH = /^(C|node|git: clone)/;

everydayWork("everyday work comes to the same result in the jail", WORKS, {
  // Where permissions decide, an ordinary user is another case than root; compilers do not ask.
  ordinary: WORKS.filter((work) => !ROOT_IS_ENOUGH.test(work.in)),
});
