/** Files that appear after the plan was made are what the plan says of their place, not what they would be now. */
import { assertEquals } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

jailTest(
  "a file that appears later is granted by its directory, never beside something denied",
  async () => {
    await using jail = await TestJail.start({
      policy: JSON.stringify({
        extends: "default",
        read: { allow: ["$HOME/open", "$HOME/split"], deny: ["$HOME/split/*.key"] },
      }),
      prepare: (tree) => {
        tree.add("home/open/first", "1\n");
        tree.add("home/split/first", "1\n");
        tree.add("home/split/old.key", "1\n");
      },
    });
    const cases = [
      { in: "home/open/first", want: true },
      { in: "home/split/first", want: true },
      { in: "home/split/old.key", want: false },
      // From here on what was not there when the plan was made.
      { in: "home/open/later", want: true },
      { in: "home/open/later.key", want: true },
      { in: "home/split/later", want: false },
      { in: "home/split/later.key", want: false },
      { in: "home/later", want: false },
    ];
    for (const { in: path } of cases.slice(3)) jail.tree.add(path, "2\n");
    for (const { in: path, want } of cases) {
      const { status } = await jail.sh(': <"$1"', { args: [jail.tree.at(path)] });
      assertEquals(status?.kind === "exited" && status.code === 0, want, path);
    }
  },
);

jailTest(
  "a file that a command creates in a writable directory is readable unless it lies beside a deny",
  async () => {
    await using jail = await TestJail.start({
      policy: JSON.stringify({
        extends: "default",
        read: { deny: ["$WORKSPACE/split/*.key"] },
      }),
      prepare: (tree) => tree.add("work/split/sub/file", "1\n"),
    });
    const cases = [
      { in: "work/split/sub/new", want: true },
      { in: "work/split/sub/new.key", want: true },
      { in: "work/split/new", want: false },
      { in: "work/split/new.key", want: false },
      // The workspace itself holds what holds a deny.
      { in: "work/new", want: false },
      { in: "tmp/new.key", want: true },
    ];
    for (const { in: path, want } of cases) {
      const { status } = await jail.sh('echo x >"$1" && cat "$1"', { args: [jail.tree.at(path)] });
      assertEquals(status?.kind === "exited" && status.code === 0, want, path);
    }
  },
);
