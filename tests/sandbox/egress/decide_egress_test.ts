import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseAddress } from "../../../src/policy/ip_address.ts";
import { decideEgress } from "../../../src/sandbox/egress/decide_egress.ts";
import { specialPurpose } from "../../../src/sandbox/egress/special_addresses.ts";
import { policyOf } from "../../policy/fixture.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "public.test": ["93.184.216.34", "2606:2800:21f::1"],
  "private.test": ["10.0.0.5"],
  "listed.test": ["10.9.0.5"],
  "mixed.test": ["10.0.0.5", "93.184.216.34", "fe80::1"],
  "metadata.test": ["169.254.169.254"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "nat64.test": ["64:ff9b::a00:5", "64:ff9b::5db8:d822"],
  "denied-address.test": ["93.184.216.99"],
  "own.test": ["93.184.216.200"],
  "zone.test": ["fe80::1%eth0"],
  "none.test": [],
};

/** `dial ADDRESS…`, `refused RULE: NOTE` or `unresolved`, and the names that were resolved for it. */
async function outcome(net: unknown, host: string, port = 443) {
  const resolved: string[] = [];
  const decision = await decideEgress({ host, port }, {
    policy: policyOf({ net } as Record<string, unknown>),
    resolve: (name) => {
      resolved.push(name);
      const found = NAMES[name];
      return found ? Promise.resolve(found) : Promise.reject(new Error("no such name"));
    },
    ownAddresses: () => ["93.184.216.200"],
  });
  const text = decision.kind === "dial"
    ? `dial ${decision.addresses.join(" ")}`
    : decision.kind === "refused"
    ? `refused ${decision.rule?.pattern ?? "by absence"}: ${decision.note ?? ""}`.trim()
    : `unresolved: ${decision.reason}`;
  return { text, resolved };
}

const NET = {
  allow: ["*.test:443", "10.9.0.0/16:443", "10.1.2.3:443", "[fd00::1]:443", "b\u00fccher.test"],
  deny: ["evil.test", "93.184.216.99"],
};

Deno.test("decideEgress() refuses a name before it is resolved, and every address that is not public or listed after", async () => {
  const mustBeListed = (text: string) =>
    `refused by absence: resolves to ${text}, which must be listed itself`;
  const table: readonly { in: string; want: string; port?: number }[] = [
    { in: "public.test", want: "dial 93.184.216.34 2606:2800:21f::1" },
    { in: "PUBLIC.test.", want: "dial 93.184.216.34 2606:2800:21f::1" },
    { in: "private.test", want: mustBeListed("10.0.0.5 (private use)") },
    { in: "listed.test", want: "dial 10.9.0.5" },
    { in: "mixed.test", want: "dial 93.184.216.34" },
    {
      in: "metadata.test",
      want: mustBeListed("169.254.169.254 (link-local, where clouds serve metadata)"),
    },
    { in: "mapped.test", want: mustBeListed("127.0.0.1 (loopback)") },
    { in: "nat64.test", want: "dial 64:ff9b::5db8:d822" },
    {
      in: "denied-address.test",
      want: "refused 93.184.216.99: resolves to 93.184.216.99",
    },
    { in: "own.test", want: mustBeListed("93.184.216.200 (an address of this machine)") },
    { in: "zone.test", want: "refused by absence: resolves to what is no address" },
    { in: "none.test", want: "unresolved: it has no address" },
    { in: "unknown.test", want: "unresolved: no such name" },
    { in: "10.9.255.1", want: "dial 10.9.255.1" },
    { in: "10.1.2.3", want: "dial 10.1.2.3" },
    { in: "[fd00::1]", want: "dial fd00::1" },
  ];
  for (const { in: host, want } of table) {
    assertEquals((await outcome(NET, host)).text, want, host);
  }
});

Deno.test("decideEgress() resolves nothing for what the policy does not allow", async () => {
  const hosts = [
    "evil.test",
    "EVIL.TEST.",
    "other.example",
    "public.test.other.example",
    "public.test\0.other.example",
    "public.test%00.example",
    "test",
    "10.1.2.4",
    "10.1.516",
    "0x0a.1.2.4",
    "167838212",
    "012.1.2.4",
    "127.1",
    "::1",
    "[::]",
    "0",
    "::ffff:10.1.2.4",
    "[64:ff9b::10.1.2.3]",
    "fe80::1%eth0",
    "fd00::1%25eth0",
    "",
    ".",
    "a b.test",
    "user@public.test",
    "public.test/",
    "public.test#",
    "x".repeat(64) + ".test",
    "x.".repeat(130) + "test",
  ];
  for (const host of hosts) {
    const { text, resolved } = await outcome(NET, host);
    assertEquals([text.split(" ")[0], resolved], ["refused", []], host);
  }
  // The same address in another spelling is the same address, and another port is another resource.
  for (const host of ["10.1.2.3", "10.66051", "0xa.1.2.3", "167838211", "::ffff:10.1.2.3"]) {
    assertEquals((await outcome(NET, host)).text, "dial 10.1.2.3", host);
    assertEquals((await outcome(NET, host, 80)).text, "refused by absence:", host);
  }
});

Deno.test("decideEgress() under net true refuses what is denied, by name and by every address that leads there", async () => {
  const net = { allow: true, deny: ["evil.test", "10.0.0.0/8", "169.254.169.254"] };
  const table = [
    { in: "public.test", want: "dial 93.184.216.34 2606:2800:21f::1" },
    { in: "private.test", want: "refused 10.0.0.0/8: resolves to 10.0.0.5" },
    { in: "metadata.test", want: "refused 169.254.169.254: resolves to 169.254.169.254" },
    { in: "nat64.test", want: "dial 64:ff9b::5db8:d822" },
    { in: "10.3", want: "refused 10.0.0.0/8:" },
    { in: "[64:ff9b::a00:5]", want: "refused 10.0.0.0/8:" },
    { in: "2852039166", want: "refused 169.254.169.254:" },
    { in: "127.0.0.1", want: "dial 127.0.0.1" },
  ];
  for (const { in: host, want } of table) {
    assertEquals((await outcome(net, host)).text, want, host);
  }
});

Deno.test("decideEgress() never dials a special address that no rule lists, whatever a name resolves to", async () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4().map((text) => `::ffff:${text}`));
  const policy = policyOf({ net: ["x.test"] });
  await fc.assert(fc.asyncProperty(fc.array(address, { maxLength: 12 }), async (addresses) => {
    const resolve = () => Promise.resolve(addresses);
    const context = { policy, resolve, ownAddresses: () => [] };
    const decision = await decideEgress({ host: "x.test", port: 1 }, context);
    if (decision.kind !== "dial") return;
    const special = decision.addresses.filter((each) => specialPurpose(parseAddress(each)!));
    assertEquals(special, []);
  }));
});
