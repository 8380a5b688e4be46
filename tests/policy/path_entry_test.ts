import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { problemOfPath, resolvePath } from "../../src/policy/path_entry.ts";
import { VARIABLES } from "./fixture.ts";

const context = { variables: VARIABLES, directory: "/etc/debrief" };

Deno.test("resolvePath() replaces variables and normalises", () => {
  const table: readonly { in: string; want: string }[] = [
    { in: "/usr", want: "/usr" },
    { in: "/usr/", want: "/usr" },
    { in: "//usr/./lib/../bin//", want: "/usr/bin" },
    { in: "/../..", want: "/" },
    { in: "$WORKSPACE", want: "/work/project" },
    { in: "$WORKSPACE/", want: "/work/project" },
    { in: "${WORKSPACE}/src", want: "/work/project/src" },
    { in: "$WORKSPACE//etc", want: "/work/project/etc" },
    { in: "$HOME/.ssh", want: "/home/user/.ssh" },
    { in: "~", want: "/home/user" },
    { in: "~/.ssh", want: "/home/user/.ssh" },
    { in: "$TMP/x", want: "/tmp/session/x" },
    { in: "$HOME/../other", want: "/home/other" },
    { in: "./data", want: "/etc/debrief/data" },
    { in: "./", want: "/etc/debrief" },
    { in: "./../x", want: "/etc/x" },
    { in: "/with blank", want: "/with blank" },
  ];
  for (const { in: entry, want } of table) {
    assertEquals(problemOfPath(entry, "allow"), null, entry);
    assertEquals(resolvePath(entry, context), want, entry);
  }
});

Deno.test("problemOfPath() refuses what cannot be enforced exactly", () => {
  const table: readonly { in: string; want: RegExp }[] = [
    { in: "", want: /empty/ },
    { in: "src", want: /it is relative; a path begins with/ },
    { in: "../src", want: /it is relative/ },
    { in: "$PWD/x", want: /no variable "\$PWD".*\$WORKSPACE, \$HOME and \$TMP/ },
    { in: "$WORKSPCE/x", want: /did you mean "\$WORKSPACE"/ },
    { in: "$", want: /no variable "\$"/ },
    { in: "${HOME", want: /no variable/ },
    { in: "$HOMEx", want: /no variable "\$HOMEx"/ },
    { in: "$HOME-x", want: /must follow the variable "\$HOME"/ },
    { in: "${HOME}x", want: /must follow the variable "\$HOME"/ },
    { in: "/a/$HOME", want: /at the beginning only/ },
    { in: "~other/x", want: /it is relative/ },
    { in: "/a\0b", want: /control character/ },
    { in: "/a\nb", want: /control character/ },
    { in: "/a/[bc]", want: /not supported/ },
    { in: "/a/{b,c}", want: /not supported/ },
    { in: "/a/*", want: /"deny" only/ },
    { in: "/a/?", want: /"deny" only/ },
    { in: "__proto__", want: /it is relative/ },
  ];
  for (const { in: entry, want } of table) {
    assertMatch(problemOfPath(entry, "allow") ?? "accepted", want);
  }
});

Deno.test("problemOfPath() accepts wildcards in the last component of a deny only", () => {
  for (const entry of ["/etc/ssh/ssh_host_*_key", "$HOME/.*_history", "/a/b?", "/a/*/", "/a/*"]) {
    assertEquals(problemOfPath(entry, "deny"), null, entry);
  }
  for (const entry of ["/etc/*/key", "/*/b", "/a/*/..", "/a?/b", "/a/**", "$WORKSPACE/**"]) {
    assertMatch(problemOfPath(entry, "deny") ?? "accepted", /last component only|\*\*/, entry);
  }
});

Deno.test("resolvePath() of every accepted entry is absolute and normalised", () => {
  const unit = fc.constantFrom("/", ".", "..", "a", " ", "$HOME", "${TMP}", "~", "*", "\\");
  fc.assert(fc.property(fc.string({ unit, maxLength: 10 }), (entry) => {
    if (problemOfPath(entry, "deny") !== null) return;
    const path = resolvePath(entry, context);
    assert(path.startsWith("/") && !path.includes("//") && !path.split("/").includes(".."), path);
    assert(path === "/" || !path.endsWith("/"), path);
    assert(!path.includes("$"), path);
  }));
});
