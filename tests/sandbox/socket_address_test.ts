import { assertEquals, assertThrows } from "@std/assert";
import { parseListening } from "../../src/sandbox/listening_sockets.ts";
import {
  encodeAddress,
  isLoopback,
  isUnspecified,
  parseAddress,
} from "../../src/sandbox/socket_address.ts";

const four = (...host: number[]) => [2, 0, 0x1f, 0x90, ...host, ...Array(8).fill(0)];
const six = (...host: number[]) => [10, 0, 0x1f, 0x90, 0, 0, 0, 0, ...host, 0, 0, 0, 0];
const zeros = (count: number) => Array<number>(count).fill(0);
const mapped = (...host: number[]) => six(...zeros(10), 0xff, 0xff, ...host);

Deno.test("parseAddress tells loopback and unspecified addresses in both families", () => {
  const cases = [
    { in: four(127, 0, 0, 1), want: [true, false] },
    { in: four(127, 255, 0, 9), want: [true, false] },
    { in: four(0, 0, 0, 0), want: [false, true] },
    { in: four(128, 0, 0, 1), want: [false, false] },
    { in: six(...zeros(15), 1), want: [true, false] },
    { in: six(...zeros(16)), want: [false, true] },
    { in: mapped(127, 0, 0, 1), want: [true, false] },
    { in: mapped(0, 0, 0, 0), want: [false, true] },
    { in: mapped(10, 0, 0, 1), want: [false, false] },
    // 127.0.0.1 in the deprecated compatible form is an address like any other.
    { in: six(...zeros(12), 127, 0, 0, 1), want: [false, false] },
    { in: six(...zeros(15), 2), want: [false, false] },
  ];
  for (const { in: bytes, want } of cases) {
    const address = parseAddress(new Uint8Array(bytes));
    if (address?.kind !== "internet") throw new Error(`${bytes}`);
    assertEquals([isLoopback(address), isUnspecified(address)], want, `${bytes}`);
    assertEquals(address.port, 8080);
    assertEquals([...encodeAddress(address)], bytes);
  }
});

Deno.test("parseAddress knows other families, and none that is too short or too long", () => {
  const kind = (...bytes: number[]) => parseAddress(new Uint8Array(bytes))?.kind ?? null;
  assertEquals(kind(0, 0), "unspecified");
  assertEquals(kind(1, 0), "abstract");
  assertEquals(kind(1, 0, 0, 65), "abstract");
  assertEquals(kind(1, 0, 47, 65, 0, 66), "path");
  assertEquals(kind(16, 0, ...zeros(10)), "other");
  for (const bytes of [[], [2], four(127, 0, 0, 1).slice(0, 15), six(...zeros(16)).slice(0, 23)]) {
    assertEquals(kind(...bytes), null);
  }
  assertEquals([kind(1, 0, ...zeros(109)), kind(2, 0, ...zeros(127))], [null, null]);
});

Deno.test("parseListening reads what listens, up to the first socket that does not", () => {
  const head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n";
  const line = (state: string, inode: number) =>
    `   0: 0100007F:07E8 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0 100 0 0 10 0\n`;
  const socket = (inode: string) => ({ host: "0100007F", port: 2024, inode });
  const text = head + line("0A", 43) + line("0A", 44);
  const sockets = [socket("43"), socket("44")];
  assertEquals(parseListening(text), { sockets, complete: false });
  assertEquals(parseListening(text + line("01", 45)), { sockets, complete: true });
  assertEquals(parseListening(text + line("0A", 46).slice(0, -9)), { sockets, complete: false });
  assertThrows(() => parseListening(`${head}something else\n`), RangeError);
});
