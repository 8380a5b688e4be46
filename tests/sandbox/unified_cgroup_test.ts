/** Where a group of version 2 can be made, what it counts, and how it is left. */
import { assert, assertEquals } from "@std/assert";
import { KERNEL_FILES } from "../../src/sandbox/cgroup_files.ts";
import { ownUnifiedGroup, UnifiedCgroup } from "../../src/sandbox/unified_cgroup.ts";
import { killTree } from "../../src/sandbox/process_tree.ts";
import { FakeCgroups } from "./fake_cgroups.ts";

const BOUNDS = { memoryBytes: 1 << 28, processes: 100, countsCpu: false };
const SHELL = String(Deno.pid);
const MOUNT = "30 23 0:26 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n";
const BOTH = ["memory", "pids"];

function make(fake: FakeCgroups, directory: string, bounds = BOUNDS): UnifiedCgroup | null {
  return UnifiedCgroup.create(bounds, { files: fake.files, own: { directory, mount: "/cg" } });
}

Deno.test("ownUnifiedGroup finds this process's group below whatever is mounted", () => {
  const cases = [
    {
      cgroup: "0::/user.slice/a.scope\n",
      mounts: MOUNT,
      want: "/sys/fs/cgroup/user.slice/a.scope",
    },
    { cgroup: "0::/\n", mounts: MOUNT, want: "/sys/fs/cgroup" },
    { cgroup: "4:memory:/x\n0::/y\n", mounts: MOUNT, want: "/sys/fs/cgroup/y" },
    { cgroup: "0::/box/y\n", mounts: MOUNT.replace(" / ", " /box "), want: "/sys/fs/cgroup/y" },
    { cgroup: "0::/boxer/y\n", mounts: MOUNT.replace(" / ", " /box "), want: undefined },
    { cgroup: "0::/../y\n", mounts: MOUNT, want: undefined },
    { cgroup: "4:memory:/x\n", mounts: MOUNT, want: undefined },
    { cgroup: "0::/y\n", mounts: MOUNT.replace("cgroup2 ", "cgroup "), want: undefined },
  ];
  for (const { cgroup, mounts, want } of cases) {
    assertEquals(ownUnifiedGroup(cgroup, mounts)?.directory, want, cgroup);
  }
});

Deno.test("UnifiedCgroup.create finds a place where the rules leave one, and keeps outer bounds", () => {
  const cases: readonly {
    readonly about: string;
    readonly fake: FakeCgroups;
    readonly own: string;
    readonly want: string | null;
  }[] = [
    {
      about: "the uppermost group may hold processes",
      fake: new FakeCgroups({ "/cg": { owner: 0, procs: [SHELL, "1"] } }, { user: 0 }),
      own: "/cg",
      want: "/cg",
    },
    {
      about: "a delegated group that holds the shell alone",
      fake: new FakeCgroups({ "/cg": { owner: 0, enabled: BOTH }, "/cg/a": { procs: [SHELL] } }),
      own: "/cg/a",
      want: "/cg/a",
    },
    {
      about: "a scope of this user's beside others of the same",
      fake: new FakeCgroups({
        "/cg": { owner: 0, enabled: BOTH },
        "/cg/app": { enabled: BOTH },
        "/cg/app/a": { procs: [SHELL, "7"], settings: { "memory.max": "max\n" } },
      }),
      own: "/cg/app/a",
      want: "/cg/app",
    },
    {
      about: "a bound of the scope's would be escaped",
      fake: new FakeCgroups({
        "/cg": { owner: 0, enabled: BOTH },
        "/cg/app": { enabled: BOTH },
        "/cg/app/a": { procs: [SHELL, "7"], settings: { "memory.max": "1000\n" } },
      }),
      own: "/cg/app/a",
      want: null,
    },
    {
      about: "what is beside a delegated group is not this user's",
      fake: new FakeCgroups({
        "/cg": { owner: 0, enabled: BOTH },
        "/cg/a": { procs: [SHELL, "7"] },
      }),
      own: "/cg/a",
      want: null,
    },
    {
      about: "a group that is not this user's",
      fake: new FakeCgroups({ "/cg": { owner: 0 }, "/cg/a": { owner: 0, procs: [SHELL] } }),
      own: "/cg/a",
      want: null,
    },
    {
      about: "as root, a group with others' processes is left as it is",
      fake: new FakeCgroups({
        "/cg": { owner: 0, enabled: BOTH },
        "/cg/a": { owner: 0, procs: [SHELL, "7"] },
      }, { user: 0 }),
      own: "/cg/a",
      want: null,
    },
  ];
  for (const { about, fake, own, want } of cases) {
    const before = fake.files.read(`${own}/cgroup.procs`);
    const known = new Set(fake.groups.keys());
    const group = make(fake, own);
    assertEquals(group !== null, want !== null, about);
    const made = [...fake.groups.keys()].filter((path) => !known.has(path));
    const bounded = made.filter((path) => fake.groups.get(path)!.settings.size > 0);
    assertEquals(bounded.map((path) => path.slice(0, path.lastIndexOf("/"))), want ? [want] : []);
    if (bounded[0] !== undefined) {
      const settings = Object.fromEntries(fake.groups.get(bounded[0])!.settings);
      assertEquals(settings, {
        "pids.max": "100",
        "memory.swap.max": "0",
        "memory.max": String(1 << 28),
      }, about);
    }
    group?.remove();
    assertEquals(new Set(fake.groups.keys()), known, `${about}: something is left`);
    assertEquals(
      fake.files.read(`${own}/cgroup.procs`),
      before,
      `${about}: the shell is elsewhere`,
    );
  }
});

