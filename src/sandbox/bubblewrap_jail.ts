/**
 * A jail of mounts and namespaces, made anew by `bwrap` for each command. Its processes are started from the main thread: in
 * the thread that Landlock restricts nothing can be mounted.
 *
 * bwrap runs outside the jail, so it gets no variable of a command's and reads everything that it is told from descriptors.
 * Inside, before the command, a shell reports what the kernel says of it: nothing of the command runs until then, and without
 * the report nothing counts as run. When the command has ended, or Debrief, the kernel ends everything in its namespace.
 */
import { resolve } from "node:path/posix";
import { bubblewrapArguments } from "./bubblewrap_arguments.ts";
import { refusedPath } from "./denials.ts";
import { isProgram, programCandidates } from "./find_program.ts";
import { type CommandJail, JailError, type SpawnReply } from "./jail.ts";
import type { SpawnOrder } from "./jail_protocol.ts";
import { close, cString, open, pipe, poll, syscall, waitid } from "./linux/ffi.ts";
import { realPath } from "./linux/files.ts";
import { ERRNO, F_SETFL, OPEN, WAIT } from "./linux/uapi.ts";
import type { Architecture } from "./linux/syscalls.ts";
import { memoryFile } from "./memory_file.ts";
import type { Plan } from "./plan.ts";
import { ProofPipe } from "./proof_pipe.ts";
import { mountCheck, mountExpectations } from "./mount_check.ts";
import { type Proof, proves } from "./restrict.ts";
import { buildFilter } from "./seccomp.ts";
import type { SessionCgroup } from "./session_cgroup.ts";
import { spawnBounded } from "./spawn_bounded.ts";

/** Beyond every process id (`PID_MAX_LIMIT`, `linux/threads.h`): the shell cannot be named in another namespace. */
const NOBODY = 0x7fffffff;
const PROBE_PROVEN = 42;
/** Time that the first command may take, in ms. */
const PROBE_MS = 10_000;
/** The file must neither open nor even be there; what every jail has must open. */
const PROBE = `exec 2>&-
: </dev/null || exit 40
(: <"$1") && exit 41
[ -e "$1" ] && exit 43
exit ${PROBE_PROVEN}`;

/** Looks at the mounts, reports and becomes the command: `$1` is its name, `$2` its file. `-p` keeps bash from reading variables of the command. */
function starter(proofFd: number, mountsFd: number): readonly string[] {
  const script = [
    mountCheck(mountsFd),
    `while IFS= read -r __line; do case $__line in NoNewPrivs:*|Seccomp:*|CapEff:*) printf '%s\\n' "$__line" ;; esac; `,
    `done </proc/self/status >&${proofFd}; exec ${proofFd}>&-; unset __line; __name=$1; shift; exec -a "$__name" "$@"`,
  ].join("");
  return ["/bin/bash", "--noprofile", "--norc", "-p", "-c", script, "bash"];
}

function argumentBytes(words: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(words.map((word) => `${word}\0`).join(""));
}

/** Every command gets namespaces of its own. */
export class BubblewrapJail implements CommandJail {
  readonly proof: Proof;
  readonly isAlive = true;
  readonly watchdog = null;
  readonly tid = null;
  readonly keepsJobs = false;
  readonly #plan: Plan;
  readonly #program: string;
  readonly #cgroup: SessionCgroup | null;

  private constructor(
    plan: Plan,
    parts: {
      readonly program: string;
      readonly proof: Proof;
      readonly cgroup: SessionCgroup | null;
    },
  ) {
    this.#plan = plan;
    this.#program = parts.program;
    this.#cgroup = parts.cgroup;
    this.proof = parts.proof;
  }

