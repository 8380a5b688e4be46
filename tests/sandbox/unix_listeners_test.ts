import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseUnixDump } from "../../src/sandbox/unix_listeners.ts";

const FILE = { inode: 77, device: 0x800001 };

/** One message of a dump: `struct nlmsghdr`, `struct unix_diag_msg`, one attribute of `struct unix_diag_vfs`. */
function message(type: number, socket: number, vfs: readonly [number, number]): number[] {
  const bytes = new Uint8Array(44);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 44, true);
  view.setUint16(4, type, true);
  view.setUint32(20, socket, true);
  view.setUint16(32, 12, true);
  view.setUint16(34, 1, true);
  view.setUint32(36, vfs[0], true);
  view.setUint32(40, vfs[1], true);
  return [...bytes];
}

const dump = (...messages: readonly number[][]) => new Uint8Array(messages.flat());

Deno.test("parseUnixDump finds the sockets that listen at a file, and the end", () => {
  const here = message(20, 5, [77, 0x800001]);
  const others = [message(20, 6, [77, 0x800002]), message(20, 7, [78, 0x800001])];
  const cases = [
    { in: dump(here), want: { sockets: ["5"], end: null } },
    { in: dump(...others, here), want: { sockets: ["5"], end: null } },
    { in: dump(...others, message(3, 0, [0, 0])), want: { sockets: [], end: "done" } },
    { in: dump(here, message(2, 0, [0, 0])), want: { sockets: ["5"], end: "failed" } },
    { in: dump(here).subarray(0, 40), want: { sockets: [], end: "failed" } },
    { in: dump(), want: { sockets: [], end: null } },
  ] as const;
  for (const one of cases) assertEquals(parseUnixDump(one.in, FILE), one.want);
});

Deno.test("parseUnixDump ends whatever it is given", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const { sockets } = parseUnixDump(new Uint8Array(bytes), FILE);
      return sockets.length <= bytes.length / 16;
    }),
  );
});
