import { assertEquals } from "@std/assert";
import { attributeDenials, type AttributionContext } from "../../src/sandbox/denials.ts";
import { probeHost } from "../../src/sandbox/host.ts";
import { planJail } from "../../src/sandbox/plan.ts";
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

/** Lines as the tools wrote them, run in a jail: Debian 12, Node 20, Python 3.11. */
const FILE_COMPLAINTS: readonly { in: string; want: string }[] = [
  { in: "cat: ../outside/file: Permission denied", want: "read @/outside/file" },
  { in: "cat: @/outside/file: Permission denied", want: "read @/outside/file" },
  { in: "cat: /etc/shadow: Permission denied", want: "read /etc/shadow" },
  { in: "cat: ~/.ssh/id: Permission denied", want: "read @/home/.ssh/id" },
  { in: "bash: line 1: ../outside/new: Permission denied", want: "write @/outside/new" },
  { in: "bash: line 1: @/home/.bashrc: Permission denied", want: "write @/home/.bashrc" },
  { in: "bash: line 1: ../outside/file: Permission denied", want: "read @/outside/file" },
  {
    in: "bash: line 1: /proc/sys/kernel/hostname: Permission denied",
    want: "write /proc/sys/kernel/hostname",
  },
  { in: "sh: 1: cannot create ../outside/new: Permission denied", want: "write @/outside/new" },
  { in: "sh: 1: cannot create /etc/newfile: Permission denied", want: "write /etc/newfile" },
  {
    in: "cp: cannot create regular file '../outside/file': Permission denied",
    want: "write @/outside/file",
  },
  {
    in: "cp: cannot open '../outside/file' for reading: Permission denied",
    want: "read @/outside/file",
  },
  {
    in: "mkdir: cannot create directory \u2018../outside/d\u2019: Permission denied",
    want: "write @/outside/d",
  },
  { in: "touch: cannot touch '../outside/t': Permission denied", want: "write @/outside/t" },
  { in: "tee: ../outside/t: Permission denied", want: "write @/outside/t" },
  { in: "rm: cannot remove '../outside/file': Permission denied", want: "write @/outside/file" },
  {
    in: "mv: cannot move 'file' to '../outside/file': Permission denied",
    want: "write @/outside/file",
  },
  {
    in: "ln: failed to create symbolic link '../outside/l': Permission denied",
    want: "write @/outside/l",
  },
  {
    in: "truncate: cannot open '../outside/file' for writing: Permission denied",
    want: "write @/outside/file",
  },
  { in: "dd: failed to open '../outside/z': Permission denied", want: "write @/outside/z" },
  { in: "ls: cannot open directory '../outside': Permission denied", want: "read @/outside" },
  { in: "ls: cannot open directory '/': Permission denied", want: "read /" },
  { in: "grep: ../outside: Permission denied", want: "read @/outside" },
  { in: "find: \u2018../outside\u2019: Permission denied", want: "read @/outside" },
  { in: "sed: can't read ../outside/file: Permission denied", want: "read @/outside/file" },
  { in: "awk: cannot open ../outside/file (Permission denied)", want: "read @/outside/file" },
  { in: "tar: ../outside/a.tar: Cannot open: Permission denied", want: "write @/outside/a.tar" },
  { in: 'Saving key "../outside/k" failed: Permission denied', want: "write @/outside/k" },
  {
    in: "/usr/bin/ld: cannot open output file ../outside/a: Permission denied",
    want: "write @/outside/a",
  },
  {
    in: "PermissionError: [Errno 13] Permission denied: '../outside/new'",
    want: "write @/outside/new",
  },
  {
    in: "PermissionError: [Errno 13] Permission denied: '../outside/file'",
    want: "read @/outside/file",
  },
  { in: "Error: EACCES: permission denied, open '../outside/n'", want: "write @/outside/n" },
  { in: "Error: EACCES: permission denied, open '../outside/file'", want: "read @/outside/file" },
  {
    in: "Error: EACCES: permission denied, rename '../outside/file' -> 'x'",
    want: "write @/outside/file",
  },
  { in: "fatal: cannot mkdir ../outside/g: Permission denied", want: "write @/outside/g" },
  {
    in: "error: could not lock config file @/home/.gitconfig: Permission denied",
    want: "write @/home/.gitconfig",
  },
  {
    in: "E: Could not open lock file /var/lib/apt/lists/lock - open (13: Permission denied)",
    want: "write /var/lib/apt/lists/lock",
  },
];

