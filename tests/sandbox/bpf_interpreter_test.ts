import { assertEquals, assertThrows } from "@std/assert";
import { actionOf, isLoadable, runFilter } from "./bpf_interpreter.ts";

type Row = readonly [code: number, jt: number, jf: number, k: number];

function program(...rows: readonly Row[]): Uint8Array {
  const bytes = new Uint8Array(rows.length * 8);
  const view = new DataView(bytes.buffer);
  rows.forEach(([code, jt, jf, k], index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, jt);
    view.setUint8(index * 8 + 3, jf);
    view.setUint32(index * 8 + 4, k, true);
  });
  return bytes;
}

const ALLOW: Row = [0x06, 0, 0, 0x7fff0000];
const EPERM: Row = [0x06, 0, 0, 0x00050001];
const data = { nr: 7, arch: 3, args: [0xdead_0000_beefn] };

Deno.test("runFilter loads, masks and jumps as the kernel does", () => {
  const cases: readonly (readonly [Row, Row, "allow" | 1])[] = [
    [[0x20, 0, 0, 0], [0x15, 0, 1, 7], "allow"],
    [[0x20, 0, 0, 0], [0x15, 0, 1, 8], 1],
    [[0x20, 0, 0, 4], [0x35, 0, 1, 3], "allow"],
    [[0x20, 0, 0, 4], [0x25, 0, 1, 3], 1],
    [[0x20, 0, 0, 16], [0x15, 0, 1, 0xbeef], "allow"],
    [[0x20, 0, 0, 20], [0x15, 0, 1, 0xdead], "allow"],
    [[0x20, 0, 0, 16], [0x45, 0, 1, 0x10], 1],
    [[0x20, 0, 0, 16], [0x45, 0, 1, 0x1f], "allow"],
  ];
  for (const [load, jump, want] of cases) {
    assertEquals(actionOf(runFilter(program(load, jump, ALLOW, EPERM), data)), want, `${jump}`);
  }
});

Deno.test("runFilter and isLoadable refuse what the kernel refuses", () => {
  const bad: readonly (readonly [string, Uint8Array])[] = [
    ["no instruction", program()],
    ["no return", program([0x20, 0, 0, 0])],
    ["a load beyond the data", program([0x20, 0, 0, 64], ALLOW)],
    ["an unaligned load", program([0x20, 0, 0, 2], ALLOW)],
    ["an unknown instruction", program([0x28, 0, 0, 0], ALLOW)],
    ["a jump beyond the end", program([0x15, 9, 9, 0], ALLOW)],
  ];
  for (const [name, bytes] of bad) assertThrows(() => runFilter(bytes, data), RangeError, "", name);
  assertEquals(isLoadable(program([0x20, 0, 0, 0], [0x15, 0, 1, 0], ALLOW, EPERM)), true);
  assertEquals(isLoadable(program([0x15, 9, 0, 1], ALLOW)), false);
  assertEquals(isLoadable(program(ALLOW, [0x20, 0, 0, 0])), false);
});
