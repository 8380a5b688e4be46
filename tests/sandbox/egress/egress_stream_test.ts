import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../../../src/sandbox/egress/egress_stream.ts";
import { cutAt, fakeStream } from "./fake_conn.ts";

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);

Deno.test("EgressStream.through() finds the first delimiter however the bytes arrive, and leaves the rest", async () => {
  const text = fc.string({ unit: fc.constantFrom("\r", "\n", "a"), maxLength: 60 });
  await fc.assert(fc.asyncProperty(text, fc.array(fc.nat()), async (before, places) => {
    const whole = `${before}\r\n\r\n--rest`;
    const end = whole.indexOf("\r\n\r\n") + 4;
    const { stream } = fakeStream(cutAt(whole, places));
    assertEquals(latin1(await stream.through("\r\n\r\n", 100)), whole.slice(0, end));
    assertEquals(latin1(await stream.exactly(whole.length - end)), whole.slice(end));
    assertEquals(await stream.some(), null);
  }));
});

Deno.test("EgressStream.through() is bounded, also for what never ends", async () => {
  const over = fakeStream(["x".repeat(100_000)]);
  await assertRejects(() => over.stream.through("\r\n", 40_000), ProtocolError, "40000");
  const ended = fakeStream(["x\r"]);
  await assertRejects(() => ended.stream.through("\r\n", 10), ProtocolError, "too early");
  const exact = fakeStream(["x".repeat(39_998), "\r\n"]);
  assertEquals((await exact.stream.through("\r\n", 40_000)).length, 40_000);
  await assertRejects(() => fakeStream(["abc"]).stream.exactly(4), ProtocolError);
});

Deno.test("EgressStream.write() writes all of it where the system takes a part at a time", async () => {
  const { stream, written } = fakeStream([]);
  await stream.write(new TextEncoder().encode("0123456789"));
  assertEquals(written(), "0123456789");
});
