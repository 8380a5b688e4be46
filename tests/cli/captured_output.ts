/** What a function writes to descriptors 1 and 2 of this process, past the test runner. */
import { close, open, pipe, read, syscall } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";

/** `F_DUPFD_CLOEXEC` and `F_SETFL`, `linux/fcntl.h`. */
const DUPLICATE = 1030;
const SET_FLAGS = 4;

/** Both streams. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
}

/** A pipe whose reading end never blocks. */
export function openPipe(): { readonly read: number; readonly write: number } {
  const ends = pipe();
  if (typeof ends === "number") throw new Error(`Cannot open a pipe: errno ${-ends}`);
  syscall("fcntl", ends.read, SET_FLAGS, OPEN.NONBLOCK);
  return ends;
}

/** All that is in a pipe now, at most 1 MiB. */
export function readAvailable(fd: number): string {
  const buffer = new Uint8Array(1 << 20);
  let length = 0;
  for (let count = 1; count > 0; length += Math.max(0, count)) {
    count = read(fd, buffer.subarray(length));
  }
  return new TextDecoder().decode(buffer.subarray(0, length));
}

/** Run a function with 1 and 2 replaced: by pipes, or by one pipe for both (`2>&1`). It must not wait for anything. */
export function captureOutput(body: () => void, options = { together: false }): Captured {
  const saved = [1, 2].map((fd) => syscall("fcntl", fd, DUPLICATE, 100));
  const out = openPipe();
  const err = options.together ? out : openPipe();
  syscall("dup3", out.write, 1, 0);
  syscall("dup3", err.write, 2, 0);
  try {
    body();
  } finally {
    [1, 2].forEach((fd, index) => syscall("dup3", saved[index]!, fd, 0));
  }
  const captured = {
    stdout: readAvailable(out.read),
    stderr: options.together ? "" : readAvailable(err.read),
  };
  for (const fd of new Set([...saved, out.read, out.write, err.read, err.write])) close(fd);
  return captured;
}

/** Run a function while nobody can read what is written to one of the two. */
export function withClosedReader(fd: 1 | 2, body: () => void): Captured {
  return captureOutput(() => {
    const gone = openPipe();
    close(gone.read);
    syscall("dup3", gone.write, fd, 0);
    close(gone.write);
    body();
  });
}

/** A descriptor of a file that cannot be written. */
export function openReadOnly(): number {
  return open("/dev/null", OPEN.RDONLY);
}
