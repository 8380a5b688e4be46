import { assertEquals } from "@std/assert";
import { denial, describeAccepted } from "../../src/policy/denial.ts";
import { policyOf } from "./fixture.ts";

Deno.test("denial() points at the rule, or at where the permission was last set", () => {
  const policy = policyOf(
    '{\n"write": ["$WORKSPACE", "$TMP"],\n"read": { "allow": true, "deny": ["~/.ssh"] } }',
  );
  const missing = denial(policy, {
    permission: "write",
    resource: "/etc/x",
    by: "sandbox",
    rule: null,
  });
  assertEquals({ ...missing, at: missing.at.replace(/^.*\//, "") }, {
    permission: "write",
    resource: "/etc/x",
    by: "sandbox",
    rule: "no write rule allows it",
    at: "p.jsonc:2",
    accepted: "write: $WORKSPACE, $TMP",
  });
  const rule = policy.read.deny[0] ?? null;
  const denied = denial(policy, {
    permission: "read",
    resource: "/home/user/.ssh/id",
    by: "sandbox",
    rule,
  });
  assertEquals([denied.rule, denied.at.replace(/^.*\//, ""), denied.accepted], [
    'read.deny "~/.ssh"',
    "p.jsonc:3",
    "read: everything that no rule denies",
  ]);
});

Deno.test("describeAccepted() is short and honest", () => {
  const table: readonly { in: unknown; want: string }[] = [
    { in: false, want: "" },
    { in: ["git"], want: "run: git" },
    { in: true, want: "run: everything" },
    {
      in: Array.from({ length: 11 }, (_, index) => `p${index}`),
      want: "run: p0, p1, p2, p3, p4 and 6 more",
    },
  ];
  for (const { in: run, want } of table) {
    assertEquals(describeAccepted(policyOf({ run }), "run"), want);
  }
});
