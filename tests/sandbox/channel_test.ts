import { assertEquals, assertThrows } from "@std/assert";
import {
  AnswerChannel,
  closeEnds,
  MOST_OPERANDS,
  openChannel,
  OrderChannel,
} from "../../src/sandbox/channel.ts";
import { waitFor } from "../../src/sandbox/linux/wait.ts";
import { openDescriptors } from "./open_descriptors.ts";

Deno.test("OrderChannel and AnswerChannel carry orders and their answers by turns, whatever numbers they are", () => {
  const before = openDescriptors();
  const { near, far } = openChannel();
  const orders = new OrderChannel(near);
  const answers = new AnswerChannel(far);
  const most = Array.from({ length: MOST_OPERANDS }, (_, index) => BigInt(index) - 3n);
  // The lowest and highest address that a process can have, and what is negative.
  const lists = [[1n, 2n, 3n], [], [0x7fff_ffff_ffff_ffffn, -1n], most, [0n], [4096n]];
  for (const [index, operands] of lists.entries()) {
    const order = { code: index + 1, operands };
    orders.send(order);
    assertEquals(answers.receive(), order);
    for (const result of [index, -index, 0x7fff_ffff, -0x8000_0000]) {
      const answer = { result, index: -result - 1 };
      assertEquals([answers.send(answer), orders.receive()], [0, answer]);
    }
  }
  orders.close();
  answers.close();
  assertEquals(openDescriptors(), before);
});

Deno.test("OrderChannel.send refuses more operands than there is room for, and sends the next order", () => {
  const { near, far } = openChannel();
  const orders = new OrderChannel(near);
  const answers = new AnswerChannel(far);
  const operands = new Array<bigint>(MOST_OPERANDS + 1).fill(0n);
  assertThrows(() => orders.send({ code: 1, operands }), RangeError, `${MOST_OPERANDS} at most`);
  assertEquals(answers.wait(0), false);
  orders.send({ code: 2, operands: [] });
  assertEquals([answers.wait(0), answers.receive()], [true, { code: 2, operands: [] }]);
  assertEquals(answers.wait(0), false);
  closeEnds(near, far);
});

Deno.test("receive is null when the other end is closed, after what was sent before", () => {
  const { near, far } = openChannel();
  const orders = new OrderChannel(near);
  const answers = new AnswerChannel(far);
  const last = { code: 3, operands: [1n] };
  orders.send(last);
  orders.close();
  assertEquals([answers.wait(0), answers.receive(), answers.receive()], [true, last, null]);
  assertEquals(answers.wait(0), true);
  answers.close();
  const other = openChannel();
  const left = new OrderChannel(other.near);
  const right = new AnswerChannel(other.far);
  right.send({ result: 9, index: 8 });
  right.close();
  assertEquals([left.receive(), left.receive()], [{ result: 9, index: 8 }, null]);
  left.close();
});

Deno.test("AnswerChannel waits for what another thread sends, and is woken when that closes its end", async () => {
  const { near, far } = openChannel();
  const code = `import { AnswerChannel } from ${
    JSON.stringify(import.meta.resolve("../../src/sandbox/channel.ts"))
  };
    onmessage = ({ data }) => {
      const channel = new AnswerChannel(data);
      for (let got = channel.receive(); got !== null; got = channel.receive()) {
        channel.send({ result: got.code + Number(got.operands[0]), index: got.code });
      }
      channel.close();
      postMessage("ended");
    };`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
  const ended = new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  worker.postMessage(far);
  const orders = new OrderChannel(near);
  for (let turn = 1; turn <= 200; turn++) {
    orders.send({ code: turn, operands: [7n] });
    assertEquals(waitFor(orders.input, -1, 60_000)[0] !== 0, true);
    assertEquals(orders.receive(), { result: turn + 7, index: turn });
  }
  orders.close();
  assertEquals(await ended, "ended");
  worker.terminate();
});
