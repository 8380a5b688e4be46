import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { OutputQueue } from "../../src/cli/output_queue.ts";
import { ClosedPipe } from "../../src/cli/terminal.ts";
import { SystemCallError } from "../../src/errors.ts";
import { close, open, syscall } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import { openPipe, readAvailable } from "./streams.ts";

/** More than a pipe holds, and more than the queue takes before it asks for a pause. */
const MUCH = 400_000;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Read a pipe until a promise settles. */
async function readUntil(fd: number, done: Promise<unknown>): Promise<string> {
  let text = "";
  let settled = false;
  done.catch(() => {}).finally(() => settled = true);
  while (!settled) {
    text += readAvailable(fd);
    await new Promise((next) => setTimeout(next, 1));
  }
  return text + readAvailable(fd);
}

Deno.test("OutputQueue writes everything in order, and asks for a pause until there is room", async () => {
  const ends = openPipe();
  const queue = new OutputQueue();
  const want: string[] = [];
  let pauses = 0;
  const push = async () => {
    for (let i = 0; i < 60; i++) {
      const text = String.fromCharCode(97 + i % 26).repeat(20_000);
      const bytes = bytesOf(text);
      want.push(text);
      queue.push(ends.write, bytes);
      // The memory belongs to the caller again.
      bytes.fill(0);
      const ready = queue.ready();
      if (ready !== null) pauses++;
      await ready;
    }
    await queue.flush();
  };
  assertEquals(await readUntil(ends.read, push()), want.join(""));
  assert(pauses > 0);
  Object.values(ends).forEach(close);
});

Deno.test("OutputQueue drops what nobody reads when it is hurried, says so, and leaves nothing for later", async () => {
  const [out, err] = [openPipe(), openPipe()];
  const queue = new OutputQueue({ patienceMs: 1000, notices: err.write });
  queue.push(out.write, new Uint8Array(MUCH));
  queue.push(err.write, bytesOf("block\n"));
  const ready = queue.ready();
  assert(ready !== null);
  queue.hurry();
  await ready;
  await queue.flush();
  queue.push(out.write, bytesOf("dropped as well"));
  await queue.flush();
  assertEquals([queue.ready(), readAvailable(err.read)], [
    null,
    `debrief: nobody reads descriptor ${out.write}: the rest of the output is not printed\nblock\n`,
  ]);
  // A reader that comes back gets what its pipe and the one write hold, then what comes next.
  queue.resume();
  queue.push(out.write, bytesOf("next"));
  const text = await readUntil(out.read, queue.flush());
  assert(text.length < MUCH, `${text.length}`);
  assert(text.endsWith("\0next"), text.slice(-20));
  for (const ends of [out, err]) Object.values(ends).forEach(close);
});

Deno.test("OutputQueue keeps a slow reader's output however often it is hurried", async () => {
  const ends = openPipe();
  const queue = new OutputQueue({ patienceMs: 60_000 });
  queue.push(ends.write, new Uint8Array(MUCH));
  queue.hurry();
  assertEquals((await readUntil(ends.read, queue.flush())).length, MUCH);
  Object.values(ends).forEach(close);
});

Deno.test("OutputQueue hurries when the signal of flush() is aborted", async () => {
  const [ends, notices] = [openPipe(), openPipe()];
  const queue = new OutputQueue({ patienceMs: 10, notices: notices.write });
  queue.push(ends.write, new Uint8Array(MUCH));
  const controller = new AbortController();
  const flushed = queue.flush(controller.signal);
  controller.abort();
  await flushed;
  // The thread in the write comes back.
  queue.resume();
  queue.push(ends.write, bytesOf("x"));
  await readUntil(ends.read, queue.flush());
  for (const each of [ends, notices]) Object.values(each).forEach(close);
});

Deno.test("OutputQueue reports a reader that goes away while it waits for it", async () => {
  const ends = openPipe();
  const queue = new OutputQueue();
  queue.push(ends.write, new Uint8Array(MUCH));
  const ready = queue.ready();
  close(ends.read);
  await ready;
  await assertRejects(() => queue.flush(), ClosedPipe);
  assert(queue.failure.reason instanceof ClosedPipe);
  // It was said once.
  queue.checkReader(ends.write);
  close(ends.write);
});

Deno.test("OutputQueue waits where somebody made the descriptor non-blocking", async () => {
  const ends = openPipe();
  const SET_FLAGS = 4;
  syscall("fcntl", ends.write, SET_FLAGS, OPEN.NONBLOCK);
  const queue = new OutputQueue();
  queue.push(ends.write, new Uint8Array(MUCH));
  assertEquals((await readUntil(ends.read, queue.flush())).length, MUCH);
  Object.values(ends).forEach(close);
});

Deno.test("OutputQueue writes at once what cannot wait for a reader, and throws what goes wrong", async () => {
  const path = Deno.makeTempFileSync();
  const [file, full] = [open(path, OPEN.WRONLY), open("/dev/full", OPEN.WRONLY)];
  const queue = new OutputQueue();
  queue.push(file, bytesOf("now"));
  assertEquals(Deno.readTextFileSync(path), "now");
  assertThrows(() => queue.push(full, bytesOf("x")), SystemCallError, "ENOSPC");
  queue.push(full, bytesOf("dropped"));
  await queue.flush();
  [file, full].forEach(close);
  Deno.removeSync(path);
});
