/** More failures, in the order in which `SCENARIOS` goes on with them. */
import { BEHIND, LIMITED, ONE_COMMIT, PACKAGE, type Scenario } from "./scenario.ts";

/** In a fixed order. */
export const MORE_SCENARIOS: readonly Scenario[] = [
  {
    name: "write outside of the grants",
    files: { "report.txt": "x\n" },
    command: "cp report.txt /opt/report.txt && echo copied",
    done: { prints: /copied/ },
  },
  {
    name: "redirection outside of the grants",
    command: "echo data > /var/tmp/data.txt && echo written",
    done: { prints: /written/ },
  },
  {
    name: "host that no rule allows",
    policy: { net: ["192.0.2.7:443"] },
    command: "curl -sS https://blocked.example/data.json",
    done: { prints: /192\.0\.2\.7/ },
  },
  {
    name: "option that the policy denies",
    policy: { run: { deny: ["git push --force"] } },
    setup: `${BEHIND}\ngit -C mine pull -q --rebase`,
    prelude: ["cd mine"],
    command: "git push --force",
    done: { check: "git -C up.git log --format=%s main | grep -q three" },
  },
  {
    name: "time limit",
    files: { "slow.sh": "sleep 3\necho done-slow\n" },
    command: "bash slow.sh",
    timeoutMs: 1_000,
    done: { prints: /done-slow/ },
  },
  {
    name: "waiting prompt",
    files: {
      "ask.sh": 'read -r -p "Continue? [y/N] " a || exit 1\n[ "$a" = y ] && echo went on\n',
    },
    command: "bash ask.sh",
    done: { prints: /went on/ },
  },
  {
    name: "editor for a message",
    files: { "a.txt": "one\n" },
    setup: `${ONE_COMMIT}\necho two > a.txt; git add a.txt`,
    goal: "correct the number in a.txt",
    command: "git commit",
    done: { check: "test $(git rev-list --count HEAD) = 2" },
  },
  {
    name: "endless output",
    policy: { limits: { output: "1M" } },
    command: "yes",
    done: { prints: /^y\ny\n/ },
  },
  {
    name: "program that follows a file for ever",
    files: { "app.log": "started\nlast line\n" },
    command: "tail -f app.log",
    timeoutMs: 1_500,
    done: { prints: /last line/ },
  },
  {
    name: "server in the foreground",
    files: { "serve.py": "import time\nprint('serving', flush=True)\ntime.sleep(600)\n" },
    command: "python3 serve.py",
    timeoutMs: 1_500,
    done: { check: "pgrep -f 'python3 [s]erve.py'" },
  },
  {
    name: "full disk",
    command: "cat /etc/hostname > /dev/full",
    done: { prints: /Use%|Filesystem/ },
  },
  {
    name: "lost service",
    files: {
      "serve.py":
        "import http.server, sys\nclass H(http.server.BaseHTTPRequestHandler):\n  def do_GET(self):\n    self.send_response(200); self.end_headers(); self.wfile.write(b'served')\n  def log_message(self, *a): pass\nhttp.server.HTTPServer(('127.0.0.1', 8643), H).serve_forever()\n",
    },
    policy: { net: { loopback: true } },
    prelude: [
      "python3 serve.py > serve.log 2>&1 &",
      "sleep 1; kill $(pgrep -f 'serve[.]py'); sleep 0.2",
    ],
    command: "curl -sS http://127.0.0.1:8643/",
    done: { prints: /served/ },
  },
  {
    name: "rate limit that says how long",
    files: { "fetch.sh": LIMITED },
    command: "bash fetch.sh",
    done: { prints: /fetched/ },
  },
  {
    name: "rate limit without a time",
    files: { "fetch.sh": LIMITED.replace(/.*Retry-After.*\n/, "") },
    command: "bash fetch.sh",
    done: { prints: /fetched/ },
  },
  {
    name: "service that is away for a moment",
    files: {
      "fetch.sh": LIMITED.replace("429 Too Many Requests", "503 Service Unavailable").replace(
        /.*Retry-After.*\n/,
        "",
      ),
    },
    command: "bash fetch.sh",
    done: { prints: /fetched/ },
  },
  {
    name: "open quotation mark",
    command: 'echo "open',
    done: { prints: /open/ },
  },
  {
    name: "loop without its end",
    command: "for i in 1 2; do echo n$i",
    done: { prints: /n2/ },
  },
  {
    name: "script with carriage returns",
    files: { "run.sh": "set -e\r\necho ran-it\r\n" },
    command: "bash run.sh",
    done: { prints: /ran-it/ },
  },
  {
    name: "directory where a file is expected",
    files: { "src/a.txt": "x\n" },
    command: "cat src",
    done: { prints: /a\.txt/ },
  },
  {
    name: "copy of a directory",
    files: { "src/a.txt": "x\n" },
    command: "cp src copy",
    done: { check: "test -f copy/a.txt" },
  },
  {
    name: "directory below one that is not there",
    command: "mkdir a/b/c",
    done: { check: "test -d a/b/c" },
  },
  {
    name: "redirection into a directory that is not there",
    command: "echo text > out/log.txt",
    done: { check: "grep -q text out/log.txt" },
  },
  {
    name: "package script in a directory below",
    files: { "package.json": PACKAGE, "src/a.txt": "x\n" },
    prelude: ["cd src"],
    command: "npm run build --prefix .",
    done: { prints: /BUILT/ },
  },
  {
    name: "makefile in a directory below",
    files: { "build/Makefile": "all:\n\t@echo BUILT\n" },
    command: "make",
    done: { prints: /BUILT/ },
  },
  {
    name: "failure that a pipe hides",
    files: {
      "a.test.mjs":
        "import test from 'node:test';\ntest('breaks', () => { throw new Error('x'); });\n",
    },
    command: "node --test a.test.mjs | tail -n 9",
    done: { prints: /not ok 1 - breaks|throw new Error/ },
  },
  {
    name: "sudo",
    files: { "a.txt": "alpha\n" },
    command: "sudo cat a.txt",
    done: { prints: /alpha/ },
  },
  {
    name: "activation script under another name",
    setup: "mkdir -p .venv/bin && echo 'export ACTIVE=yes; echo active' > .venv/bin/activate",
    command: "source venv/bin/activate",
    done: { prints: /active/ },
  },
  {
    name: "pattern of the shell that matches nothing",
    files: { "logs/app.log": "line\n" },
    command: "cat *.log",
    done: { prints: /line/ },
  },
  {
    name: "test file that is not there",
    files: { "test/sum.test.mjs": "import test from 'node:test';\ntest('sums', () => {});\n" },
    command: "node --test test/sums.test.mjs",
    done: { prints: /pass 1/ },
  },
  {
    name: "directory that exists",
    files: { "out/a.txt": "x\n" },
    command: "mkdir out",
    done: { prints: /a\.txt/ },
  },
];
