import { assert, assertEquals } from "@std/assert";
import { NEWEST_ABI } from "../../src/sandbox/landlock.ts";
import { probeHost } from "../../src/sandbox/host.ts";
import { readProof } from "../../src/sandbox/restrict.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

/** Runs a script in the jail and, as the control, with the same directories outside of it. */
async function both(jailed: TestJail, script: string): Promise<readonly [string, string]> {
  const inside = await jailed.sh(script);
  const outside = await new Deno.Command("sh", {
    args: ["-c", script],
    cwd: jailed.tree.at("work"),
    stdin: "null",
  }).output();
  return [inside.stdout, new TextDecoder().decode(outside.stdout)];
}

/** Each line prints `no` in the jail and `yes` outside. */
const FILES = `
  try() { if ("$@") >/dev/null 2>&1; then echo yes; else echo no; fi; }
  into() { echo x >"$1"; }
  try cat ../outside/file
  try into ../outside/new
  try into ../outside/file
  try mkdir ../outside/directory
  try rm ../outside/new
  try ln -s file ../outside/link
  try ln ../outside/file hard
  try mv ../outside/file moved
  try truncate -s 0 ../state/key
  try ls ../outside`;

jailTest("restrictThread keeps files out of reach under every ABI", async () => {
  const newest = Math.min(probeHost().landlockAbi, NEWEST_ABI);
  for (let landlockAbi = 1; landlockAbi <= newest; landlockAbi++) {
    await using jailed = await TestJail.start({ order: () => ({ landlockAbi }) });
    const [inside, outside] = await both(jailed, FILES);
    const want = Array(10).fill("no");
    assertEquals([landlockAbi, inside.trim().split("\n")], [landlockAbi, want]);
    assertEquals(outside.trim().split("\n"), Array(10).fill("yes"));
    const { stdout, status } = await jailed.sh(
      "cat file; echo new >new; mkdir d; mv new d; cat d/new",
    );
    assertEquals([stdout, status?.kind], ["inside\nnew\n", "exited"]);
  }
});

jailTest("restrictThread without Landlock still takes privileges and calls", async () => {
  await using jailed = await TestJail.start({ order: () => ({ landlockAbi: 0 }) });
  const { stdout, proof } = await jailed.sh(
    "cat ../outside/file; unshare -U true 2>&1 || echo refused",
  );
  assertEquals(stdout.split("\n").slice(0, 1), ["outside"]);
  assert(stdout.endsWith("refused\n"));
  assertEquals(proof, { noNewPrivs: 1, seccomp: 2, capEff: "0000000000000000" });
});

const SOCKETS = `
import socket, os
def attempt(f):
    try: f(); print("yes")
    except OSError as e: print(e.errno)
for family, kind, protocol in [(2, 1, 0), (2, 2, 0), (10, 1, 0), (1, 1, 0), (1, 2, 0), (2, 1, 262), (16, 3, 0), (16, 3, 16)]:
    attempt(lambda: socket.socket(family, kind, protocol))
attempt(lambda: socket.socketpair())
attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
def connect():
    s = socket.socket(1); s.bind("socket"); s.listen(); socket.socket(1).connect("socket")
try: attempt(connect)
finally: os.path.exists("socket") and os.unlink("socket")
`;

jailTest(
  "restrictThread leaves stream sockets, and datagrams with all of the network",
  async () => {
    const want = {
      default: "yes 13 yes yes 13 13 yes 13 yes 97 yes",
      open: "yes yes yes yes 13 13 yes 13 yes 97 yes",
    };
    for (const policy of ["default", "open"] as const) {
      await using jailed = await TestJail.start({ policy });
      Deno.writeTextFileSync(jailed.tree.at("work/sockets.py"), SOCKETS);
      const [inside, outside] = await both(jailed, "/usr/bin/python3 sockets.py");
      assertEquals(inside.trim().replaceAll("\n", " "), want[policy], policy);
      // An old kernel may lack MPTCP, and IPv6 may be off: the others must all be there.
      const control = outside.trim().split("\n");
      assertEquals(control.filter((_, index) => index !== 2 && index !== 5), Array(9).fill("yes"));
    }
  },
  { programs: ["python3"] },
);

jailTest(
  "a file that is denied to be read cannot become another that a later plan grants",
  async () => {
    const policy = JSON.stringify({
      extends: "default",
      read: { deny: ["$WORKSPACE/secret", "$WORKSPACE/private"] },
    });
    const attempts = [
      "mv secret other; cat other",
      "ln secret other; cat other",
      "mkdir -p new; mv secret new/other; cat new/other",
      "mv secret src/other; cat src/other",
      "mv private public; cat public/file",
      "mv private/file other; cat other",
      "mkdir -p new; ln private/file new/other; cat new/other",
    ];
    for (const attempt of attempts) {
      const run = async (denied: boolean) => {
        await using first = await TestJail.start({
          ...(denied ? { policy } : {}),
          prepare: (tree) => {
            tree.add("work/secret", "SECRET\n");
            tree.add("work/private/file", "SECRET\n");
            tree.add("work/src/file", "");
          },
        });
        const [move, look] = attempt.split(/; (?=cat)/) as [string, string];
        await first.sh(move);
        await using second = await TestJail.start({
          ...(denied ? { policy } : {}),
          tree: first.tree,
        });
        return (await second.sh(look)).stdout;
      };
      assertEquals([await run(false), await run(true)], ["SECRET\n", ""], attempt);
    }
  },
);

jailTest("a command cannot change the inode flags of a file that it may only read", async () => {
  await using jailed = await TestJail.start({ policy: "readonly" });
  const { status } = await jailed.run(["chattr", "+d", "file"]);
  assertEquals(status?.kind === "exited" && status.code !== 0, true);
  const path = jailed.tree.at("work/file");
  const { success } = await new Deno.Command("chattr", { args: ["+d", path] }).output();
  assert(success);
}, { programs: ["chattr"] });

Deno.test("readProof reads the facts of a process, and none of an absent one", () => {
  const own = readProof("/proc/self/status");
  assertEquals([own?.noNewPrivs, own?.seccomp], [0, 0]);
  assertEquals(readProof("/proc/0/status"), null);
  assertEquals(readProof("/dev/null"), null);
});
