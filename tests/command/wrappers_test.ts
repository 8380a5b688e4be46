import { assertEquals } from "@std/assert";
import { programsOf } from "./show.ts";

interface Case {
  readonly in: string;
  readonly want: readonly string[];
}

// The first program is the wrapper itself, as written.
function check(table: readonly Case[]): void {
  for (const { in: source, want } of table) assertEquals(programsOf(source).slice(1), want, source);
}

Deno.test("parseScript unwraps the programs that only start others", () => {
  check([
    { in: "sudo a b", want: ["sudo>a b"] },
    { in: "sudo -u www -g x -n -E A=1 a b", want: ["sudo>a b"] },
    { in: "sudo --user=www --preserve-env=A -- a -b", want: ["sudo>a -b"] },
    { in: "sudo --user www a", want: ["sudo>a"] },
    { in: "sudo -uwww a; sudo -Hu www a", want: ["sudo>a", "sudo -Hu www a", "sudo>a"] },
    { in: 'sudo -u "$USER" a', want: ["sudo>a"] },
    { in: "sudo -u $USER a", want: ["sudo>?", "sudo>a"] },
    { in: "sudo $x a", want: ["sudo>? a"] },
    { in: "sudo -l; sudo -v", want: ["sudo -v"] },
    { in: "sudo -i; sudo -s", want: ["sudo>?", "sudo -s", "sudo>?"] },
    { in: "sudo --what a", want: ["sudo>?", "sudo>a"] },
    { in: "sudo -e f", want: ["sudo>?", "sudo>f"] },
    { in: "doas -u x a", want: ["doas>a"] },
    { in: "timeout 5 a b", want: ["timeout>a b"] },
    {
      in: "timeout -k 3 -s KILL 5 a; timeout --signal=9 --foreground 1m b",
      want: [
        "timeout>a",
        "timeout --signal=9 --foreground 1m b",
        "timeout>b",
      ],
    },
    { in: "timeout --sig KILL 5 a", want: ["timeout>a"] },
    { in: 'timeout "$t" a', want: ["timeout>?", "timeout>a"] },
    { in: "nohup a &", want: ["nohup>a"] },
    {
      in: "nice a; nice -n 5 a; nice -5 a; nice --adjustment=3 a",
      want: [
        "nice>a",
        "nice -n 5 a",
        "nice>a",
        "nice -5 a",
        "nice>a",
        "nice --adjustment=3 a",
        "nice>a",
      ],
    },
    { in: "ionice -c 2 -n 3 a; ionice -p 1", want: ["ionice>a", "ionice -p 1"] },
    { in: "setsid -w a; setsid --fork a", want: ["setsid>a", "setsid --fork a", "setsid>a"] },
    {
      in: "stdbuf -oL -e0 a; stdbuf --output=L a",
      want: ["stdbuf>a", "stdbuf --output=L a", "stdbuf>a"],
    },
    { in: "strace -f -e trace=open -o f a b", want: ["strace>a b"] },
    { in: "unshare -rn a; unshare -r", want: ["unshare>a", "unshare -r", "unshare>?"] },
    { in: "chroot --userspec=a:b /x a; chroot /x", want: ["chroot>a", "chroot /x", "chroot>?"] },
    {
      in: "chrt -f 10 a; taskset -c 0-3 a; taskset -p 1",
      want: [
        "chrt>a",
        "taskset -c 0-3 a",
        "taskset>a",
        "taskset -p 1",
      ],
    },
    {
      in: "sudo nice -n 5 env A=1 timeout 5 /usr/bin/a b",
      want: [
        "sudo>nice -n 5 env A=1 timeout 5 /usr/bin/a b",
        "sudo>nice>env A=1 timeout 5 /usr/bin/a b",
        "sudo>nice>env>timeout 5 /usr/bin/a b",
        "sudo>nice>env>timeout>/usr/bin/a b",
      ],
    },
    { in: "/usr/bin/sudo a", want: ["/usr/bin/sudo>a"] },
    { in: "systemd-run --user a", want: ["systemd-run>?"] },
    { in: "gdb --args a", want: ["gdb>?"] },
  ]);
});

