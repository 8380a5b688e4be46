import { assertEquals, assertThrows } from "@std/assert";
import {
  decideEnv,
  decideNet,
  decidePath,
  describeRule,
  listsAddress,
} from "../../src/policy/match.ts";
import { policyOf } from "./fixture.ts";

Deno.test("decidePath() lets a deny beat an allow wherever it stands", () => {
  const policy = policyOf({
    read: {
      allow: ["/srv", "/srv/private/open", "/srv/deep/er"],
      deny: ["/srv/private", "/srv/*.key", "/srv/.?rc"],
    },
  });
  const table: readonly { in: string; want: string | null; allowed: boolean }[] = [
    { in: "/srv", want: "/srv", allowed: true },
    { in: "/srv/a/b", want: "/srv", allowed: true },
    { in: "/srv/deep/er/x", want: "/srv/deep/er", allowed: true },
    { in: "/srv2", want: null, allowed: false },
    { in: "/", want: null, allowed: false },
    { in: "/srv/private", want: "/srv/private", allowed: false },
    { in: "/srv/private/open/x", want: "/srv/private", allowed: false },
    { in: "/srv/privateer", want: "/srv", allowed: true },
    { in: "/srv/a/../private/x", want: "/srv/private", allowed: false },
    { in: "//srv//./private", want: "/srv/private", allowed: false },
    { in: "/srv/host.key", want: "/srv/*.key", allowed: false },
    { in: "/srv/host.key/below", want: "/srv/*.key", allowed: false },
    { in: "/srv/sub/host.key", want: "/srv", allowed: true },
    { in: "/srv/.xrc", want: "/srv/.?rc", allowed: false },
    { in: "/srv/..", want: null, allowed: false },
  ];
  for (const { in: path, want, allowed } of table) {
    const decision = decidePath(policy, { permission: "read", path });
    assertEquals([decision.allowed, decision.rule?.pattern ?? null], [allowed, want], path);
  }
});

Deno.test("decidePath() keeps read and write apart and refuses relative paths", () => {
  const policy = policyOf({ read: true, write: ["$TMP"] });
  assertEquals(decidePath(policy, { permission: "read", path: "/x" }).allowed, true);
  assertEquals(decidePath(policy, { permission: "write", path: "/x" }).allowed, false);
  assertEquals(decidePath(policy, { permission: "write", path: "/tmp/session/x" }).allowed, true);
  assertThrows(
    () => decidePath(policy, { permission: "read", path: "x" }),
    TypeError,
    "not an absolute path",
  );
});

Deno.test("decidePath() takes a wildcard in an allowed workspace's own name as itself", () => {
  const policy = policyOf({ read: ["$WORKSPACE"] }, {
    variables: { WORKSPACE: "/w/a*", HOME: "/h", TMP: "/t" },
  });
  assertEquals(decidePath(policy, { permission: "read", path: "/w/a*/x" }).allowed, true);
  assertEquals(decidePath(policy, { permission: "read", path: "/w/ab/x" }).allowed, false);
});

Deno.test("decideEnv() matches names and prefixes, and code-running names only when they are named", () => {
  const listed = policyOf({
    env: { allow: ["PATH", "LC_*", "LD_*", "BASH_ENV"], deny: ["LC_SECRET*"] },
  });
  const all = policyOf({ env: true });
  const table: readonly { in: string; listed: boolean; all: boolean }[] = [
    { in: "PATH", listed: true, all: true },
    { in: "PATHS", listed: false, all: true },
    { in: "path", listed: false, all: true },
    { in: "LC_ALL", listed: true, all: true },
    { in: "LC_", listed: true, all: true },
    { in: "LC_SECRET_X", listed: false, all: true },
    { in: "LD_PRELOAD", listed: false, all: false },
    { in: "BASH_ENV", listed: true, all: false },
    { in: "NODE_OPTIONS", listed: false, all: false },
    { in: "__proto__", listed: false, all: true },
  ];
  for (const { in: name, ...want } of table) {
    assertEquals(
      { listed: decideEnv(listed, name).allowed, all: decideEnv(all, name).allowed },
      want,
      name,
    );
  }
});

