/** `read(2)` on a pool thread. A library of its own, opened when it is first needed: hardly any command needs it. */

const open = () =>
  Deno.dlopen("libc.so.6", {
    read: { parameters: ["i32", "buffer", "usize"], result: "isize", nonblocking: true },
  }).symbols;

/** Reads that may go on while this thread does something else. */
export class LaterReads {
  #libc: ReturnType<typeof open> | null = null;

  /**
   * Read into a buffer that nobody else touches meanwhile. The descriptor must stay open until then, or the kernel may
   * have given its number to another file.
   *
   * @returns bytes read, 0 at the end of the file, or -1: the errno is lost.
   */
  async read(fd: number, buffer: Uint8Array<ArrayBuffer>): Promise<number> {
    this.#libc ??= open();
    return Number(await this.#libc.read(fd, buffer, BigInt(buffer.byteLength)));
  }
}
