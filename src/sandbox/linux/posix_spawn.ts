/**
 * `posix_spawn(3)`, opened when it is needed: each symbol costs a quarter of a millisecond, and only the jail's thread and
 * few others start processes.
 */
import type { Result } from "./ffi.ts";
import { cString, type StringArray, stringArray, stringBlock } from "./memory.ts";

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

/** The same with an environment that `environmentBlock` has made. */
export interface PreparedRequest extends Omit<SpawnRequest, "env"> {
  readonly environment: string;
}

/** An environment as one text. @throws {TypeError} when it holds what cannot be given to the kernel. */
export function environmentBlock(env: SpawnRequest["env"]): string {
  return stringBlock(Object.entries(env).map(([name, value]) => `${name}=${value}`));
}

/**
 * `posix_spawn(3)`: a child in a session of its own, with default signal actions and an empty signal mask. It inherits
 * the Landlock domain, seccomp filters and credentials of the **calling thread**.
 *
 * @returns the process id, or the negative errno (`E2BIG`, `ENOENT`, `EACCES`, `ENOEXEC`, …).
 */
export function posixSpawn(request: SpawnRequest, flags: number): Result {
  using spawner = new Spawner(flags);
  return spawner.spawn({ ...request, environment: environmentBlock(request.env) });
}

/** What a child does before it executes its program. */
interface Actions {
  readonly cwd: string;
  readonly fds: string;
  readonly memory: Uint8Array<ArrayBuffer>;
}

/**
 * `posixSpawn` again and again: what does not change from one child to the next is made once, which saves a dozen calls
 * of the library.
 *
 * The opaque structures get more room than glibc's 80 (`posix_spawn_file_actions_t`) and 336 bytes
 * (`posix_spawnattr_t`).
 */
export class Spawner implements Disposable {
  readonly #libc = Library.symbols;
  readonly #attributes = new Uint8Array(512);
  readonly #pid = new Int32Array(1);
  readonly #pidBytes = new Uint8Array(this.#pid.buffer);
  #actions: Actions | null = null;
  #environment: { readonly text: string; readonly strings: StringArray } | null = null;

  /** @param flags `POSIX_SPAWN_*`. */
  constructor(flags: number) {
    const libc = this.#libc;
    libc.posix_spawnattr_init(this.#attributes);
    libc.posix_spawnattr_setflags(this.#attributes, flags);
    // sigset_t is 128 bytes in glibc; all ones means every signal.
    libc.posix_spawnattr_setsigdefault(this.#attributes, new Uint8Array(128).fill(0xff));
    libc.posix_spawnattr_setsigmask(this.#attributes, new Uint8Array(128));
  }

  /** @returns as `posixSpawn`. */
  spawn(request: PreparedRequest): Result {
    const path = cString(request.path);
    const argv = stringArray(stringBlock(request.argv));
    const env = this.#environmentOf(request.environment);
    const error = this.#libc.posix_spawn(
      this.#pidBytes,
      path,
      this.#actionsOf(request).memory,
      this.#attributes,
      new Uint8Array(argv.pointers.buffer),
      new Uint8Array(env.pointers.buffer),
    );
    // Named here so that it stays alive until the kernel has copied it; the environment does as it is.
    argv.bytes.fill(0);
    return error === 0 ? this.#pid[0]! : -error;
  }

  [Symbol.dispose](): void {
    this.#libc.posix_spawnattr_destroy(this.#attributes);
    this.#forgetActions();
  }

  #environmentOf(text: string): StringArray {
    if (this.#environment?.text !== text) this.#environment = { text, strings: stringArray(text) };
    return this.#environment.strings;
  }

  #actionsOf({ cwd, fds: list }: PreparedRequest): Actions {
    const fds = list.join();
    const known = this.#actions;
    if (known?.cwd === cwd && known.fds === fds) return known;
    const directory = cString(cwd);
    this.#forgetActions();
    const memory = new Uint8Array(256);
    const libc = this.#libc;
    libc.posix_spawn_file_actions_init(memory);
    libc.posix_spawn_file_actions_addchdir_np(memory, directory);
    list.forEach((fd, target) => libc.posix_spawn_file_actions_adddup2(memory, fd, target));
    return this.#actions = { cwd, fds, memory };
  }

  #forgetActions(): void {
    if (this.#actions) this.#libc.posix_spawn_file_actions_destroy(this.#actions.memory);
    this.#actions = null;
  }
}
