/**
 * `posix_spawn(3)`, opened when it is needed: each symbol costs a quarter of a millisecond, and only the jail's thread and
 * few others start processes.
 */
import type { Result } from "./ffi.ts";
import { address, cString, type StringArray, stringArray, stringBlock } from "./memory.ts";
import { POSIX_SPAWN } from "./uapi.ts";

const SYMBOLS = {
  posix_spawn: {
    parameters: ["buffer", "u64", "buffer", "buffer", "u64", "u64"],
    result: "i32",
  },
  posix_spawn_file_actions_init: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_adddup2: { parameters: ["buffer", "i32", "i32"], result: "i32" },
  posix_spawn_file_actions_addchdir_np: { parameters: ["buffer", "u64"], result: "i32" },
  posix_spawn_file_actions_destroy: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_init: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_setflags: { parameters: ["buffer", "i16"], result: "i32" },
  posix_spawnattr_setsigdefault: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_setsigmask: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_destroy: { parameters: ["buffer"], result: "i32" },
} as const;

const FLAGS = POSIX_SPAWN.SETSIGDEF | POSIX_SPAWN.SETSIGMASK | POSIX_SPAWN.SETSID;

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

/** The same as the kernel takes it: addresses of memory of this process. */
export interface PreparedRequest {
  readonly path: bigint;
  readonly argv: bigint;
  readonly env: bigint;
  readonly cwd: bigint;
  readonly fds: readonly bigint[];
  /** The same number for the same directory and descriptors; above 0. */
  readonly place: bigint;
}

/** A request and what its addresses lead to, which is to be referenced until the child has executed its program. */
export interface HeldRequest extends PreparedRequest {
  readonly memory: unknown;
}

/** An environment as one text. @throws {TypeError} when it holds what cannot be given to the kernel. */
function environmentBlock(env: SpawnRequest["env"]): string {
  return stringBlock(Object.keys(env).map((name) => `${name}=${env[name]}`));
}

/** Makes the requests that one `Spawner` carries out, on whatever thread of this process. */
export class SpawnMemory {
  #environment: { readonly block: string; readonly strings: StringArray } | null = null;
  #place: { readonly name: string; readonly id: bigint } = { name: "", id: 0n };

  /** @throws {TypeError} for text that cannot be given to the kernel. */
  prepare({ path, argv, env, cwd, fds }: SpawnRequest): HeldRequest {
    const file = cString(path);
    const directory = cString(cwd);
    const args = stringArray(stringBlock(argv));
    const environment = this.#environmentOf(env);
    return {
      path: address(file),
      argv: address(args.pointers),
      env: address(environment.pointers),
      cwd: address(directory),
      fds: fds.map(BigInt),
      place: this.#placeOf(`${fds.join()} ${cwd}`),
      memory: [file, directory, args, environment],
    };
  }

  /** Seldom another one than before. */
  #environmentOf(env: SpawnRequest["env"]): StringArray {
    const block = environmentBlock(env);
    if (this.#environment?.block !== block) {
      this.#environment = { block, strings: stringArray(block) };
    }
    return this.#environment.strings;
  }

  #placeOf(name: string): bigint {
    if (this.#place.name !== name) this.#place = { name, id: this.#place.id + 1n };
    return this.#place.id;
  }
}

/** What the kernel still reads: an address is no reference. */
const held = new Set<HeldRequest>();

/**
 * `posix_spawn(3)`: a child in a session of its own, with default signal actions and an empty signal mask. It inherits
 * the Landlock domain, seccomp filters and credentials of the **calling thread**.
 *
 * @returns the process id, or the negative errno (`E2BIG`, `ENOENT`, `EACCES`, `ENOEXEC`, …).
 * @throws {TypeError} for text that cannot be given to the kernel.
 */
export function posixSpawn(request: SpawnRequest): Result {
  using spawner = new Spawner();
  const prepared = new SpawnMemory().prepare(request);
  held.add(prepared);
  try {
    return spawner.spawn(prepared);
  } finally {
    held.delete(prepared);
  }
}

/**
 * Starts one child after another, each as `posixSpawn` does: what does not change from one to the next is made once, which saves a dozen calls of
 * the library.
 *
 * The opaque structures get more room than glibc's 80 (`posix_spawn_file_actions_t`) and 336 bytes
 * (`posix_spawnattr_t`).
 */
export class Spawner implements Disposable {
  readonly #libc = Library.symbols;
  readonly #attributes = new Uint8Array(512);
  readonly #pid = new Int32Array(1);
  readonly #pidBytes = new Uint8Array(this.#pid.buffer);
  #actions: { readonly place: bigint; readonly memory: Uint8Array<ArrayBuffer> } | null = null;

  constructor() {
    const libc = this.#libc;
    libc.posix_spawnattr_init(this.#attributes);
    libc.posix_spawnattr_setflags(this.#attributes, FLAGS);
    // sigset_t is 128 bytes in glibc; all ones means every signal.
    libc.posix_spawnattr_setsigdefault(this.#attributes, new Uint8Array(128).fill(0xff));
    libc.posix_spawnattr_setsigmask(this.#attributes, new Uint8Array(128));
  }

  /**
   * Start a child.
   *
   * @param request always from one and the same `SpawnMemory`.
   * @returns as `posixSpawn`.
   */
  spawn(request: PreparedRequest): Result {
    const error = this.#libc.posix_spawn(
      this.#pidBytes,
      request.path,
      this.#actionsOf(request),
      this.#attributes,
      request.argv,
      request.env,
    );
    return error === 0 ? this.#pid[0]! : -error;
  }

  [Symbol.dispose](): void {
    this.#libc.posix_spawnattr_destroy(this.#attributes);
    this.#forgetActions();
  }

  #actionsOf({ place, cwd, fds }: PreparedRequest): Uint8Array<ArrayBuffer> {
    if (this.#actions?.place === place) return this.#actions.memory;
    this.#forgetActions();
    const memory = new Uint8Array(256);
    const libc = this.#libc;
    libc.posix_spawn_file_actions_init(memory);
    libc.posix_spawn_file_actions_addchdir_np(memory, cwd);
    fds.forEach((fd, target) => libc.posix_spawn_file_actions_adddup2(memory, Number(fd), target));
    this.#actions = { place, memory };
    return memory;
  }

  #forgetActions(): void {
    if (this.#actions) this.#libc.posix_spawn_file_actions_destroy(this.#actions.memory);
    this.#actions = null;
  }
}
