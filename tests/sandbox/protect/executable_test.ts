import { assertEquals } from "@std/assert";
import { TempTree } from "../temp_tree.ts";

const MODULE = new URL("../../../src/sandbox/protect/executable.ts", import.meta.url).href;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

/** Run in a copy of Deno, which is then its own executable in a directory that a command could write. */
const PROGRAM = `
  import { ProtectedFile } from "${MODULE}";
  const file = ProtectedFile.executable();
  const path = Deno.execPath();
  const original = Deno.statSync(path);
  const say = (name, result) => {
    const now = Deno.lstatSync(path);
    console.log(JSON.stringify([name, result, now.isFile && now.size === original.size && now.mode === original.mode]));
  };
  say("same path", file.path === path);
  say("unchanged", file.restore());
  Deno.removeSync(path);
  say("removed", file.restore());
  say("unchanged again", file.restore());
  Deno.writeTextFileSync(path + ".new", "#!/bin/sh\\n", { mode: 0o755 });
  Deno.renameSync(path + ".new", path);
  say("replaced", file.restore());
  Deno.removeSync(path);
  Deno.symlinkSync(Deno.args[0], path);
  say("linked", file.restore());
  const directory = path.slice(0, path.lastIndexOf("/"));
  Deno.renameSync(directory, directory + ".moved");
  Deno.symlinkSync(directory + ".moved", directory);
  Deno.removeSync(path);
  Deno.writeTextFileSync(path, "");
  say("directory linked", file.restore());
`;

Deno.test("ProtectedFile puts the executable back, and follows no link in doing so", async () => {
  using tree = new TempTree({ "bin": { directory: true }, "victim": "untouched" });
  const path = tree.at("bin/deno");
  Deno.copyFileSync(Deno.execPath(), path);
  Deno.chmodSync(path, 0o755);
  tree.add("program.ts", PROGRAM);
  const args = ["run", "-A", "--quiet", "--no-lock", "--no-check", "--config", CONFIG];
  const { stdout } = await new Deno.Command(path, {
    args: [...args, tree.at("program.ts"), tree.at("victim")],
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines, [
    ["same path", true, true],
    ["unchanged", null, true],
    ["removed", path, true],
    ["unchanged again", null, true],
    ["replaced", path, true],
    ["linked", path, true],
    ["directory linked", `${path} (changed, and not restored: its directory was replaced)`, false],
  ]);
  assertEquals(Deno.readTextFileSync(tree.at("victim")), "untouched");
});
