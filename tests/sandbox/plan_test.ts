import { assert, assertEquals } from "@std/assert";
import { type Plan, refusals } from "../../src/sandbox/plan.ts";
import { BUILTIN_NAMES } from "../../src/policy/builtins.ts";
import { TempTree } from "./temp_tree.ts";
import { plan, TREE } from "./test_plan.ts";

function grants(plan: Plan, path: string, access: "read" | "write"): boolean {
  return plan.grants.some((entry) =>
    entry[access] &&
    (entry.path === path || entry.path === "/" ||
      (entry.directory && path.startsWith(`${entry.path}/`)))
  );
}

Deno.test("planJail labels each permission of the built-in policies", () => {
  using tree = new TempTree(TREE);
  for (const name of BUILTIN_NAMES) {
    const { labels, unsupported, net } = plan(tree, name);
    assertEquals(labels, {
      read: "kernel",
      write: "kernel",
      net: "kernel",
      env: "kernel",
      run: "checked",
    });
    assertEquals([unsupported, net], [[], name === "open" ? "all" : "none"], name);
  }
});

Deno.test("planJail grants what the built-in policies say of the workspace", () => {
  using tree = new TempTree(TREE);
  const [file, ssh] = [tree.at("work/src/file"), tree.at("home/.ssh/id")];
  const cases = [
    { in: "default", file: [true, true], ssh: [false, false] },
    { in: "readonly", file: [true, false], ssh: [false, false] },
    { in: "offline", file: [true, true], ssh: [false, false] },
    { in: "ci", file: [true, true], ssh: [false, false] },
    { in: "open", file: [true, true], ssh: [true, true] },
  ];
  for (const { in: name, ...want } of cases) {
    const made = plan(tree, name);
    const both = (path: string) => [grants(made, path, "read"), grants(made, path, "write")];
    assertEquals({ file: both(file), ssh: both(ssh) }, want, name);
  }
});

Deno.test("planJail never grants what is hidden, and grants what is readable, under every policy", () => {
  for (const name of BUILTIN_NAMES) {
    using tree = new TempTree(TREE);
    const readable = [tree.at("state/spool")];
    const made = plan(tree, name, { hidden: [tree.at("state/journal")], readable });
    const journal = tree.at("state/journal");
    assertEquals([grants(made, journal, "read"), grants(made, journal, "write")], [false, false]);
    const spool = tree.at("state/spool/one");
    assertEquals([grants(made, spool, "read"), grants(made, spool, "write")], [
      true,
      name === "open",
    ]);
  }
  using tree = new TempTree(TREE);
  const control = plan(tree, "open", { hidden: [] });
  assert(grants(control, tree.at("state/journal"), "write"));
});

Deno.test("planJail grants no writing to files of the kernel and devices with everything else", () => {
  using tree = new TempTree(TREE);
  const made = plan(tree, "open");
  for (
    const path of ["/proc/sys/kernel/core_pattern", "/sys/power/state", "/dev/kmsg", "/dev/sda"]
  ) {
    assertEquals(grants(made, path, "write"), false, path);
  }
  assertEquals(["/usr/bin/x", "/etc/passwd"].map((path) => grants(made, path, "write")), [
    true,
    true,
  ]);
  assertEquals(grants(made, "/proc/self/status", "read"), true);
});

Deno.test("planJail makes kernel files writable under no policy, best effort or not", () => {
  using tree = new TempTree({ ...TREE, "work/link": { link: "/proc/sys" } });
  for (const path of ["/proc", "/proc/sys/kernel", "/sys/kernel", "$WORKSPACE/link"]) {
    const policy = { extends: "default", write: [path], enforcement: "best-effort" };
    const made = plan(tree, policy);
    const writable = made.grants.filter((entry) => entry.write && /^\/(proc|sys)/.test(entry.path));
    assertEquals(writable, [], path);
    assertEquals(made.unsupported.map(({ permission, reason }) => [permission, reason]), [
      ["write", "files of the kernel are never writable"],
    ]);
  }
  const control = plan(tree, { extends: "default", write: ["/dev/null"] });
  assertEquals(control.grants.some((entry) => entry.write && entry.path === "/dev/null"), true);
});

Deno.test("planJail needs seccomp for net", () => {
  using tree = new TempTree(TREE);
  const made = plan(tree, "default", { host: { seccomp: false } });
  assertEquals(made.unsupported.map(({ permission }) => permission), ["net"]);
  assertEquals([made.labels.net, made.labels.read, refusals(made).length], [
    "unsupported",
    "kernel",
    1,
  ]);
});

Deno.test("planJail leaves what is neither nothing nor everything to the proxy", () => {
  using tree = new TempTree(TREE);
  const cases: readonly { net: unknown; want: Plan["net"] }[] = [
    { net: true, want: "all" },
    { net: false, want: "none" },
    { net: [], want: "none" },
    { net: ["example.org:443"], want: "proxy" },
    { net: ["10.0.0.0/8"], want: "proxy" },
    { net: { allow: true, deny: ["example.org:443"] }, want: "proxy" },
    { net: { allow: ["example.org"], deny: true }, want: "none" },
    { net: { allow: true, deny: true }, want: "none" },
    { net: { deny: ["example.org"] }, want: "none" },
  ];
  for (const { net, want } of cases) {
    const made = plan(tree, { extends: "default", net });
    assertEquals(made.net, want, JSON.stringify(net));
    assertEquals([made.labels.net, refusals(made)], ["kernel", []]);
  }
});

Deno.test("refusals lets best effort run, whatever is missing", () => {
  using tree = new TempTree(TREE);
  const host = { landlockAbi: 0, seccomp: false };
  const policy = { extends: "default", net: ["a:1"] };
  assertEquals(refusals(plan(tree, policy, { host })).length, 4);
  const effort = plan(tree, { ...policy, enforcement: "best-effort" }, { host });
  assertEquals([refusals(effort), effort.unsupported.length, effort.net], [[], 4, "proxy"]);
});

Deno.test("planJail lets nothing be renamed where something is denied to be read", () => {
  using tree = new TempTree(TREE);
  const policy = { extends: "default", read: { deny: ["$WORKSPACE/secret"] } };
  const made = plan(tree, policy);
  const both = (name: string) => {
    const path = tree.at(name);
    return [grants(made, path, "read"), grants(made, path, "write")];
  };
  assertEquals(both("work/secret"), [false, false]);
  assertEquals(both("work/new"), [false, false]);
  assertEquals(both("work/src/file"), [true, true]);
});

Deno.test("planJail follows an allowed path through links, but not those that commands could place", () => {
  using tree = new TempTree({
    ...TREE,
    "home/project": { link: "../outside/real" },
    "outside/real/file": "",
    "outside/private/file": "",
    "work/data": { link: "@/outside/private" },
  });
  const policy = { extends: "default", read: ["$HOME/project", "$WORKSPACE/data"] };
  const made = plan(tree, policy);
  assertEquals(grants(made, tree.at("outside/real/file"), "read"), true);
  assertEquals(grants(made, tree.at("outside/private/file"), "read"), false);
});

Deno.test("planJail merges what two rules grant of one path", () => {
  using tree = new TempTree(TREE);
  const entries = plan(tree, "default").grants.filter(({ path }) => path === tree.at("work"));
  assertEquals(entries, [
    { path: tree.at("work"), read: true, write: true, list: false, directory: true, device: false },
  ]);
});
