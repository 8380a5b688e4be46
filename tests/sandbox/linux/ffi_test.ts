import { assertEquals, assertThrows } from "@std/assert";
import {
  close,
  cString,
  pipe,
  poll,
  read,
  syscall,
  writeAll,
} from "../../../src/sandbox/linux/ffi.ts";

Deno.test("syscall answers a value or the negative errno, with all six arguments", () => {
  assertEquals(syscall("getpid"), Deno.pid);
  assertEquals(syscall("close", -1), -9);
  assertEquals(syscall("openat", -100, cString("/no/such/file"), 0, 0), -2);
  assertThrows(() => syscall("no_such_call"), RangeError, 'Cannot call "no_such_call"');
  // mmap takes six: an offset that is no multiple of the page is EINVAL, and only the sixth argument says so.
  const [PROT_READ, MAP_PRIVATE_ANONYMOUS, size] = [1, 0x22, 4096];
  assertEquals(syscall("mmap", 0, size, PROT_READ, MAP_PRIVATE_ANONYMOUS, -1, 1), -22);
  const address = syscall("mmap", 0, size, PROT_READ, MAP_PRIVATE_ANONYMOUS, -1, 0);
  assertEquals([address > 0, syscall("munmap", address, size)], [true, 0]);
});

Deno.test("cString ends with a NUL and refuses what would not arrive as it is", () => {
  assertEquals([...cString("a\u00e9")], [0x61, 0xc3, 0xa9, 0]);
  for (const text of ["\0", "a\0b", "\ud800", "\udc00x"]) {
    assertThrows(() => cString(text), TypeError, "Cannot pass text");
  }
});

Deno.test("poll waits for input and for the end of a pipe", async () => {
  const ends = pipe();
  if (typeof ends === "number") throw new Error(`pipe: ${ends}`);
  const entry = { fd: ends.read, ready: false };
  await poll([entry], 0);
  assertEquals(entry.ready, false);
  assertEquals(writeAll(ends.write, new TextEncoder().encode("text")), 0);
  await poll([entry], -1);
  const buffer = new Uint8Array(16);
  assertEquals([entry.ready, read(ends.read, buffer)], [true, 4]);
  close(ends.write);
  await poll([entry], -1);
  assertEquals([entry.ready, read(ends.read, buffer)], [true, 0]);
  close(ends.read);
  assertEquals([read(ends.read, buffer), writeAll(ends.write, buffer)], [-9, -9]);
});
