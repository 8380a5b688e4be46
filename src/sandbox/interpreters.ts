/** Which other files the kernel needs to execute a program: the `#!` line of a script, the loader of an ELF file. */
import { close, open, read, type Result, syscall } from "./linux/ffi.ts";
import { OPEN } from "./linux/uapi.ts";
import { descriptorStatus } from "./linux/files.ts";

/** What of a file's start is looked at. Linkers put the program headers first; Go ends the loader's name at this byte. */
const HEAD_BYTES = 4096;
/** `BINPRM_BUF_SIZE`, `linux/binfmts.h`: the kernel reads no more of a `#!` line. */
const LINE_BYTES = 256;
/** `PATH_MAX`, `linux/limits.h`. */
const MAX_NAME = 4096;
/** `linux/elf.h`: `PT_INTERP`, and the layout of `Elf64_Ehdr` and `Elf64_Phdr`. */
const PT_INTERP = 3;
const MAX_HEADERS = 64;
const decoder = new TextDecoder();

/** What executes a program besides itself. */
export type Interpreter =
  | { readonly kind: "file"; readonly path: string }
  /** Looked for on the search path, by `env`. */
  | { readonly kind: "name"; readonly name: string };

/** What a `#!` line names; `env` is an interpreter that looks for another one. */
function ofScript(head: Uint8Array): readonly Interpreter[] {
  const line = decoder.decode(head.subarray(2, LINE_BYTES)).split("\n", 1)[0] ?? "";
  const [path = "", ...words] = line.trim().split(/[ \t]+/);
  if (!path.startsWith("/")) return [];
  const itself = { kind: "file", path } as const;
  if (!/\/env$/.test(path)) return [itself];
  const name = words.find((word) => !word.startsWith("-") && !word.includes("="));
  if (name === undefined) return [itself];
  return [itself, name.startsWith("/") ? { kind: "file", path: name } : { kind: "name", name }];
}

/** The name that a 64-bit little-endian ELF file gives its loader; other classes cannot be executed in a jail. */
function ofElf(head: Uint8Array, readAt: (at: number, length: number) => Uint8Array | null) {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 64 || head[4] !== 2 || head[5] !== 1) return [];
  const start = Number(view.getBigUint64(32, true));
  const size = view.getUint16(54, true);
  const count = Math.min(view.getUint16(56, true), MAX_HEADERS);
  for (let index = 0; index < count; index++) {
    const at = start + index * size;
    if (at + 56 > head.length) break;
    if (view.getUint32(at, true) !== PT_INTERP) continue;
    const length = Number(view.getBigUint64(at + 32, true));
    if (length > MAX_NAME) return [];
    const bytes = readAt(Number(view.getBigUint64(at + 8, true)), length);
    const path = bytes === null ? "" : decoder.decode(bytes).split("\0", 1)[0]!;
    return path.startsWith("/") ? [{ kind: "file", path } as const] : [];
  }
  return [];
}

/** Read until the buffer is full or the file ends. */
function fill(fd: number, buffer: Uint8Array<ArrayBuffer>): Uint8Array {
  let length = 0;
  for (;;) {
    const count: Result = read(fd, buffer.subarray(length));
    if (count <= 0) return buffer.subarray(0, length);
    length += count;
    if (length === buffer.length) return buffer;
  }
}

/**
 * What executes a program besides itself; empty for what is no program, or needs nothing.
 *
 * @param path of a file that commands cannot write: what it names is granted.
 */
export function interpretersOf(path: string): readonly Interpreter[] {
  const fd = open(path, OPEN.RDONLY | OPEN.NONBLOCK);
  if (fd < 0) return [];
  try {
    if (descriptorStatus(fd)?.kind !== "file") return [];
    const head = fill(fd, new Uint8Array(HEAD_BYTES));
    if (head[0] === 0x23 && head[1] === 0x21) return ofScript(head);
    if (decoder.decode(head.subarray(1, 4)) !== "ELF") return [];
    return ofElf(head, (at, length) => {
      if (syscall("lseek", fd, at, 0) < 0) return null;
      return fill(fd, new Uint8Array(length));
    });
  } finally {
    close(fd);
  }
}
