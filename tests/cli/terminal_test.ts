import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ClosedPipe, hasReader, writeText } from "../../src/cli/terminal.ts";
import { SystemCallError } from "../../src/errors.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import { openPipe, openReadOnly, readAvailable } from "./streams.ts";

Deno.test("writeText() writes all of a text as UTF-8", () => {
  const ends = openPipe();
  writeText(ends.write, "a\u00e9\u{1f600}\n");
  writeText(ends.write, "");
  assertEquals(readAvailable(ends.read), "a\u00e9\u{1f600}\n");
  Object.values(ends).forEach(close);
});

Deno.test("writeText() waits where somebody made the descriptor non-blocking", async () => {
  const directory = Deno.makeTempDirSync();
  const path = `${directory}/fifo`;
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
  const fd = open(path, OPEN.RDWR | OPEN.NONBLOCK);
  // More than a pipe holds: this thread waits for the reader, so the reader is another process.
  const reader = new Deno.Command("sh", { args: ["-c", 'exec wc -c <"$0"', path], stdout: "piped" })
    .spawn();
  const output = reader.output();
  writeText(fd, "x".repeat(1_000_000));
  // The reader has all but what the pipe still holds, so it has opened it, and closing is the end.
  close(fd);
  const { stdout } = await output;
  assertEquals(new TextDecoder().decode(stdout).trim(), "1000000");
  Deno.removeSync(directory, { recursive: true });
});

Deno.test("writeText() tells a reader that went away from every other failure", () => {
  const ends = openPipe();
  close(ends.read);
  assertThrows(() => writeText(ends.write, "x"), ClosedPipe);
  close(ends.write);
  const cases = [
    { fd: openReadOnly(), errno: 9 },
    { fd: open("/dev/full", OPEN.WRONLY), errno: 28 },
  ];
  for (const { fd, errno } of cases) {
    const error = assertThrows(() => writeText(fd, "x"), SystemCallError);
    assertEquals([error.call, error.errno], ["write", errno]);
    assertStringIncludes(error.message, `Cannot write to descriptor ${fd}: `);
    close(fd);
  }
});

Deno.test("hasReader() sees that the reader of a pipe went away, and takes every file for read", () => {
  const ends = openPipe();
  assertEquals(hasReader(ends.write), true);
  close(ends.read);
  assertEquals(hasReader(ends.write), false);
  close(ends.write);
  const file = open("/dev/null", OPEN.WRONLY);
  assertEquals(hasReader(file), true);
  close(file);
});
