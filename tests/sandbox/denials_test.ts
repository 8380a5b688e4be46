import { assertEquals } from "@std/assert";
import { attributeDenials, type AttributionContext } from "../../src/sandbox/denials.ts";
import { probeHost } from "../../src/sandbox/host.ts";
import { planJail } from "../../src/sandbox/plan.ts";
import { CONNECTION_COMPLAINTS, FILE_COMPLAINTS, NET_COMPLAINTS } from "./complaints.ts";
import { jailTest } from "./require_sandbox.ts";
import { TempTree } from "./temp_tree.ts";
import { policyFor, TestJail } from "./test_jail.ts";

const FILES = {
  "work/file": "",
  "outside/file": "",
  "outside/dir/x": "",
  "home/.ssh/id": "",
  "tmp": { directory: true },
} as const;

/** Denials as `permission resource`, with the tree's own path written as `@`. */
function attribute(
  tree: TempTree,
  lines: readonly string[],
  options: { policy?: string; named?: AttributionContext["named"] } = {},
): readonly string[] {
  const plan = planJail(policyFor(tree, options.policy ?? "default"), {
    host: { ...probeHost(), landlockAbi: 7 },
    hidden: [],
    readable: [],
  });
  const context = { cwd: tree.at("work"), home: tree.at("home"), named: options.named ?? [] };
  const found = attributeDenials(lines.map((line) => line.replaceAll("@", tree.path)), {
    plan,
    context,
  });
  for (const { by } of found) assertEquals(by, "sandbox");
  return found.map(({ permission, resource }) =>
    `${permission} ${resource.replaceAll(tree.path, "@")}`
  );
}

Deno.test("attributeDenials finds the file that a tool was refused", () => {
  using tree = new TempTree(FILES);
  for (const { in: line, want, root = false } of FILE_COMPLAINTS) {
    // Modes refuse these to an ordinary user, and so nothing was refused by the policy.
    const refused = !root || Deno.uid() === 0;
    assertEquals(attribute(tree, [line]), refused ? [want] : [], line);
  }
});

Deno.test("attributeDenials finds the host that a tool was refused", () => {
  using tree = new TempTree(FILES);
  for (const { in: line, want } of NET_COMPLAINTS) {
    assertEquals(attribute(tree, [line]), [want], line);
    assertEquals(attribute(tree, [line], { policy: "open" }), [], line);
  }
});

Deno.test("attributeDenials guesses at connections only where nobody decides about each", () => {
  using tree = new TempTree(FILES);
  const apart = '{ "extends": "default", "backend": "bubblewrap" }';
  for (const { in: line, want } of CONNECTION_COMPLAINTS) {
    assertEquals(attribute(tree, [line]), [], line);
    assertEquals(attribute(tree, [line], { policy: apart }), want, line);
  }
});

Deno.test("attributeDenials reports no reading that a file's mode refuses anyway", () => {
  using tree = new TempTree(FILES);
  const line = "cat: ../outside/file: Permission denied";
  assertEquals(attribute(tree, [line]), ["read @/outside/file"]);
  Deno.chmodSync(tree.at("outside/file"), 0);
  assertEquals(attribute(tree, [line]), []);
});

Deno.test("attributeDenials reports nothing that the policy did not cause", () => {
  using tree = new TempTree(FILES);
  tree.add("work/own", "");
  Deno.chmodSync(tree.at("work/own"), 0);
  const lines = [
    "cat: own: Permission denied",
    "bash: line 1: ./own: Permission denied",
    "cat: absent: No such file or directory",
    "ls: cannot access '../outside/absent': No such file or directory",
    "chmod: changing permissions of '../outside/file': Operation not permitted",
    "chown: changing ownership of '/etc/passwd': Operation not permitted",
    "sh: 1: kill: Operation not permitted",
    "mount: @/work: permission denied.",
    "mount: @/outside: permission denied.",
    "x: Permission denied at -e line 1.",
    "Permission denied (publickey).",
    "all tests passed in ../outside/file",
    "fatal: not a git repository (or any of the parent directories): .git",
    "bash: socket: Permission denied",
    "resolving dependencies of https://example.org/a",
    "",
  ];
  for (const line of lines) assertEquals(attribute(tree, [line]), [], line);
  // Under "open" these files are granted; what stays out of reach is what the kernel keeps, and all of / as one.
  const granted = FILE_COMPLAINTS.filter(({ want }) => !/ \/(proc.*)?$/.test(want));
  for (const { in: line } of granted) {
    assertEquals(attribute(tree, [line], { policy: "open" }), [], line);
  }
});

