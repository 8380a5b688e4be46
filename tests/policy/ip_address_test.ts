import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  coversRange,
  embeddedIpv4,
  parseAddress,
  parseRange,
} from "../../src/policy/ip_address.ts";
import { canonicalHost } from "../../src/policy/net_entry.ts";

Deno.test("parseAddress() reads what canonicalHost() writes, and nothing that is a name", () => {
  const table: readonly { in: string; want: bigint | null }[] = [
    { in: "127.0.0.1", want: 0x7f000001n },
    { in: "255.255.255.255", want: 0xffffffffn },
    { in: "[::1]", want: 1n },
    { in: "::", want: 0n },
    { in: "fe80::1:2", want: (0xfe80n << 112n) + 0x10002n },
    { in: "1:2:3:4:5:6:7:8", want: 0x00010002000300040005000600070008n },
    { in: "64:ff9b::10.0.0.1", want: (0x64ff9bn << 96n) + 0x0a000001n },
    { in: "1::", want: 1n << 112n },
    { in: "256.0.0.1", want: null },
    { in: "1.2.3", want: null },
    { in: "example.com", want: null },
    { in: "1:2:3:4:5:6:7", want: null },
    { in: "1:2:3:4:5:6:7:8:9", want: null },
    { in: "1:2:3:4:5:6:7::8", want: null },
    { in: "1::2::3", want: null },
    { in: ":1", want: null },
    { in: "12345::", want: null },
    { in: "fe80::1%eth0", want: null },
    { in: "1.2.3.4::", want: null },
    { in: "", want: null },
  ];
  for (const { in: text, want } of table) {
    assertEquals(parseAddress(text)?.value ?? null, want, text);
  }
});

Deno.test("parseAddress() gives every IPv6 address the number that a URL spells in full", () => {
  fc.assert(fc.property(fc.ipV6(), (text) => {
    const canonical = canonicalHost(`[${text}]`);
    const got = canonical === null ? null : parseAddress(canonical);
    assertEquals(got !== null, true, `${text} ${canonical}`);
    if (got?.bits !== 128) return;
    const hex = got.value.toString(16).padStart(32, "0").match(/.{4}/g)!.join(":");
    assertEquals(canonicalHost(`[${hex}]`), canonical);
  }));
});

Deno.test("coversRange() compares leading bits, of one family only", () => {
  const table = [
    { in: ["10.0.0.0/8", "10.255.0.1"], want: true },
    { in: ["10.0.0.0/8", "11.0.0.0"], want: false },
    { in: ["10.0.0.0/8", "10.0.0.0/7"], want: false },
    { in: ["10.0.0.0/8", "10.0.0.0/9"], want: true },
    { in: ["0.0.0.0/0", "255.1.2.3"], want: true },
    { in: ["0.0.0.0/0", "[::1]"], want: false },
    { in: ["[::/0]", "1.2.3.4"], want: false },
    { in: ["[fd00::/8]", "[fdff::1]"], want: true },
    { in: ["[fd00::/8]", "[fc00::1]"], want: false },
    { in: ["[::1]", "[::1]"], want: true },
  ] as const;
  for (const { in: [wide, narrow], want } of table) {
    const [one, other] = [parseRange(wide)!, parseRange(narrow)!];
    assertEquals(coversRange(one, other), want, `${wide} ${narrow}`);
  }
});

Deno.test("embeddedIpv4() names the address behind a translator or relay", () => {
  const table = [
    { in: "64:ff9b::a00:1", want: "10.0.0.1" },
    { in: "2002:a00:1::5", want: "10.0.0.1" },
    { in: "::10.0.0.1", want: "10.0.0.1" },
    { in: "::ffff:0:a00:1", want: "10.0.0.1" },
    { in: "64:ff9b:0:0:0:1:a00:1", want: null },
    { in: "2001:db8::a00:1", want: null },
    { in: "10.0.0.1", want: null },
  ];
  for (const { in: text, want } of table) {
    assertEquals(embeddedIpv4(parseAddress(text)!), want, text);
  }
});