  /**
   * Prove that the plan's jail can be built.
   *
   * @param options.forbidden a file that exists and that no plan grants.
   * @throws {JailError} when it cannot be built, or lets the file be opened.
   */
  static async start(
    plan: Plan,
    { forbidden, cgroup }: { readonly forbidden: string; readonly cgroup: SessionCgroup | null },
  ): Promise<BubblewrapJail> {
    const { program } = plan.backend;
    if (program === null) {
      throw new JailError(`Cannot start the jail: bubblewrap cannot be used: ${plan.backend.flaw}`);
    }
    const jail = new BubblewrapJail(plan, {
      program,
      proof: { noNewPrivs: 0, seccomp: 0, capEff: "" },
      cgroup,
    });
    return new BubblewrapJail(plan, { program, proof: await jail.#prove(forbidden), cgroup });
  }

  async #prove(forbidden: string): Promise<Proof> {
    const idle = open("/dev/null", OPEN.RDWR);
    const complaints = pipe();
    if (typeof complaints === "number") {
      throw new JailError("Cannot prove the jail: no descriptor is left");
    }
    syscall("fcntl", complaints.read, F_SETFL, OPEN.NONBLOCK);
    try {
      const reply = this.#start({
        path: "/bin/sh",
        order: {
          argv: ["sh", "-c", PROBE, "probe", forbidden],
          searchPath: "",
          env: {},
          cwd: "/",
          fds: [idle, idle, complaints.write],
        },
      });
      close(complaints.write);
      if (reply.kind !== "spawned" || reply.proof === undefined) {
        throw new JailError("Cannot prove the jail: bubblewrap was not started");
      }
      const code = await exitCodeOf(reply.pid);
      const proof = reply.proof.read();
      reply.proof.close();
      if (code === PROBE_PROVEN && proves(proof)) return proof;
      const buffer = new Uint8Array(400);
      const length = syscall("read", complaints.read, buffer, buffer.length);
      const said = new TextDecoder().decode(buffer.subarray(0, Math.max(0, length))).trim();
      throw new JailError(
        `Cannot prove the jail: probe child answered ${code}, the kernel reports ${
          JSON.stringify(proof)
        }` +
          (said === "" ? "" : ` (${said})`),
      );
    } finally {
      close(idle);
      close(complaints.read);
    }
  }

  /** Start a program in namespaces of its own. */
  spawn(order: SpawnOrder): Promise<SpawnReply> {
    const found = this.#find(order);
    return Promise.resolve(
      typeof found === "number"
        ? { kind: "not-spawned", errno: found, path: order.argv[0] ?? "", heldUp: false }
        : this.#start({ path: found, order }),
    );
  }

  /** The file to execute, or the errno of `execvp(3)`. */
  #find({ argv, searchPath, cwd }: SpawnOrder): string | number {
    const name = argv[0] ?? "";
    let refused: number = ERRNO.ENOENT;
    if (this.#isClosed(cwd)) return ERRNO.EACCES;
    for (const candidate of programCandidates({ name, searchPath })) {
      const path = resolve(cwd, candidate);
      const real = realPath(path);
      if (real === null) continue;
      if (isProgram(path, cwd) && !this.#isClosed(real)) return path;
      refused = ERRNO.EACCES;
    }
    return refused;
  }

  /** True for what the jail does not show, but for directories that nothing says anything of. */
  #isClosed(path: string): boolean {
    const real = realPath(path) ?? path;
    const covered = this.#plan.covering.covers.some(({ path: cover, readable }) =>
      !readable && (real === cover || real.startsWith(`${cover}/`))
    );
    return covered ||
      (!this.#isDirectoryOnly(real) &&
        refusedPath(this.#plan, { permission: "read", path: real }) !== null);
  }

  #isDirectoryOnly(path: string): boolean {
    return syscall("faccessat", -100, cString(`${path}/.`), 0) >= 0;
  }

  #start(
    { path, order }: { readonly path: string; readonly order: SpawnOrder },
  ): SpawnReply {
    const { argv, env, cwd, fds } = order;
    const proof = ProofPipe.open();
    const proofFd = fds.length;
    const home = env.HOME?.startsWith("/") ? [env.HOME] : [];
    const words = [
      ...bubblewrapArguments(this.#plan, [cwd, ...home]),
      ...["--chdir", cwd, "--clearenv"],
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    ];
    const settings = memoryFile(argumentBytes(words));
    const filter = memoryFile(buildFilter({
      architecture: Deno.build.arch as Architecture,
      net: this.#plan.net === "all" ? "all" : "none",
      loopback: this.#plan.loopback,
      supervised: false,
      shellPid: NOBODY,
      jailTid: NOBODY,
      isolated: true,
    }));
    const mounts = memoryFile(new TextEncoder().encode(mountExpectations(this.#plan)));
    const started = spawnBounded({
      path: this.#program,
      argv: [
        ...["bwrap", "--args", String(proofFd + 1), "--seccomp", String(proofFd + 2), "--"],
        ...starter(proofFd, proofFd + 3),
        argv[0] ?? "",
        path,
        ...argv.slice(1),
      ],
      env: {},
      cwd: "/",
      fds: [...fds, proof.writeEnd, settings, filter, mounts],
    }, this.#cgroup);
    proof.closeWriteEnd();
    close(settings);
    close(filter);
    close(mounts);
    if (started >= 0) return { kind: "spawned", pid: started, path, heldUp: false, proof };
    proof.close();
    return { kind: "failed", message: `bubblewrap: errno ${-started}`, heldUp: false };
  }

  /** Nothing is left of a command that could be killed at once: its end takes everything with it. */
  killAll(): void {}

  /** Nothing is open. */
  close(): void {}
}

/** Wait for a child, kill it when it takes too long. @returns its exit status, -1 for another end. */
async function exitCodeOf(pid: number): Promise<number> {
  const pidfd = syscall("pidfd_open", pid, 0);
  const ended = { fd: pidfd, ready: false };
  await poll([ended], PROBE_MS);
  if (!ended.ready) syscall("kill", pid, 9);
  if (!ended.ready) await poll([ended], -1);
  close(pidfd);
  const end = waitid(WAIT.P_PID, pid, 0);
  return typeof end === "object" && end?.kind === "exited" ? end.code : -1;
}