Deno.test("parseScript unwraps env", () => {
  check([
    { in: "env; env A=1; env -0", want: ["env A=1", "env -0"] },
    { in: "env -i A=1 B='c d' a b", want: ["env>a b"] },
    { in: "env - a", want: ["env>a"] },
    { in: "env -u A --unset=B -C /x a", want: ["env>a"] },
    { in: 'env A="$x" a', want: ["env>a"] },
    { in: "env A=$x a", want: ["env>?", "env>a"] },
    { in: 'env "$x" a', want: ["env>? a"] },
    { in: "env 'BASH_FUNC_x%%=() { a; }' b", want: ["env>?", "env>b"] },
    { in: "env -S 'a b' c", want: ["env>a b c"] },
    { in: "env -S'A=1 a' b", want: ["env>a b"] },
    { in: "env --split-string='-i a b'", want: ["env>env -i a b", "env>env>a b"] },
    { in: "env -S 'a ${B}'", want: ["env>?"] },
    { in: "env -vS 'a b'", want: ["env>a b"] },
  ]);
});

Deno.test("parseScript follows the text of shells", () => {
  check([
    { in: "bash -c 'a; b' c d", want: ["bash>a", "bash>b"] },
    {
      in: "sh -ec 'a'; bash -lc 'a'; bash -xc a",
      want: [
        "sh>a",
        "bash -lc a",
        "bash>a",
        "bash -xc a",
        "bash>a",
      ],
    },
    {
      in: "bash -o pipefail -c a; bash -euo pipefail -c a; bash -eoc pipefail a",
      want: [
        "bash>a",
        "bash -euo pipefail -c a",
        "bash>a",
        "bash -eoc pipefail a",
        "bash>a",
      ],
    },
    { in: "bash --norc --noprofile -c a", want: ["bash>a"] },
    { in: "bash -c -e a", want: ["bash>a"] },
    { in: "bash -c -- a", want: ["bash>a"] },
    { in: "bash +x -c a", want: ["bash>a"] },
    { in: "bash -norc -c a", want: ["bash>a"] },
    { in: "bash --rcfile f -c a", want: ["bash>?", "bash>a"] },
    { in: 'bash -c "$x"', want: ["bash>?"] },
    { in: 'bash -c "a $x; b"', want: ["bash>?", "bash>a ?", "bash>b"] },
    {
      in: "bash -c 'sudo sh -c \"a\"'",
      want: ["bash>sudo sh -c a", "bash>sudo>sh -c a", "bash>sudo>sh>a"],
    },
    { in: "bash -c 'a'\\''b'", want: ["bash>?"] },
    { in: "bash f a", want: ["bash>./f a"] },
    { in: "bash -x dir/f", want: ["bash>dir/f"] },
    { in: 'bash "$f"', want: ["bash>?"] },
    { in: "bash --version", want: [] },
    { in: "bash <(a)", want: ["bash ?", "bash>?"] },
    { in: "exec bash -c a", want: ["exec>bash -c a", "exec>bash>a"] },
    {
      in: "su -c 'a b' x; su x; su - x -c a",
      want: [
        "su>a b",
        "su x",
        "su>?",
        "su - x -c a",
        "su>a",
      ],
    },
    {
      in: "busybox sh -c a; busybox --list; toybox rm x",
      want: [
        "busybox>sh -c a",
        "busybox>sh>a",
        "busybox --list",
        "toybox rm x",
        "toybox>rm x",
      ],
    },
    { in: "script -qc 'a b' f; script f", want: ["script>a b", "script f", "script>?"] },
    {
      in: "flock f a b; flock -n -w 5 f -c 'a b'; flock 9",
      want: [
        "flock>a b",
        "flock -n -w 5 f -c a b",
        "flock>a b",
        "flock 9",
      ],
    },
    {
      in: "watch -n 1 'a | b'; watch -x a b",
      want: [
        "watch>a",
        "watch>b",
        "watch -x a b",
        "watch>a b",
      ],
    },
  ]);
});