Deno.test("decideNet() sees through spellings and lets a deny beat an allow", () => {
  const policy = policyOf({
    net: {
      allow: [
        "*.example.com:443",
        "plain.test",
        "10.0.0.1:22",
        "[2001:db8::1]:80",
        "172.16.0.0/12:5432",
        "[fd00::/8]",
        "[64:ff9b::/96]",
      ],
      deny: ["bad.example.com", "10.0.0.2", "172.16.9.0/24"],
    },
  });
  const table: readonly { in: [string, number]; want: boolean }[] = [
    { in: ["api.example.com", 443], want: true },
    { in: ["API.Example.com.", 443], want: true },
    { in: ["a.b.example.com", 443], want: true },
    { in: ["example.com", 443], want: false },
    { in: ["evilexample.com", 443], want: false },
    { in: ["api.example.com", 80], want: false },
    { in: ["bad.example.com", 443], want: false },
    { in: ["BAD.example.com.", 443], want: false },
    { in: ["plain.test", 1], want: true },
    { in: ["sub.plain.test", 1], want: false },
    { in: ["10.0.0.1", 22], want: true },
    { in: ["::ffff:10.0.0.1", 22], want: true },
    { in: ["10.1", 22], want: true },
    { in: ["10.0.0.1", 23], want: false },
    { in: ["2001:0db8:0::1", 80], want: true },
    { in: ["[2001:db8::1]", 80], want: true },
    { in: ["172.31.255.255", 5432], want: true },
    { in: ["172.32.0.0", 5432], want: false },
    { in: ["172.16.1", 5432], want: true },
    { in: ["172.16.1.1", 5433], want: false },
    { in: ["172.16.9.7", 5432], want: false },
    { in: ["::ffff:172.16.9.7", 5432], want: false },
    { in: ["fd12::1", 1], want: true },
    { in: ["[64:ff9b::8.8.8.8]", 1], want: true },
    { in: ["[64:ff9b::10.0.0.2]", 1], want: false },
    { in: ["[64:ff9b::172.16.9.1]", 1], want: false },
    { in: ["172.16.0.1.example.org", 5432], want: false },
    { in: ["fd12::1%1", 1], want: false },
    { in: ["api.example.com\0.evil", 443], want: false },
    { in: ["", 443], want: false },
  ];
  for (const { in: [host, port], want } of table) {
    assertEquals(decideNet(policy, { host, port }).allowed, want, host);
  }
});

Deno.test("decideNet() with an empty list or false refuses everything, and true allows every address but no nonsense", () => {
  for (const net of [[], false]) {
    assertEquals(decideNet(policyOf({ net }), { host: "a", port: 1 }), {
      allowed: false,
      rule: null,
    });
  }
  const open = policyOf({ net: true });
  assertEquals(decideNet(open, { host: "anything.test", port: 1 }).allowed, true);
  assertEquals(decideNet(open, { host: "a b", port: 1 }).allowed, false);
  assertEquals(
    decideNet(policyOf({ net: { allow: true, deny: ["127.0.0.1"] } }), { host: "127.1", port: 1 })
      .allowed,
    false,
  );
});

Deno.test("describeRule() tells the keyword true from a program of that name", () => {
  assertEquals(policyOf({ run: true }).run.allow.map(describeRule), ["run.allow true"]);
  assertEquals(policyOf({ run: ["true"] }).run.allow.map(describeRule), ['run.allow "true"']);
  assertEquals(policyOf({ read: { deny: ["$HOME/.ssh"] } }).read.deny.map(describeRule), [
    'read.deny "$HOME/.ssh"',
  ]);
});

Deno.test("listsAddress() is about addresses that rules state, not about names, true or denials", () => {
  const net = { allow: ["10.0.0.0/8:1", "[fd00::1]", "a.test"], deny: ["10.1.0.0/16"] };
  const listed = policyOf({ net });
  const table: readonly { in: [string, number]; want: boolean }[] = [
    { in: ["10.2.0.1", 1], want: true },
    { in: ["::ffff:10.2.0.1", 1], want: true },
    { in: ["10.2.0.1", 2], want: false },
    { in: ["10.1.0.1", 1], want: false },
    { in: ["[fd00::1]", 7], want: true },
    { in: ["a.test", 1], want: false },
    { in: ["127.0.0.1", 1], want: false },
  ];
  for (const { in: [host, port], want } of table) {
    assertEquals(listsAddress(listed, { host, port }), want, host);
  }
  const open = policyOf({ net: { allow: true, deny: ["b.test"] } });
  assertEquals(listsAddress(open, { host: "10.2.0.1", port: 1 }), false);
});
