import { assertEquals } from "@std/assert";
import { narrowPolicy } from "../../src/policy/narrow.ts";
import { policyFor } from "../sandbox/test_jail.ts";
import { TempTree } from "../sandbox/temp_tree.ts";
import type { Policy } from "../../src/policy/policy.ts";

function withPolicies(run: (load: (policy: string) => Policy, tree: TempTree) => void): void {
  using tree = new TempTree({
    work: { directory: true },
    home: { directory: true },
    tmp: { directory: true },
  });
  run((policy) => policyFor(tree, policy), tree);
}

Deno.test("loopback is the last word of the layers on it, and true or false for all of net", () => {
  withPolicies((load) => {
    const cases = [
      { in: "default", want: true },
      { in: "readonly", want: true },
      { in: "offline", want: false },
      { in: "open", want: true },
      { in: "{}", want: false },
      { in: '{"net": true}', want: true },
      { in: '{"net": {"allow": true, "loopback": false}}', want: false },
      { in: '{"extends": "default", "net": ["example.org"]}', want: true },
      { in: '{"extends": "default", "net": false}', want: false },
      { in: '{"extends": "default", "net": {"loopback": false}}', want: false },
      { in: '{"extends": "offline", "net": {"loopback": true}}', want: true },
      { in: '{"extends": "default", "net": {"deny": true}}', want: false },
    ];
    for (const { in: policy, want } of cases) assertEquals(load(policy).loopback, want, policy);
  });
});

Deno.test("narrowPolicy turns loopback off only, and keeps sockets that both list", () => {
  withPolicies((load, tree) => {
    const [on, off] = [load("default"), load("offline")];
    const both = [[on, on], [on, off], [off, on]] as const;
    const found = both.map(([outer, inner]) => narrowPolicy(outer, inner).loopback);
    assertEquals(found, [true, false, false]);
    const one = load('{"net": ["unix:$TMP/a", "unix:/b"]}');
    const other = load('{"net": ["unix:$TMP/a", "unix:/c"]}');
    const patterns = narrowPolicy(one, other).net.allow.map(({ pattern }) => pattern);
    assertEquals(patterns, [`unix:${tree.at("tmp/a")}`]);
    assertEquals(narrowPolicy(load('{"net": true}'), one).net.allow, []);
  });
});