Deno.test("UnifiedCgroup.create takes the one controller that it is given", () => {
  const fake = new FakeCgroups({ "/cg": { owner: 0 } }, { user: 0, controllers: ["pids"] });
  assertEquals(make(fake, "/cg")?.bounded, { memory: false, processes: true });
  const none = new FakeCgroups({ "/cg": { owner: 0 } }, { user: 0, controllers: [] });
  assertEquals(make(none, "/cg"), null);
  const counted = make(none, "/cg", { ...BOUNDS, countsCpu: true });
  assertEquals(counted?.bounded, { memory: false, processes: false });
});

Deno.test("UnifiedCgroup.counts reads what the kernel writes", () => {
  const fake = new FakeCgroups({ "/cg": { owner: 0 } }, { user: 0 });
  const group = make(fake, "/cg")!;
  assertEquals(group.counts(), { memory: 0, processes: 0, cpuMs: 0 });
  const { settings } = [...fake.groups.values()].at(-1)!;
  settings.set("memory.events", "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n");
  settings.set("pids.events", "max 5\n");
  settings.set("cpu.stat", "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n");
  assertEquals(group.counts(), { memory: 2, processes: 5, cpuMs: 2500 });
});

/** A group of the kernel's own; null where this user can make none. */
function realGroup(): UnifiedCgroup | null {
  return UnifiedCgroup.create({ memoryBytes: 0, processes: 0, countsCpu: true });
}

const probe = realGroup();
probe?.remove();

Deno.test({
  name:
    "UnifiedCgroup gathers processes and their children, counts their CPU time and kills them all",
  ignore: probe === null && Deno.env.get("REQUIRE_CGROUP2") !== "1",
  fn: async () => {
    const group = realGroup();
    assert(group !== null);
    const outside = new Deno.Command("sleep", { args: ["60"] }).spawn();
    const script = "read -r go; (while :; do :; done) & while :; do :; done";
    const child = new Deno.Command("sh", { args: ["-c", script], stdin: "piped" }).spawn();
    try {
      assert(group.gather(new Set([outside.pid])));
      assert(group.gather(new Set([outside.pid])), "a second time finds nothing to do");
      const groupOf = (pid: number) =>
        /^0::(.*)$/m.exec(KERNEL_FILES.read(`/proc/${pid}/cgroup`) ?? "")?.[1];
      assert(groupOf(child.pid) !== groupOf(Deno.pid), "it stayed outside");
      assertEquals(groupOf(outside.pid), groupOf(Deno.pid));
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("go\n"));
      while (group.counts().cpuMs < 50) await new Promise((later) => setTimeout(later, 10));
      group.kill();
      assertEquals((await child.status).signal, "SIGKILL");
      await writer.close().catch(() => {});
      outside.kill("SIGKILL");
      assertEquals((await outside.status).signal, "SIGKILL");
    } finally {
      killTree();
      group.remove();
    }
    // The same name can be made again only when nothing is left of the first.
    for (let left = 200; left > 0; left--) {
      const again = realGroup();
      again?.remove();
      if (again !== null) return;
      await new Promise((later) => setTimeout(later, 10));
      group.remove();
    }
    throw new Error("the group could not be removed");
  },
});
