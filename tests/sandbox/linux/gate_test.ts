import { assertEquals } from "@std/assert";
import { close, pipe, writeAll } from "../../../src/sandbox/linux/ffi.ts";
import { Gate } from "../../../src/sandbox/linux/gate.ts";
import { POLL } from "../../../src/sandbox/linux/uapi.ts";
import { waitFor } from "../../../src/sandbox/linux/wait.ts";

Deno.test("Gate shows that a descriptor can be read, and while it is shut only waitFor itself sees it", () => {
  const ends = pipe();
  if (typeof ends === "number") throw new Error(`pipe: ${ends}`);
  using gate = new Gate(ends.read);
  const seen = () => waitFor(gate.fd, ends.read, 0);
  assertEquals(seen(), [0, 0]);
  gate.shut();
  writeAll(ends.write, new Uint8Array(1));
  assertEquals(seen(), [0, POLL.IN]);
  gate.open();
  assertEquals(seen(), [POLL.IN, POLL.IN]);
  close(ends.read);
  close(ends.write);
});

Deno.test("waitFor leaves negative descriptors out and tells of a hang-up", () => {
  const ends = pipe();
  if (typeof ends === "number") throw new Error(`pipe: ${ends}`);
  assertEquals(waitFor(-1, ends.read, 1), [0, 0]);
  close(ends.write);
  assertEquals(waitFor(-1, ends.read, 60_000), [0, POLL.HUP]);
  close(ends.read);
});
