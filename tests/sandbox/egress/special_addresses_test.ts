import { assertEquals, assertMatch } from "@std/assert";
import { parseAddress } from "../../../src/policy/ip_address.ts";
import { canonicalHost } from "../../../src/policy/net_entry.ts";
import { specialPurpose } from "../../../src/sandbox/egress/special_addresses.ts";

function purposeOf(text: string): string | null {
  return specialPurpose(parseAddress(canonicalHost(text)!)!);
}

Deno.test("specialPurpose() names what is not a public host, at both ends of every block", () => {
  const table: readonly { in: readonly string[]; want: RegExp }[] = [
    { in: ["0.0.0.0", "0.255.255.255"], want: /this network/ },
    { in: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255"], want: /private/ },
    { in: ["192.168.0.0", "192.168.255.255"], want: /private/ },
    { in: ["100.64.0.0", "100.127.255.255", "100.100.100.200"], want: /carrier/ },
    { in: ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"], want: /loopback/ },
    { in: ["169.254.0.0", "169.254.169.254", "::ffff:a9fe:a9fe"], want: /metadata/ },
    { in: ["192.0.0.192", "2001::1", "2001:1ff::"], want: /protocol assignments/ },
    { in: ["192.0.2.1", "198.51.100.1", "203.0.113.1"], want: /documentation/ },
    { in: ["2001:db8::1", "3fff::1", "3fff:fff::"], want: /documentation/ },
    { in: ["198.18.0.0", "198.19.255.255"], want: /benchmarking/ },
    { in: ["224.0.0.1", "239.255.255.255", "ff02::1"], want: /multicast/ },
    { in: ["240.0.0.0", "255.255.255.255", "4000::1", "5f00::1"], want: /reserved/ },
    { in: ["168.63.129.16"], want: /host agent/ },
    { in: ["fc00::1", "fd00:ec2::254", "fdff::1"], want: /private/ },
    { in: ["fe80::1", "febf::1"], want: /link-local/ },
    { in: ["::"], want: /unspecified/ },
    { in: ["::10.0.0.1", "::8.8.8.8"], want: /reserved/ },
    { in: ["64:ff9b::10.0.0.1", "64:ff9b::192.168.1.1"], want: /private/ },
    { in: ["64:ff9b::169.254.169.254"], want: /metadata/ },
    { in: ["64:ff9b:1::8.8.8.8"], want: /translation/ },
    { in: ["2002:a00:1::1", "2002:808:808::1"], want: /6to4/ },
  ];
  for (const { in: addresses, want } of table) {
    for (const text of addresses) assertMatch(purposeOf(text) ?? "public", want, text);
  }
});

Deno.test("specialPurpose() leaves public addresses alone", () => {
  const table = [
    ..."1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1"
      .split(" "),
    ..."169.253.255.255 172.15.255.255 172.32.0.0 192.167.0.1 223.255.255.255".split(" "),
    ..."2606:4700::1111 2001:200::1 2003::1 2a00::1 64:ff9b::1.1.1.1".split(" "),
  ];
  for (const text of table) assertEquals(purposeOf(text), null, text);
});
