import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseAddress } from "../../../src/policy/ip_address.ts";
import { HostResolver, interfaceAddresses } from "../../../src/sandbox/egress/host_resolver.ts";

Deno.test("HostResolver answers as the system does, or says why there is no address", async () => {
  const resolver = new HostResolver({ resolveMs: 60_000, lookups: 1 });
  const found = await resolver.resolve("localhost");
  assert(found.length > 0 && found.every((address) => parseAddress(address) !== null), `${found}`);
  // RFC 6761: this name never exists.
  await assertRejects(() => resolver.resolve("name.invalid"), Error, "the name does not resolve (");
});

Deno.test("HostResolver starts no more lookups than it may", async () => {
  const none = new HostResolver({ resolveMs: 60_000, lookups: 0 });
  await assertRejects(() => none.resolve("localhost"), Error, "too many names");
  const one = new HostResolver({ resolveMs: 60_000, lookups: 1 });
  const first = one.resolve("localhost");
  await assertRejects(() => one.resolve("localhost"), Error, "too many names");
  await first;
  await one.resolve("localhost");
});

Deno.test("interfaceAddresses() lists loopback, and nothing that is no address", () => {
  const found = interfaceAddresses();
  assert(found.includes("127.0.0.1"), `${found}`);
  assertEquals(found.filter((address) => parseAddress(address) === null), []);
});