Deno.test("attributeDenials trusts what the script says of a path", () => {
  using tree = new TempTree(FILES);
  const path = tree.at("outside/file");
  const line = "tool: ../outside/file: Permission denied";
  assertEquals(attribute(tree, [line]), ["read @/outside/file"]);
  const named = [{ permission: "write", path } as const];
  assertEquals(attribute(tree, [line], { named }), ["write @/outside/file"]);
});

Deno.test("attributeDenials names each resource once, and 16 at most", () => {
  using tree = new TempTree(FILES);
  const many = Array.from(
    { length: 40 },
    (_, index) => `touch: cannot touch '../outside/f${index}': Permission denied`,
  );
  assertEquals(attribute(tree, [many[0]!, many[0]!]).length, 1);
  assertEquals(attribute(tree, many).length, 16);
});

Deno.test("attributeDenials says why, where, and what is accepted", () => {
  using tree = new TempTree(FILES);
  const policy = JSON.stringify({ extends: "default", read: { deny: ["$WORKSPACE/file"] } });
  const plan = planJail(policyFor(tree, policy), { host: probeHost(), hidden: [], readable: [] });
  const context = { cwd: tree.at("work"), home: tree.at("home"), named: [] };
  const [denied] = attributeDenials(["cat: file: Permission denied"], { plan, context });
  assertEquals(denied?.rule, 'read.deny "$WORKSPACE/file"');
  assertEquals(denied?.at, `${tree.at("policy/p.jsonc")}:1`);
  const [created] = attributeDenials(["touch: cannot touch 'new': Permission denied"], {
    plan,
    context,
  });
  assertEquals([created?.permission, created?.rule.includes("granted entry by entry")], [
    "write",
    true,
  ]);
});

Deno.test("attributeDenials ends on hostile lines", () => {
  using tree = new TempTree(FILES);
  const parts = [
    "connecting to ",
    "https://",
    "host ",
    "'",
    "a",
    ": ",
    "~/",
    "/dev/tcp/",
    "a: a",
    "@",
  ];
  for (const part of parts) {
    const line = `${part.repeat(20_000)} eacces getaddrinfo permission denied`;
    assertEquals(attribute(tree, [line]).length <= 16, true);
  }
});

jailTest("attributeDenials understands the tools of this machine", async () => {
  await using jailed = await TestJail.start();
  const [out, outside] = ["../outside", `${jailed.tree.at("outside")}`];
  const cases: readonly { in: string; want: string; root?: boolean }[] = [
    { in: `cat ${out}/file`, want: `read ${outside}/file` },
    { in: `echo x >${out}/new`, want: `write ${outside}/new` },
    { in: `cp file ${out}/copy`, want: `write ${outside}/copy` },
    { in: `mkdir ${out}/d`, want: `write ${outside}/d` },
    { in: `touch ${out}/t`, want: `write ${outside}/t` },
    { in: `echo x | tee ${out}/t`, want: `write ${outside}/t` },
    { in: `rm ${out}/file`, want: `write ${outside}/file` },
    { in: `mv file ${out}/moved`, want: `write ${outside}/moved` },
    { in: `ls ${out}`, want: `read ${outside}` },
    { in: `sed -i s/a/b/ ${out}/file`, want: `read ${outside}/file` },
    { in: "sed -i s/a/b/ /etc/hostname", want: "write /etc/sed*", root: true },
    { in: "sed -i s/a/b/ /etc/hostname", want: "", root: false },
    { in: `git init -q r; git clone -q r ${out}/clone`, want: `write ${outside}/clone` },
    { in: `git config --file ${out}/config a.b c`, want: `write ${outside}/config` },
    { in: "cat file", want: "" },
    { in: "cat absent", want: "" },
    // What modes refuse is not the policy's doing.
    { in: "echo >own; chmod 444 own; echo x >>own", want: "" },
    { in: "echo >own2; chmod 0 own2; cat own2", want: "" },
    { in: "echo >own3; chmod 0 own3; sed -i s/a/b/ own3", want: "" },
    { in: "mkdir d; chmod 555 d; touch d/x", want: "" },
    { in: "echo x >>/etc/hostname", want: "write /etc/hostname", root: true },
    { in: "echo x >>/etc/hostname", want: "", root: false },
  ];
  for (const { in: script, want, root } of cases) {
    if (root !== undefined && root !== (Deno.uid() === 0)) continue;
    const { stderr } = await jailed.sh(script);
    const context = { cwd: jailed.tree.at("work"), home: jailed.tree.at("home"), named: [] };
    const found = attributeDenials(stderr.split("\n"), { plan: jailed.plan, context });
    assertEquals(
      found.map(({ permission, resource }) => `${permission} ${resource}`).join()
        .replace(/\/sed[^/]+$/, "/sed*"),
      want,
      stderr,
    );
  }
});
