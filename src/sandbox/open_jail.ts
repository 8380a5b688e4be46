/** No jail at all, for a policy that asks for it by name: commands are started as they are, and every block says so. */
import { isProgram, programCandidates } from "./find_program.ts";
import type { CommandJail, SpawnReply } from "./jail.ts";
import type { SpawnOrder } from "./jail_protocol.ts";
import { ERRNO } from "./linux/uapi.ts";
import { type Proof, readProof } from "./restrict.ts";
import type { SessionCgroup } from "./session_cgroup.ts";
import { spawnBounded } from "./spawn_bounded.ts";

/** Starts programs from the main thread, which nothing restricts. */
export class OpenJail implements CommandJail {
  readonly isAlive = true;
  readonly watchdog = null;
  readonly tid = null;
  readonly keepsJobs = true;

  readonly #cgroup: SessionCgroup | null;

  /** @param cgroup where commands begin; null for none. */
  constructor(cgroup: SessionCgroup | null) {
    this.#cgroup = cgroup;
  }

  /** What the kernel says of the shell itself. */
  get proof(): Proof {
    return readProof("/proc/thread-self/status") ?? { noNewPrivs: 0, seccomp: 0, capEff: "" };
  }

  /** Start a program. */
  spawn(order: SpawnOrder): Promise<SpawnReply> {
    return Promise.resolve({ ...this.#spawn(order), heldUp: false });
  }

  #spawn({ argv, searchPath, env, cwd, fds }: SpawnOrder) {
    const name = argv[0] ?? "";
    const found = programCandidates({ name, searchPath });
    const path = found.length === 1 ? found[0]! : found.find((one) => isProgram(one, cwd));
    if (path === undefined) {
      return { kind: "not-spawned", errno: ERRNO.ENOENT, path: name } as const;
    }
    const pid = spawnBounded({ path, argv, env, cwd, fds }, this.#cgroup);
    return pid < 0
      ? { kind: "not-spawned", errno: -pid, path } as const
      : { kind: "spawned", pid, path } as const;
  }

  /** What it has started is the caller's to end. */
  killAll(): void {}

  /** Nothing is open. */
  close(): void {}
}
