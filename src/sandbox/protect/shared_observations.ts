/**
 * What sessions of one user tell each other of the protected paths: one file for each that has something to tell, in a
 * directory that no command reaches. Without it a session that begins while another's command has planted a hook would
 * take the hook for the user's own, and put it back once the other has removed it.
 *
 * A file is locked as long as its session lives, so one that is not belongs to a session that was killed. Its name holds
 * its place in the order, and whether something of the session's runs. All happens under the lock of one more file, so
 * that of two sessions that begin at once the second sees what the first has seen.
 */
import { SystemCallError } from "../../errors.ts";
import { LIST, listEntries, LOOKUP, openBeneath, readBeneath } from "../linux/beneath.ts";
import { close, cString, open, type Result, syscall, writeAll } from "../linux/ffi.ts";
import { AT_FDCWD, ERRNO, LOCK, OPEN } from "../linux/uapi.ts";
import { sameBytes } from "./file_state.ts";
import { decodeObservation, encodeObservation, type Observation } from "./observation.ts";

/** File by whose lock all is ordered. */
const ORDER = "order";
const NAME = /^(\d{12})-(busy|idle)$/;
/** Bytes of one file: several times of what is kept for one tree, and its names. */
const MAX_BYTES = 1 << 28;

/** What writing answers where there is no room, as the disk, a quota or a limit has it. */
const FULL: ReadonlySet<Result> = new Set([-ERRNO.ENOSPC, -ERRNO.EDQUOT, -ERRNO.EFBIG]);

/** What another living session has seen. */
export interface OtherObservation {
  readonly observation: Observation;
  /** Something of the session's runs, or may have changed what it has not compared yet. */
  readonly busy: boolean;
}

/** A session's own file; `bytes` is what was written into it, null when there was no room. */
interface OwnFile {
  readonly name: string;
  readonly fd: number;
  readonly bytes: Uint8Array | null;
}

function need(call: string, result: Result): Result {
  if (result >= 0) return result;
  throw new SystemCallError(call, -result, `${call} failed with errno ${-result}`);
}

function nameOf(order: number, state: "busy" | "idle"): string {
  return `${String(order).padStart(12, "0")}-${state}`;
}

/** One session's part in it. */
export class SharedObservations {
  readonly #directory: number;
  readonly #order: number;
  /** This session's file. */
  #own: OwnFile | null = null;

  /** @param directory absolute, outside of everything that commands reach; created when it is absent, with nothing above it. */
  constructor(directory: string) {
    // It is there but for the first time; what else went wrong shows at the next call.
    syscall("mkdirat", AT_FDCWD, cString(directory), 0o700);
    this.#directory = need("openat", open(directory, LOOKUP));
    this.#order = this.#open(ORDER, OPEN.CREAT);
    if (this.#order < 0) close(this.#directory);
    need("openat", this.#order);
  }

  /** True from `begin` to `rest`. */
  get isBusy(): boolean {
    return this.#own?.name.endsWith("busy") ?? false;
  }

  /**
   * Observe while no other session begins.
   *
   * @param observe gets what the living others have seen, oldest first, and returns what this session has.
   * @throws {SystemCallError} when it cannot be told to others, {SyntaxError} when another's cannot be read.
   */
  begin(observe: (others: readonly OtherObservation[]) => Observation): void {
    this.#exclusively(() => {
      const { others, last } = this.#others();
      const bytes = encodeObservation(observe(others));
      const known = this.#own?.bytes ?? null;
      if (known !== null && sameBytes(known, bytes)) this.#rename(nameOf(last, "busy"));
      else this.#write(nameOf(last, "busy"), bytes);
    });
  }

  #write(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#withdraw();
    const fd = need("openat", this.#open(name, OPEN.CREAT | OPEN.EXCL));
    this.#own = { name, fd, bytes: null };
    need("flock", syscall("flock", fd, LOCK.EX | LOCK.NB));
    const written = writeAll(fd, bytes);
    if (!FULL.has(written)) need("write", written);
    // The command may run; whoever begins beside it finds nothing to read, and does not.
    else need("ftruncate", syscall("ftruncate", fd, 0));
    this.#own = { name, fd, bytes: FULL.has(written) ? null : bytes };
  }

  #rename(name: string): void {
    if (this.#own === null || this.#own.name === name) return;
    const [from, to] = [cString(this.#own.name), cString(name)];
    need("renameat", syscall("renameat", this.#directory, from, this.#directory, to));
    this.#own = { ...this.#own, name };
  }

  /** Nothing of the session's runs any more, and all that was seen is as it has to be. */
  rest(): void {
    if (this.#own === null) return;
    const idle = this.#own.name.replace("busy", "idle");
    this.#exclusively(() => this.#rename(idle));
  }

  /** The session has ended, or never begins. */
  close(): void {
    this.#withdraw();
    close(this.#order);
    close(this.#directory);
  }

  #exclusively(work: () => void): void {
    need("flock", syscall("flock", this.#order, LOCK.EX));
    try {
      work();
    } finally {
      syscall("flock", this.#order, LOCK.UN);
    }
  }

  #withdraw(): void {
    if (this.#own === null) return;
    syscall("unlinkat", this.#directory, cString(this.#own.name), 0);
    close(this.#own.fd);
    this.#own = null;
  }

  #open(name: string, flags = 0): number {
    const all = OPEN.RDWR | OPEN.CLOEXEC | OPEN.NONBLOCK | flags;
    return syscall("openat", this.#directory, cString(name), all, 0o600);
  }

  /** The living others, oldest first, and the place of the youngest: this session's own once more when it is that. */
  #others(): { readonly others: readonly OtherObservation[]; readonly last: number } {
    const fd = need("openat", openBeneath(this.#directory, "", LIST));
    const names = listEntries(fd)?.map(({ name }) => name).filter((name) => NAME.test(name)) ?? [];
    close(fd);
    const own = this.#own?.name;
    const others = names.sort().flatMap((name) =>
      name !== own && this.#isLiving(name) ? this.#read(name) : []
    );
    const youngest = names.at(-1);
    const place = Number(youngest?.slice(0, 12) ?? 0);
    return { others, last: youngest === own && own !== undefined ? place : place + 1 };
  }

  /** Removes the file of a session that was killed. */
  #isLiving(name: string): boolean {
    const fd = this.#open(name);
    if (fd < 0) return false;
    const dead = syscall("flock", fd, LOCK.EX | LOCK.NB) === 0;
    if (dead) syscall("unlinkat", this.#directory, cString(name), 0);
    close(fd);
    return !dead;
  }

  /** Empty when its session has ended meanwhile: it has put back what it had to. */
  #read(name: string): readonly OtherObservation[] {
    const bytes = readBeneath(this.#directory, name, MAX_BYTES);
    if (bytes === null) {
      const fd = this.#open(name);
      if (fd < 0) return [];
      close(fd);
      throw new SystemCallError("read", 0, `Cannot read what another session protects: "${name}"`);
    }
    return [{ observation: decodeObservation(bytes), busy: name.endsWith("busy") }];
  }
}
