import type { OptionGrammar } from "./options.ts";

/** A program that starts the program its operands name. */
export interface Wrapper extends OptionGrammar {
  /** Operands before the program, as the duration of timeout. */
  readonly operands?: number;
  /** Whether `NAME=value` words before the program set its environment. */
  readonly assignments?: boolean;
  /** Whether it starts a shell, which reads its input, when no program is named. */
  readonly shell?: boolean;
  /** Options after which nothing is started. */
  readonly idle?: readonly string[];
}

const words = (text: string): string[] => text.split(" ");

/**
 * The programs that only start another one, with their options. From the manual pages of coreutils 9, util-linux 2.40,
 * sudo 1.9, procps 4, strace 6 and GNU time 1.9. A letter or name that is missing here makes the reading uncertain,
 * never wrong.
 */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", {
    flags: "ABbEHiKklNnPSsVv",
    values: "CDghpRrTtUu",
    longFlags: words(
      "askpass background bell preserve-env set-home help login remove-timestamp reset-timestamp list non-interactive " +
        "no-update preserve-groups stdin shell version validate",
    ),
    longValues: words(
      "close-from chdir group host prompt chroot role command-timeout type other-user user",
    ),
    assignments: true,
    idle: words("V v l K version validate list help remove-timestamp"),
  }],
  ["doas", { flags: "Lns", values: "Cau", idle: ["L", "C"] }],
  ["timeout", {
    flags: "fpv",
    values: "ks",
    longFlags: words("foreground preserve-status verbose help version"),
    longValues: words("kill-after signal"),
    operands: 1,
    idle: words("help version"),
  }],
  ["nohup", { longFlags: words("help version"), idle: words("help version") }],
  ["nice", {
    values: "n",
    longFlags: words("help version"),
    longValues: ["adjustment"],
    numeric: true,
    idle: words("help version"),
  }],
  ["ionice", {
    flags: "thV",
    values: "cnpPu",
    longFlags: words("ignore help version"),
    longValues: words("class classdata pid pgid uid"),
    idle: words("p P u pid pgid uid h V help version"),
  }],
  ["chrt", {
    flags: "abdfiormvRhV",
    values: "TPDp",
    longFlags: words(
      "all-tasks batch deadline fifo idle other rr reset-on-fork max verbose help version",
    ),
    longValues: words("sched-runtime sched-period sched-deadline pid"),
    operands: 1,
    idle: words("p m h V pid max help version"),
  }],
  ["taskset", {
    flags: "acphV",
    longFlags: words("all-tasks cpu-list pid help version"),
    operands: 1,
    idle: words("p h V pid help version"),
  }],
  ["setsid", {
    flags: "cfwhV",
    longFlags: words("ctty fork wait help version"),
    idle: words("h V help version"),
  }],
  ["stdbuf", {
    values: "ioe",
    longFlags: words("help version"),
    longValues: words("input output error"),
    idle: words("help version"),
  }],
  ["time", {
    flags: "apqvV",
    values: "fo",
    longFlags: words("append portability quiet verbose help version"),
    longValues: words("format output"),
    idle: words("V help version"),
  }],
  ["xargs", {
    flags: "0oprtx",
    values: "adEILnPs",
    optional: "eil",
    longFlags: words(
      "null open-tty interactive no-run-if-empty verbose exit show-limits help version eof replace max-lines",
    ),
    longValues: words("arg-file delimiter max-args max-procs max-chars process-slot-var"),
    idle: words("help version"),
  }],
  ["watch", {
    flags: "bcCdefghprtvwx",
    values: "nqs",
    longFlags: words(
      "beep color no-color differences errexit follow chgexit precise no-rerun no-title exec no-wrap no-linewrap help version",
    ),
    longValues: words("interval equexit shotsdir"),
    idle: words("h v help version"),
  }],
  ["strace", {
    flags: "cCdDfFhiknNqrtTvVwxyYzZ",
    values: "abeEIoOpPsSuUX",
    longFlags: words("follow-forks output-separately summary-only summary debug help version"),
    longValues: words("output trace status signal env attach user string-limit columns"),
    idle: words("h V help version"),
  }],
  ["unshare", {
    flags: "mUuinpCTfrchV",
    values: "RwSGl",
    longFlags: words(
      "mount uts ipc net pid user cgroup time fork mount-proc map-root-user map-current-user map-auto keep-caps kill-child " +
        "mount-binfmt help version",
    ),
    longValues: words(
      "root wd setuid setgid propagation map-user map-group map-users map-groups setgroups monotonic boottime load-interp",
    ),
    shell: true,
    idle: words("h V help version"),
  }],
  ["chroot", {
    longFlags: words("skip-chdir help version"),
    longValues: words("userspec groups"),
    operands: 1,
    shell: true,
    idle: words("help version"),
  }],
  ["setarch", {
    flags: "3BFILRSTXZvhV",
    longFlags: words("addr-no-randomize verbose help version"),
    operands: 1,
  }],
  ["setpriv", {
    flags: "dhV",
    longFlags: words(
      "dump no-new-privs clear-groups keep-groups init-groups reset-env help version",
    ),
    longValues: words(
      "ambient-caps inh-caps bounding-set ruid euid rgid egid reuid regid groups securebits pdeathsig selinux-label " +
        "apparmor-profile ptracer landlock-access landlock-rule seccomp-filter",
    ),
    idle: words("d h V dump help version"),
  }],
  ["catchsegv", {}],
  ["eatmydata", {}],
]);

/**
 * Programs that start others in ways that are not modelled. Each use counts as an unknown program besides itself.
 */
export const OPAQUE_LAUNCHERS: ReadonlySet<string> = new Set(words(
  "systemd-run pkexec run0 numactl prlimit valgrind gdb lldb perf ltrace proot fakeroot fakechroot dbus-run-session xvfb-run " +
    "bwrap firejail nsenter ssh-agent entr inotifywait-run at batch crontab expect unbuffer rlwrap cpulimit tmux screen " +
    "daemonize start-stop-daemon sg newgrp i386 linux32 linux64 x86_64 capsh setuidgid softlimit chpst " +
    "fish csh tcsh pwsh nu elvish xonsh",
));