Deno.test("parseScript follows commands that get their words from elsewhere", () => {
  check([
    { in: "xargs a b", want: ["xargs>a b ?"] },
    { in: "xargs -0 -n1 -P 4 -r a", want: ["xargs>a ?"] },
    { in: "xargs", want: ["xargs>echo ?"] },
    { in: "xargs -I{} a {} b", want: ["xargs>a ? b"] },
    { in: "xargs -I X sh -c 'a X'", want: ["xargs>sh -c ?", "xargs>sh>?", "xargs>sh>a X"] },
    { in: "xargs -i {} a", want: ["xargs>? a"] },
    { in: "xargs env", want: ["xargs>env ?", "xargs>env>?"] },
    { in: "xargs sh -c", want: ["xargs>sh -c ?", "xargs>sh>?"] },
    { in: "xargs --max-args=1 --no-run-if-empty a", want: ["xargs>a ?"] },
    { in: "find . -name x -exec a {} \\;", want: ["find>a ?"] },
    { in: "find . -exec a b {} + -o -execdir c ';'", want: ["find>a b ?", "find>c"] },
    { in: "find . -ok a \\; -okdir b {} \\;", want: ["find>a", "find>b ?"] },
    { in: "find . -exec {} \\;", want: ["find>?"] },
    {
      in: "find . -exec sh -c 'a \"$1\"' _ {} \\;",
      want: ['find>sh -c a "$1" _ ?', "find>sh>a ?"],
    },
    { in: "find . -exec sh -c 'a {}' \\;", want: ["find>sh -c ?", "find>sh>?", "find>sh>a {}"] },
    { in: 'find "$d" -type f', want: [] },
    { in: "find */src -name '*.c'", want: [] },
    { in: "find $d -type f", want: ["find>?"] },
    { in: 'find "$@"', want: ["find>?"] },
    { in: 'find . "$x" rm {} \\;', want: ["find>?"] },
    { in: "parallel a b ::: 1 2", want: ["parallel>a b ?"] },
    { in: "parallel -j 4 'a {}; b' ::: 1", want: ["parallel>a {}", "parallel>b ?"] },
    { in: "parallel", want: ["parallel>?"] },
  ]);
});

Deno.test("parseScript finds commands within options", () => {
  check([
    { in: "git -c alias.x='!a b' x", want: ["git>a b ?"] },
    { in: "git -c alias.x='-c core.pager=a log' x", want: ["git>git>a ?"] },
    { in: "git -c core.pager=cat log", want: ["git>cat ?"] },
    { in: "git -c core.sshCommand='ssh -i k' fetch", want: ["git>ssh -i k ?"] },
    {
      in: "git -c core.fsmonitor=false -c user.name=x -c core.hooksPath=/dev/null status",
      want: [],
    },
    { in: "git -c core.hooksPath=h status", want: ["git>?"] },
    { in: 'git -c user.name="$x" commit', want: [] },
    { in: 'git -c "$x" log', want: ["git>?"] },
    {
      in: "git -c credential.helper='!a' pull; git -c credential.helper=store pull",
      want: [
        "git>a ?",
        "git -c credential.helper=store pull",
      ],
    },
    { in: "git -c filter.x.clean=a -c diff.x.y.command=b add", want: ["git>a ?", "git>b ?"] },
    { in: "git --config-env=core.pager=X log", want: ["git>?"] },
    { in: "git -C d --no-pager log", want: [] },
    { in: "git bisect run a b", want: ["git>bisect>a b"] },
    { in: "git submodule foreach --recursive 'a; b'", want: ["git>a", "git>b"] },
    {
      in: "git rebase -x 'a b' main; git rebase --exec=a main; git rebase -xa main",
      want: [
        "git>a b",
        "git rebase --exec=a main",
        "git>a",
        "git rebase -xa main",
        "git>a",
      ],
    },
    { in: "git clone 'ext::sh -c a' x", want: ["git>sh -c a", "git>sh>a"] },
    { in: "git clone -c core.sshCommand=a u", want: ["git>a ?"] },
    { in: "git fetch --upload-pack=a u", want: ["git>a"] },
    { in: "git commit -m x; git push origin main", want: ["git push origin main"] },
    { in: "tar --checkpoint=1 --checkpoint-action=exec='a b' -cf x y", want: ["tar>a b"] },
    {
      in: "tar -I 'a -9' -cf x y; tar --use-compress-program=a -xf x",
      want: [
        "tar>a -9",
        "tar --use-compress-program=a -xf x",
        "tar>a",
      ],
    },
    {
      in: "tar cIf a x y; tar xzf x; tar --to-command=a -xf x",
      want: [
        "tar>a",
        "tar xzf x",
        "tar --to-command=a -xf x",
        "tar>a",
      ],
    },
    { in: "ssh host a b", want: [] },
    {
      in: "ssh -o ProxyCommand='a b' host c; ssh -oProxyCommand=a h",
      want: [
        "ssh>a b",
        "ssh -oProxyCommand=a h",
        "ssh>a",
      ],
    },
    {
      in: "rsync -e 'ssh -p 22' a b; rsync --rsh=a b c; rsync -av a b",
      want: [
        "rsync>ssh -p 22",
        "rsync --rsh=a b c",
        "rsync>a",
        "rsync -av a b",
      ],
    },
    { in: "awk 'BEGIN { system(\"a\") }'; make; npm run b", want: ["make", "npm run b"] },
  ]);
});
