import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  canonicalHost,
  canonicalNet,
  formatNet,
  parseNet,
  problemOfNet,
} from "../../src/policy/net_entry.ts";

Deno.test("canonicalNet() brings addresses into one spelling", () => {
  const table: readonly { in: string; want: string }[] = [
    { in: "example.com", want: "example.com" },
    { in: "EXAMPLE.com.:443", want: "example.com:443" },
    { in: "b\u00fccher.example", want: "xn--bcher-kva.example" },
    { in: "*.Example.com:8443", want: "*.example.com:8443" },
    { in: "127.0.0.1:80", want: "127.0.0.1:80" },
    { in: "[::1]:443", want: "[::1]:443" },
    { in: "[0:0:0:0:0:0:0:1]", want: "[::1]" },
    { in: "[::ffff:10.0.0.1]:22", want: "10.0.0.1:22" },
    { in: "my_host:1", want: "my_host:1" },
    { in: "10.0.0.0/8", want: "10.0.0.0/8" },
    { in: "10.0.0.0/8:443", want: "10.0.0.0/8:443" },
    { in: "10.0.0.0/08:443", want: "10.0.0.0/8:443" },
    { in: "0.0.0.0/0", want: "0.0.0.0/0" },
    { in: "[FD00:0::/8]:443", want: "[fd00::/8]:443" },
    { in: "[::/0]", want: "[::/0]" },
  ];
  for (const { in: entry, want } of table) {
    assertEquals(problemOfNet(entry), null, entry);
    assertEquals(canonicalNet(entry), want);
  }
});

Deno.test("problemOfNet() refuses what is no address", () => {
  const table: readonly { in: string; want: RegExp }[] = [
    { in: "", want: /accepted are/ },
    { in: "*", want: /"net": true/ },
    { in: "*:443", want: /accepted are/ },
    { in: "a.*.com", want: /accepted are/ },
    { in: "https://example.com", want: /schemes/ },
    { in: "10.0.0.0/33", want: /no prefix length from 0 to 32/ },
    { in: "[fd00::/129]", want: /no prefix length from 0 to 128/ },
    { in: "10.1.0.0/8", want: /write this range as "10\.0\.0\.0\/8"/ },
    { in: "[fd00::1/8]:443", want: /write this range as "\[fd00::\/8\]"/ },
    { in: "[10.0.0.0/8]:443", want: /accepted are/ },
    { in: "[::ffff:10.0.0.0/104]", want: /no prefix length from 0 to 32/ },
    { in: "0x0a.0/8", want: /write this range as "10\.0\.0\.0\/8"/ },
    { in: "fd00::/8", want: /not supported|brackets/ },
    { in: "example.com/8", want: /needs an address/ },
    { in: "10.0.0.0/", want: /not supported/ },
    { in: "10.0.0.0/8/8", want: /not supported/ },
    { in: "example.com/path:80", want: /not supported/ },
    { in: "example.com:0", want: /no port/ },
    { in: "example.com:65536", want: /no port/ },
    { in: "example.com:https", want: /no port/ },
    { in: "example.com:", want: /no port/ },
    { in: "::1", want: /brackets/ },
    { in: "::1:443", want: /brackets/ },
    { in: "[::1", want: /accepted are|brackets/ },
    { in: "[::1%eth0]:1", want: /accepted are/ },
    { in: "127.1", want: /write this address as "127\.0\.0\.1"/ },
    { in: "0x7f000001", want: /write this address as "127\.0\.0\.1"/ },
    { in: "2130706433:80", want: /write this address as "127\.0\.0\.1"/ },
    { in: "*.127.0.0.1", want: /before a domain name only/ },
    { in: "a..b", want: /accepted are/ },
    { in: ".a", want: /accepted are/ },
    { in: "user@host", want: /accepted are/ },
    { in: "host\0.com", want: /accepted are/ },
    { in: "ho\tst", want: /accepted are/ },
    { in: "ho st", want: /accepted are/ },
    { in: "a%2eb", want: /accepted are/ },
    { in: "a".repeat(64) + ".com", want: /accepted are/ },
    { in: "a.".repeat(200) + "com", want: /accepted are/ },
  ];
  for (const { in: entry, want } of table) {
    assertMatch(problemOfNet(entry) ?? `accepted ${entry}`, want);
  }
});

Deno.test("canonicalHost() sees through every spelling of an address", () => {
  const loopback = [
    "127.0.0.1",
    "127.1",
    "127.0.0.1.",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "::ffff:127.0.0.1",
    "[::ffff:7f00:1]",
  ];
  for (const host of loopback) assertEquals(canonicalHost(host), "127.0.0.1", host);
  for (const host of ["::1", "[::1]", "0::0:1", "[0000::0001]"]) {
    assertEquals(canonicalHost(host), "[::1]", host);
  }
  for (
    const host of [
      "",
      ".",
      "a b",
      "[",
      "]",
      "[]",
      ":",
      "::1]",
      "a/b",
      "256.256.256.256",
      "1.2.3.4.5",
    ]
  ) assertEquals(canonicalHost(host), null, host);
});

Deno.test("canonicalHost() is idempotent, and formatNet() and parseNet() are inverse", () => {
  const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6().map((text) => `[${text}]`));
  fc.assert(fc.property(host, fc.option(fc.integer({ min: 1, max: 65535 })), (text, port) => {
    const canonical = canonicalHost(text);
    assert(canonical !== null, text);
    assertEquals(canonicalHost(canonical), canonical);
    assertEquals(parseNet(formatNet({ host: canonical, port })), { host: canonical, port });
  }));
});
