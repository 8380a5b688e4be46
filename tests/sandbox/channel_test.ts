import { assertEquals } from "@std/assert";
import { closeEnds, openChannel, OrderChannel, ReplyChannel } from "../../src/sandbox/channel.ts";
import { waitFor } from "../../src/sandbox/linux/wait.ts";
import { openDescriptors } from "./open_descriptors.ts";

const E2BIG = 7;
/** More than its memory holds at first. */
const LONG = "x".repeat(300_000);

Deno.test("OrderChannel and ReplyChannel carry messages by turns, whatever they hold and however long they are", () => {
  const before = openDescriptors();
  const { near, far } = openChannel();
  const orders = new OrderChannel<unknown, unknown>(near);
  const replies = new ReplyChannel<unknown, unknown>(far);
  // As many bytes as the memory has at first, one less and one more; text whose bytes are three times its length.
  const edges = [65_533, 65_534, 65_535].map((length) => "x".repeat(length));
  const wide = ["\u4e2d".repeat(21_844), "\u4e2d".repeat(21_845), "\u4e2d".repeat(30_000)];
  const odd = ["", "a\0b", "\ud800", "\u{1f600}\n", LONG, { a: [1, { b: null }] }, [], 1];
  for (const message of [...odd, ...edges, ...wide, 2]) {
    assertEquals([orders.send(message), replies.receive()], [0, message]);
    assertEquals([replies.send([message]), orders.receive()], [0, [message]]);
  }
  orders.close();
  replies.close();
  assertEquals(openDescriptors(), before);
});

Deno.test("OrderChannel.send refuses a message that no shared memory is kept for, and sends the next", () => {
  const { near, far } = openChannel();
  const orders = new OrderChannel<string, never>(near);
  const replies = new ReplyChannel<string, never>(far);
  // Each of these characters is six bytes of JSON.
  assertEquals(orders.send("\u0001".repeat(11 << 20)), -E2BIG);
  assertEquals(replies.wait(0), false);
  assertEquals([orders.send("text"), replies.wait(0), replies.receive()], [0, true, "text"]);
  assertEquals(replies.wait(0), false);
  closeEnds(near, far);
});

Deno.test("receive is null when the other end is closed, after what was sent before", () => {
  const { near, far } = openChannel();
  const orders = new OrderChannel<string, string>(near);
  const replies = new ReplyChannel<string, string>(far);
  orders.send("last");
  orders.close();
  assertEquals([replies.wait(0), replies.receive(), replies.receive()], [true, "last", null]);
  assertEquals(replies.wait(0), true);
  replies.close();
  const other = openChannel();
  const left = new OrderChannel<string, string>(other.near);
  const right = new ReplyChannel<string, string>(other.far);
  right.send("last");
  right.close();
  assertEquals([left.receive(), left.receive()], ["last", null]);
  left.close();
});

Deno.test("ReplyChannel waits for what another thread sends, and is woken when that closes its end", async () => {
  const { near, far } = openChannel();
  const code = `import { ReplyChannel } from ${
    JSON.stringify(import.meta.resolve("../../src/sandbox/channel.ts"))
  };
    onmessage = ({ data }) => {
      const channel = new ReplyChannel(data);
      for (let got = channel.receive(); got !== null; got = channel.receive()) channel.send(got + 1);
      channel.close();
      postMessage("ended");
    };`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
  const ended = new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  worker.postMessage(far);
  const orders = new OrderChannel<number, number>(near);
  for (let turn = 0; turn < 200; turn++) {
    assertEquals([orders.send(turn), waitFor(orders.input, -1, 60_000)[0] !== 0], [0, true]);
    assertEquals(orders.receive(), turn + 1);
  }
  orders.close();
  assertEquals(await ended, "ended");
  worker.terminate();
});
