import { assertEquals } from "@std/assert";
import { Channel, closeEnds } from "../../src/sandbox/channel.ts";
import { waitFor } from "../../src/sandbox/linux/wait.ts";
import { openDescriptors } from "./open_descriptors.ts";

const E2BIG = 7;
/** More than its memory and the pipes hold at first. */
const LONG = "x".repeat(300_000);

Deno.test("Channel carries messages by turns, whatever they hold and however long they are", () => {
  const before = openDescriptors();
  const { near, far } = Channel.open();
  const [one, other] = [new Channel<unknown, unknown>(near), new Channel<unknown, unknown>(far)];
  const messages = ["", "a\0b", "\ud800", "\u{1f600}\n", LONG, { a: [1, { b: null }] }, [], 1];
  for (const message of messages) {
    assertEquals([one.send(message), other.receive()], [0, message]);
    assertEquals([other.send([message]), one.receive()], [0, [message]]);
  }
  one.close();
  other.close();
  assertEquals(openDescriptors(), before);
});

Deno.test("Channel.send refuses a message that no shared memory is kept for, and carries the next", () => {
  const { near, far } = Channel.open();
  const [one, other] = [new Channel<string, never>(near), new Channel<never, string>(far)];
  // Each of these characters is six bytes of JSON.
  assertEquals(one.send("\u0001".repeat(11 << 20)), -E2BIG);
  assertEquals(waitFor(far.input, -1, 0), [0, 0]);
  assertEquals([one.send("text"), other.receive()], [0, "text"]);
  closeEnds(near, far);
});

Deno.test("Channel.receive is null when the other end is closed", () => {
  const { near, far } = Channel.open();
  const [one, other] = [new Channel<string, string>(near), new Channel<string, string>(far)];
  one.send("last");
  one.close();
  assertEquals([other.receive(), other.receive()], ["last", null]);
  other.close();
});
