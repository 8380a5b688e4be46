import { assertEquals, assertThrows } from "@std/assert";
import { parseCommandLine } from "../../src/cli/command_line.ts";
import { dropIn } from "../../src/cli/drop_in.ts";
import { UsageError } from "../../src/errors.ts";
import { claudePrefixText, claudeText } from "../command/harness_texts.ts";

Deno.test("dropIn() takes a command out of its wrapper, also where a prefix puts it in a file's place", () => {
  const trailer = { path: "/tmp/claude-70cc-cwd", holds: "directory" } as const;
  const want = {
    text: { kind: "script", source: "ls" },
    stdin: null,
    trailer,
    isProbe: false,
  } as const;
  assertEquals(dropIn(parseCommandLine(["-c", claudeText("ls")])), want);
  assertEquals(dropIn(parseCommandLine([claudePrefixText("ls")])), want);
  assertEquals(dropIn(parseCommandLine(["-c", claudeText("ls", { input: "" })])), {
    ...want,
    stdin: 0,
  });
});

Deno.test("dropIn() looks for wrappers and probes only where agents put them", async (t) => {
  const text = claudeText("ls");
  const cases = [
    { in: ["-c", "env"], want: { source: "env", isProbe: true } },
    { in: ["-c", "env", "name"], want: { source: "env", isProbe: false } },
    { in: ["-x", "-c", "env"], want: { source: "env", isProbe: false } },
    { in: ["-c", text, "name"], want: { source: text, isProbe: false } },
    { in: ["-x", "-c", text], want: { source: text, isProbe: false } },
    { in: ["-c", `${text}; ls`], want: { source: `${text}; ls`, isProbe: false } },
  ];
  for (const { in: args, want } of cases) {
    await t.step(JSON.stringify(args).slice(0, 60), () => {
      const { text, trailer, stdin, isProbe } = dropIn(parseCommandLine(args));
      const source = text.kind === "script" ? text.source : null;
      assertEquals({ source, isProbe, trailer, stdin }, { ...want, trailer: null, stdin: 0 });
    });
  }
});

Deno.test("dropIn() hands exact words and files over as they are", () => {
  assertEquals(dropIn(parseCommandLine(["--", "env"])).text, { kind: "argv", argv: ["env"] });
  assertEquals(dropIn(parseCommandLine(["-u", "./a.sh", "x"])).text, {
    kind: "file",
    path: "./a.sh",
    parameters: ["x"],
    options: ["-u"],
  });
  assertThrows(() => dropIn(parseCommandLine(["--"])), UsageError, "Cannot run nothing");
});
