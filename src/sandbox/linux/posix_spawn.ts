/**
 * `posix_spawn(3)`, opened when it is needed: each symbol costs a quarter of a millisecond, and only the jail's thread and
 * few others start processes.
 */
import type { Result } from "./ffi.ts";
import { cString, stringArray } from "./memory.ts";

const SYMBOLS = {
  posix_spawn: {
    parameters: ["buffer", "buffer", "buffer", "buffer", "buffer", "buffer"],
    result: "i32",
  },
  posix_spawn_file_actions_init: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_adddup2: { parameters: ["buffer", "i32", "i32"], result: "i32" },
  posix_spawn_file_actions_addchdir_np: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawn_file_actions_destroy: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_init: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_setflags: { parameters: ["buffer", "i16"], result: "i32" },
  posix_spawnattr_setsigdefault: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_setsigmask: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_destroy: { parameters: ["buffer"], result: "i32" },
} as const;

/** The library, opened once. */
class Library {
  static #symbols: Deno.DynamicLibrary<typeof SYMBOLS>["symbols"] | null = null;

  static get symbols() {
    return this.#symbols ??= Deno.dlopen("libc.so.6", SYMBOLS).symbols;
  }
}

/** Open what `posixSpawn` needs, for a thread that may open nothing later. */
export function prepareSpawn(): void {
  void Library.symbols;
}

/** What `posix_spawn` starts. */
export interface SpawnRequest {
  /** Absolute path of the file to execute, or one relative to `cwd`. */
  readonly path: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Descriptors of this process that become 0, 1, 2, … of the child; all others must be close-on-exec. */
  readonly fds: readonly number[];
}

/**
 * `posix_spawn(3)`: a child in a session of its own, with default signal actions and an empty signal mask. It inherits
 * the Landlock domain, seccomp filters and credentials of the **calling thread**.
 *
 * The opaque structures get more room than glibc's 80 (`posix_spawn_file_actions_t`) and 336 bytes
 * (`posix_spawnattr_t`).
 *
 * @returns the process id, or the negative errno (`E2BIG`, `ENOENT`, `EACCES`, `ENOEXEC`, …).
 */
export function posixSpawn(request: SpawnRequest, flags: number): Result {
  const libc = Library.symbols;
  const actions = new Uint8Array(256);
  const attributes = new Uint8Array(512);
  const pid = new Int32Array(1);
  const path = cString(request.path);
  const cwd = cString(request.cwd);
  const argv = stringArray(request.argv);
  const env = stringArray(Object.entries(request.env).map(([name, value]) => `${name}=${value}`));
  libc.posix_spawn_file_actions_init(actions);
  libc.posix_spawnattr_init(attributes);
  try {
    libc.posix_spawn_file_actions_addchdir_np(actions, cwd);
    request.fds.forEach((fd, target) => libc.posix_spawn_file_actions_adddup2(actions, fd, target));
    libc.posix_spawnattr_setflags(attributes, flags);
    // sigset_t is 128 bytes in glibc; all ones means every signal.
    libc.posix_spawnattr_setsigdefault(attributes, new Uint8Array(128).fill(0xff));
    libc.posix_spawnattr_setsigmask(attributes, new Uint8Array(128));
    const error = libc.posix_spawn(
      new Uint8Array(pid.buffer),
      path,
      actions,
      attributes,
      new Uint8Array(argv.pointers.buffer),
      new Uint8Array(env.pointers.buffer),
    );
    return error === 0 ? pid[0]! : -error;
  } finally {
    libc.posix_spawn_file_actions_destroy(actions);
    libc.posix_spawnattr_destroy(attributes);
    // Named here so that both stay alive until the kernel has copied them.
    argv.bytes.fill(0);
    env.bytes.fill(0);
  }
}
