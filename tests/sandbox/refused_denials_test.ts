import { assertEquals } from "@std/assert";
import { refusedDenials } from "../../src/sandbox/refused_denials.ts";
import { TempTree } from "./temp_tree.ts";
import { policyFor } from "./test_jail.ts";

Deno.test("refusedDenials says by which rule a supervisor refused something, and why where no rule tells", () => {
  using tree = new TempTree({ "work/file": "", "tmp": { directory: true } });
  const listens = "no process of the session listens there";
  const off = '{ "extends": "default", "net": { "allow": [], "loopback": false } }';
  const cases = [
    { in: ["net", "1.1.1.1:80", "default"], want: "no net rule allows it" },
    {
      in: ["net", "127.0.0.1:3000", "default"],
      want: `no net rule allows it (${listens})`,
    },
    { in: ["net", "[::1]:3000", "default"], want: `no net rule allows it (${listens})` },
    { in: ["net", "127.0.0.1:0", off], want: 'no net rule allows it ("net.loopback" is false)' },
    { in: ["net", "unix:/run/x.sock", "default"], want: `no net rule allows it (${listens})` },
    { in: ["write", "/etc/passwd", "default"], want: "no write rule allows it" },
  ] as const;
  for (const { in: [permission, resource, policy], want } of cases) {
    const [denied] = refusedDenials(policyFor(tree, policy), [{ permission, resource }]);
    assertEquals([denied?.by, denied?.resource, denied?.rule], ["sandbox", resource, want]);
  }
});
