/** Where a jail's first process reports what the kernel says of it, before it becomes the command. */
import { close, read, syscall } from "./linux/ffi.ts";
import { F_SETFL, OPEN } from "./linux/uapi.ts";
import { openPipe } from "./open_pipe.ts";
import { parseProof, type Proof } from "./restrict.ts";

/** Three lines of proc(5) fit many times. */
const MAX_BYTES = 1024;

/** A pipe of which the command never holds an end. */
export class ProofPipe {
  readonly #read: number;
  readonly #write: number;

  private constructor(ends: { readonly read: number; readonly write: number }) {
    this.#read = ends.read;
    this.#write = ends.write;
  }

  /** Open one. @throws {SystemCallError} when no descriptor is left. */
  static open(): ProofPipe {
    const ends = openPipe();
    syscall("fcntl", ends.read, F_SETFL, OPEN.NONBLOCK);
    return new ProofPipe(ends);
  }

  /** For the child. */
  get writeEnd(): number {
    return this.#write;
  }

  /** After the spawn: only the child holds it then. */
  closeWriteEnd(): void {
    close(this.#write);
  }

  /** What was reported so far; null when that is not everything. */
  read(): Proof | null {
    const buffer = new Uint8Array(MAX_BYTES);
    const count = read(this.#read, buffer);
    return count <= 0 ? null : parseProof(new TextDecoder().decode(buffer.subarray(0, count)));
  }

  /** Close what is left. */
  close(): void {
    close(this.#read);
  }
}
