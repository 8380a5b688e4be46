import { assertEquals } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

/** Prints for each path the watch that it got, or the error. */
const WATCH = `
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
fd = libc.inotify_init1(0)
for path in sys.argv[1:]:
    watch = libc.inotify_add_watch(fd, path.encode(), 0x100)
    print(watch if watch > 0 else errno.errorcode[ctypes.get_errno()])
if not os.path.exists("d"):
    os.mkdir("d"); open("new", "w").close(); print(b"new" in os.read(fd, 4096))
`;

jailTest("superviseWatch watches what may be read, and nothing else", async () => {
  await using jailed = await TestJail.start();
  Deno.symlinkSync(jailed.tree.at("outside"), jailed.tree.at("work/link"));
  const outside = ["state", "state/key", "outside", "home"].map((name) => jailed.tree.at(name));
  const paths = [".", "file", "/usr", "missing", "link", "../outside/file", ...outside];
  const watch = async (start: (argv: readonly string[]) => Promise<string>) =>
    (await start(["python3", "-c", WATCH, ...paths])).trim().split("\n");
  const said = await watch(async (argv) => (await jailed.run(argv)).stdout);
  assertEquals(said, ["1", "2", "3", "ENOENT", ...Array(6).fill("EACCES"), "True"]);
  assertEquals(
    jailed.supervision.takeRefused().map(({ permission, resource }) => [permission, resource]),
    [
      ["read", jailed.tree.at("outside")],
      ["read", jailed.tree.at("outside/file")],
      ...outside.filter((path) => !path.endsWith("outside")).map((path) => ["read", path]),
    ],
  );
  const bare = await watch(async ([program, ...args]) => {
    const { stdout } = await new Deno.Command(program!, { args, cwd: jailed.tree.at("work") })
      .output();
    return new TextDecoder().decode(stdout);
  });
  assertEquals(bare.filter((line) => line === "EACCES"), []);
}, { programs: ["python3"] });

jailTest("superviseWatch lets programs watch the workspace", async () => {
  await using jailed = await TestJail.start();
  const script = `const fs = require("fs"); fs.mkdirSync("deep/er", { recursive: true });
const w = fs.watch(".", { recursive: true }, (_, name) => { if (name === "deep/er/x") { console.log(name); w.close(); } });
setTimeout(() => fs.writeFileSync("deep/er/x", ""), 300);`;
  const { stdout, stderr } = await jailed.run(["node", "-e", script]);
  assertEquals([stdout, stderr], ["deep/er/x\n", ""]);
}, { programs: ["node"] });
