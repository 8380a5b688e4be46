import { assert, assertEquals } from "@std/assert";
import { gitChanges, workspaceReport } from "../../src/session/workspace_report.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";
import { exists } from "../sandbox/observe.ts";

function git(place: TestPlace, ...args: readonly string[]): void {
  const { success, stderr } = new Deno.Command("git", {
    args: ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args],
    cwd: place.at("work"),
    env: { HOME: place.at("home") },
    stdout: "null",
    stderr: "piped",
  }).outputSync();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test("gitChanges reads what git prints, whatever the names are", () => {
  const status = "## main...origin/main\0 M a b\0?? new\nline\0R  now\0before\0 C copy\0old\0";
  const { branch, files, commits } = gitChanges(status, "abc first line\0def \0");
  assertEquals(branch, "main...origin/main");
  assertEquals(files.map(({ status, path }) => `${status}|${path}`), [
    " M|a b",
    "??|new\\nline",
    "R |now",
    " C|copy",
  ]);
  assertEquals(commits, [{ id: "abc", subject: "first line" }, { id: "def", subject: "" }]);
  assertEquals(gitChanges("?? x\0".repeat(600), "").more, 100);
  assertEquals(gitChanges("", "").files, []);
});

jailTest(
  "workspaceReport asks git inside the jail: what its configuration starts writes nothing",
  async () => {
    using place = new TestPlace();
    git(place, "init", "--quiet");
    place.write("work/a", "1");
    git(place, "add", "a");
    git(place, "commit", "--quiet", "--message", "one");
    place.write("work/a", "2");
    place.write("work/b", "3");
    const monitor = (name: string) => `echo ran >> '${place.at(name)}'; printf '\\0'`;
    place.write(
      "work/monitor.sh",
      `#!/bin/sh\n${monitor("work/made")}\n${monitor("outside/made")}\n`,
      0o755,
    );
    git(place, "config", "core.fsmonitor", place.at("work/monitor.sh"));
    await using test = new TestSession({ place });
    const report = await workspaceReport(test.context, Date.now() - 3_600_000);
    assertEquals([report.source, report.reason], ["git", null]);
    assertEquals(report.files.map(({ status, path }) => `${status}|${path}`), [
      " M|a",
      "??|b",
      "??|monitor.sh",
    ]);
    assertEquals(report.commits.map(({ subject }) => subject), ["one"]);
    for (const name of ["work/made", "outside/made"]) {
      assertEquals(Deno.lstatSync(place.root).isDirectory && exists(place.at(name)), false, name);
    }
    // Control: outside of the jail the same configuration does run.
    git(place, "status");
    assert(exists(place.at("outside/made")), "the monitor is one that runs");
  },
  { programs: ["git"] },
);

jailTest("workspaceReport goes by the times of files where there is no repository", async () => {
  using place = new TestPlace();
  Deno.removeSync(place.at("work/.git"), { recursive: true });
  place.write("work/sub/a", "1");
  await using test = new TestSession({ place });
  const report = await workspaceReport(test.context, Date.now() - 60_000);
  assertEquals([report.source, report.files], ["times", [{ status: "", path: "sub/a" }]]);
  assert(report.reason?.includes("not a git repository"), report.reason ?? "");
  const later = await workspaceReport(test.context, Date.now() + 60_000);
  assertEquals(later.files, []);
}, { programs: ["git"] });
