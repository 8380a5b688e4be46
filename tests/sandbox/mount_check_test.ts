import { assertEquals } from "@std/assert";
import { mountCheck, mountExpectations } from "../../src/sandbox/mount_check.ts";
import type { Plan } from "../../src/sandbox/plan.ts";
import { bubblewrapTest } from "./require_sandbox.ts";
import { TempTree } from "./temp_tree.ts";

/** A plan that writes a directory, pins one in it and hides another. */
function planOf(tree: TempTree): Plan {
  const hidden = { path: tree.at("work/hid den"), directory: true, readable: false };
  const work = { path: tree.at("work"), write: true, read: true, list: true, directory: true };
  const covering = { pins: [tree.at("work/pin")], covers: [{ ...hidden, isProtected: false }] };
  return { grants: [work], covering } as unknown as Plan;
}

/** How a command ends that begins with the check, in a jail with these mounts. */
async function endOf(tree: TempTree, mounts: readonly string[]): Promise<string> {
  Deno.writeTextFileSync(tree.at("expected"), mountExpectations(planOf(tree)));
  const { code, stdout } = await new Deno.Command("/usr/bin/bwrap", {
    args: [
      ...["--dev-bind", "/", "/", "--bind", tree.at("work"), tree.at("work"), ...mounts],
      ...["/bin/bash", "-c", `exec 9<"$0"; ${mountCheck(9)} echo started "$@"`],
      ...[tree.at("expected"), "with", "words"],
    ],
    stdout: "piped",
    stderr: "inherit",
  }).output();
  return `${code} ${new TextDecoder().decode(stdout)}`;
}

bubblewrapTest(
  "mountCheck starts nothing where a mount shows another place than it was made for",
  async () => {
    using tree = new TempTree({
      "work/pin/inner": { directory: true },
      "work/hid den": { directory: true },
      "work/other": { directory: true },
      "secret/file": "x",
    });
    const [pin, hidden, other, secret] = ["work/pin", "work/hid den", "work/other", "secret"]
      .map((name) => tree.at(name));
    const started = "0 started with words\n";
    const refused = "125 ";
    const cases = [
      { in: [], want: started },
      { in: ["--bind", pin!, pin!, "--perms", "0000", "--tmpfs", hidden!], want: started },
      // What a link in the place of a pin leads to, when it is exchanged between two looks of bwrap.
      { in: ["--bind", secret!, pin!], want: refused },
      { in: ["--ro-bind", tree.at("secret"), other!], want: refused },
      { in: ["--bind", pin!, other!], want: refused },
      { in: ["--bind", pin!, pin!, "--bind", secret!, `${pin}/inner`], want: refused },
      { in: ["--bind", "/dev", hidden!], want: refused },
      { in: ["--bind", secret!, hidden!], want: refused },
      { in: ["--tmpfs", other!], want: refused },
    ];
    for (const { in: mounts, want } of cases) {
      assertEquals(await endOf(tree, mounts), want, mounts.join(" "));
    }
  },
);