const NET_COMPLAINTS: readonly { in: string; want: string }[] = [
  { in: "curl: (6) Could not resolve host: example.org", want: "net example.org" },
  {
    in: "curl: (7) Failed to connect to 10.1.2.3 port 8080 after 0 ms: Couldn't connect to server",
    want: "net 10.1.2.3:8080",
  },
  { in: "wget: unable to resolve host address \u2018example.org\u2019", want: "net example.org" },
  { in: "Connecting to 127.0.0.1:9... failed: Permission denied.", want: "net 127.0.0.1:9" },
  {
    in: "fatal: unable to access 'https://example.org/a.git/': Could not resolve host: example.org",
    want: "net example.org:443",
  },
  {
    in: "ssh: Could not resolve hostname example.org: Temporary failure in name resolution",
    want: "net example.org",
  },
  {
    in:
      "npm error request to https://registry.example.org/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.example.org",
    want: "net registry.example.org:443",
  },
  { in: "  [cause]: Error: getaddrinfo EAI_AGAIN example.org", want: "net example.org" },
  {
    in: "Error: connect EACCES 127.0.0.1:80 - Local (undefined:undefined)",
    want: "net 127.0.0.1:80",
  },
  { in: "Error: listen EACCES: permission denied 0.0.0.0:3000", want: "net 0.0.0.0:3000" },
  {
    in:
      'psql: error: could not translate host name "db.example.org" to address: Temporary failure in name resolution',
    want: "net db.example.org",
  },
  { in: "bash: line 1: /dev/tcp/127.0.0.1/80: Permission denied", want: "net 127.0.0.1:80" },
];

Deno.test("attributeDenials finds the file that a tool was refused", () => {
  using tree = new TempTree(FILES);
  for (const { in: line, want } of FILE_COMPLAINTS) {
    assertEquals(attribute(tree, [line]), [want], line);
  }
});

Deno.test("attributeDenials finds the host that a tool was refused", () => {
  using tree = new TempTree(FILES);
  for (const { in: line, want } of NET_COMPLAINTS) {
    assertEquals(attribute(tree, [line]), [want], line);
    assertEquals(attribute(tree, [line], { policy: "open" }), [], line);
  }
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
  const many = Array.from({ length: 40 }, (_, index) => `cat: /root/f${index}: Permission denied`);
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
  const cases: readonly { in: string; want: string }[] = [
    { in: `cat ${out}/file`, want: `read ${outside}/file` },
    { in: `echo x >${out}/new`, want: `write ${outside}/new` },
    { in: `cp file ${out}/copy`, want: `write ${outside}/copy` },
    { in: `mkdir ${out}/d`, want: `write ${outside}/d` },
    { in: `touch ${out}/t`, want: `write ${outside}/t` },
    { in: `echo x | tee ${out}/t`, want: `write ${outside}/t` },
    { in: `rm ${out}/file`, want: `write ${outside}/file` },
    { in: `mv file ${out}/moved`, want: `write ${outside}/moved` },
    { in: `ls ${out}`, want: `read ${outside}` },
    { in: "cat file", want: "" },
    { in: "cat absent", want: "" },
  ];
  for (const { in: script, want } of cases) {
    const { stderr } = await jailed.sh(script);
    const context = { cwd: jailed.tree.at("work"), home: jailed.tree.at("home"), named: [] };
    const found = attributeDenials(stderr.split("\n"), { plan: jailed.plan, context });
    assertEquals(
      found.map(({ permission, resource }) => `${permission} ${resource}`).join(),
      want,
      stderr,
    );
  }
});
