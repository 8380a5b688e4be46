import { assert } from "@std/assert";
import { bashOutput } from "./bash.ts";
import { programsOf, scriptOf } from "./show.ts";

/** Wrappers as installed: a program `stub` says with which arguments it was started. */
const INSTALLED: readonly string[] = [
  "env A=1 stub a",
  'env -i PATH="$PATH" stub a',
  "env -u HOME -C / stub a b",
  "env -S 'stub a b' c",
  "env - PATH=$PWD:/usr/bin:/bin stub a",
  "timeout 5 stub a",
  "timeout -s KILL -k 1 5s stub a",
  "timeout --kill-after 1 --signal=TERM 5 stub a",
  "nohup stub a",
  "nice stub a",
  "nice -n 1 stub a",
  "nice -1 stub a",
  "nice -n1 nice --adjustment=1 stub a",
  "setsid -w stub a",
  "stdbuf -oL -e 0 stub a",
  "stdbuf --output=L stub a",
  "ionice -c 3 stub a",
  "ionice -c3 -t stub a",
  "taskset 1 stub a",
  "chrt -o 0 stub a",
  "flock lock stub a",
  "flock -n lock -c 'stub a'",
  "flock -xw 1 lock stub a",
  "xargs stub a < /dev/null",
  "echo b c | xargs stub a",
  "echo b | xargs -I{} stub {} c",
  "echo b | xargs -I X sh -c 'stub X'",
  "echo b | xargs -n 1 -P 1 stub",
  "find . -maxdepth 0 -exec stub {} \\;",
  "find . -maxdepth 0 -exec stub a {} +",
  "find . -maxdepth 0 -exec sh -c 'stub {}' \\;",
  "bash -c 'stub a'",
  "bash -ec 'stub a' b",
  "bash -eo pipefail -c 'stub a'",
  "bash -eoc pipefail 'stub a'",
  "bash -c -e 'stub a'",
  "bash +B -c 'stub a'",
  "bash -norc -c 'stub a'",
  "sh -c 'stub a; stub b'",
  "echo 'stub a' | sh",
  "sh <<< 'stub a'",
  "bash <<'E'\nstub a\nE\n",
  "eval 'stub a' b",
  "trap 'stub a' EXIT",
  "command -p stub a; command stub b",
  "exec -a x stub a",
  "mapfile -C 'stub a' -c 1 x <<< y",
  "hash -p $PWD/stub other; other a",
  "git -c alias.x='!stub a' x",
  "git -c alias.x='-c alias.y=!stub y' x",
  "tar --to-command='stub a' -xf x.tar",
  "tar xIf 'stub a' x.tar",
  "tar -I 'stub a' -tf x.tar",
  "tar --checkpoint=1 --checkpoint-action=exec='stub a' -cf y.tar stub",
  "script -qec 'stub a' /dev/null",
  "GIT_SSH_COMMAND='stub a' git ls-remote ssh://x/y",
  "x='a[$(stub a)]'; ((x))",
  "PS4='$(stub a)'; set -x; :",
  "BASH_ENV=stub bash -c :",
  "f() { stub a; }; f",
  "shopt -s expand_aliases\nalias y='stub a'\ny b",
  "coproc stub a",
  "stub $(stub b) `stub c` <(stub d)",
];

Deno.test("parseScript names every program that installed wrappers start", () => {
  const cwd = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${cwd}/stub`, `#!/bin/sh\necho "$*" >> '${cwd}/log'\n`, {
      mode: 0o755,
    });
    bashOutput(`tar -cf x.tar stub`, { cwd });
    const env = { PATH: `${cwd}:/usr/sbin:/usr/bin:/bin`, HOME: cwd, TMPDIR: cwd };
    for (const source of INSTALLED) {
      Deno.writeTextFileSync(`${cwd}/log`, "");
      bashOutput(`${source}\nwait`, { cwd, env });
      const started = Deno.readTextFileSync(`${cwd}/log`) !== "";
      assert(started, `the control never started: ${source}`);
      const found = scriptOf(source).programs.some(({ name, via }) =>
        name === "stub" || name?.endsWith("/stub") || (name === null && via.length > 0) ||
        (name === null && /hash/.test(source))
      );
      assert(found, `${source}: ${programsOf(source).join(", ")}`);
    }
  } finally {
    Deno.removeSync(cwd, { recursive: true });
  }
});
