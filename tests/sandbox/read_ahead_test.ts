import { assert, assertEquals } from "@std/assert";
import { syscall } from "../../src/sandbox/linux/ffi.ts";
import { ReadAhead } from "../../src/sandbox/read_ahead.ts";
import { closePipes, openPipes } from "../../src/sandbox/supervise.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

/** `F_GETPIPE_SZ`, `linux/fcntl.h`. */
const F_GETPIPE_SZ = 1032;
const PIECE = 5000;

function takeAll(ahead: ReadAhead): number[] {
  const bytes: number[] = [];
  for (let piece = ahead.take(); piece !== null; piece = ahead.take()) {
    assert(piece.length <= PIECE);
    bytes.push(...piece);
  }
  return bytes;
}

Deno.test("ReadAhead begins after full reads, gives every byte once and in order, and stops at an empty pipe", async () => {
  const pipes = openPipes(false);
  const { read, write } = pipes.stdout;
  const ahead = new ReadAhead(PIECE);
  try {
    const size = Math.min(syscall("fcntl", write, F_GETPIPE_SZ, 0), 300_000);
    const sent = Uint8Array.from({ length: size }, (_, i) => (i * 7919) >> 5);
    assertEquals(syscall("write", write, sent, size), size);
    ahead.note(read, true);
    ahead.note(read, false);
    for (let i = 0; i < 7; i++) ahead.note(read, true);
    assertEquals(ahead.isActive, false);
    ahead.note(read, true);
    assertEquals([ahead.isActive, ahead.hasMore, ahead.take()], [true, false, null]);
    await ahead.settle(read);
    assertEquals(takeAll(ahead), Array.from(sent));
    await ahead.settle(read);
    assertEquals([ahead.isActive, ahead.hasMore], [false, false]);
  } finally {
    await ahead.close();
    closePipes(pipes, "read");
    closePipes(pipes, "write");
  }
});

jailTest(
  "supervise passes a flood on whole and in order, also where its reader is behind now and then",
  async () => {
    await using jailed = await TestJail.start();
    const text = Array.from({ length: 1_500_000 }, (_, i) => `${i}\n`).join("");
    Deno.writeTextFileSync(jailed.tree.at("work/big"), text);
    let calls = 0;
    const flow = {
      ready: () =>
        ++calls % 20 === 0 ? new Promise<void>((resolve) => setTimeout(resolve, 1)) : null,
      hurry: () => {},
    };
    const run = await jailed.sh("cat big; echo end >&2; cat big", { flow });
    assert(run.stdout === text + text, `${run.stdout.length} of ${2 * text.length}`);
    assertEquals([run.stderr, run.status?.kind], ["end\n", "exited"]);
    assert(calls > 20);
  },
);
