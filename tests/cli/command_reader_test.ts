import { assertEquals } from "@std/assert";
import { CommandReader } from "../../src/cli/command_reader.ts";
import { MAX_SCRIPT_LENGTH } from "../../src/command/parse.ts";

/** The commands that a text comes to, with what is left at its end. */
function commandsOf(
  text: string,
): { readonly commands: readonly string[]; readonly rest: string | null } {
  const reader = new CommandReader();
  const commands: string[] = [];
  for (const line of text.split("\n")) {
    const reading = reader.push(line);
    if (reading.kind === "command") commands.push(reading.source);
  }
  return { commands, rest: reader.finish() };
}

Deno.test("CommandReader ends a command where bash would start to execute it", async (t) => {
  const cases = [
    { in: "", want: [] },
    { in: "\n\n  \n# only a comment\n\t# another", want: [] },
    { in: "ls\npwd", want: ["ls", "pwd"] },
    { in: "ls; pwd", want: ["ls; pwd"] },
    { in: "ls # why", want: ["ls # why"] },
    { in: "echo 'a\nb'", want: ["echo 'a\nb'"] },
    { in: 'echo "a\n\nb"', want: ['echo "a\n\nb"'] },
    { in: "echo $'a\\'\nb'", want: ["echo $'a\\'\nb'"] },
    { in: "echo a \\\n  b", want: ["echo a \\\n  b"] },
    { in: "a |\nb\nc", want: ["a |\nb", "c"] },
    { in: "a &&\n# between\nb", want: ["a &&\n# between\nb"] },
    { in: "if a\nthen b\nfi\nc", want: ["if a\nthen b\nfi", "c"] },
    { in: "for i in 1 2\ndo\n  echo $i\ndone", want: ["for i in 1 2\ndo\n  echo $i\ndone"] },
    { in: "f() {\n  :\n}\nf", want: ["f() {\n  :\n}", "f"] },
    { in: "case a in\na) b ;;\nesac", want: ["case a in\na) b ;;\nesac"] },
    { in: "cat <<E\nit's $(open\nE\nls", want: ["cat <<E\nit's $(open\nE", "ls"] },
    { in: "cat <<-'E'\n\t E\n\tE\nls", want: ["cat <<-'E'\n\t E\n\tE", "ls"] },
    { in: "cat <<A <<B\n1\nA\n2\nB", want: ["cat <<A <<B\n1\nA\n2\nB"] },
    { in: "x=$(\nls\n)", want: ["x=$(\nls\n)"] },
    { in: "(( 1 +\n 2 ))", want: ["(( 1 +\n 2 ))"] },
    { in: "a=(1\n2)", want: ["a=(1\n2)"] },
    { in: "echo a\r\necho b", want: ["echo a\r", "echo b"] },
  ];
  for (const { in: text, want } of cases) {
    await t.step(
      JSON.stringify(text),
      () => assertEquals(commandsOf(text), { commands: want, rest: null }),
    );
  }
});

Deno.test("CommandReader hands on at once what can never become a command", async (t) => {
  const cases = [
    { in: "ls )\npwd", want: ["ls )", "pwd"] },
    { in: "fi\nls", want: ["fi", "ls"] },
    { in: "a\0b\nls", want: ["a\0b", "ls"] },
    { in: "if a; fi\nls", want: ["if a; fi", "ls"] },
  ];
  for (const { in: text, want } of cases) {
    await t.step(JSON.stringify(text), () => assertEquals(commandsOf(text).commands, want));
  }
});

Deno.test("CommandReader keeps what the end of the input cuts off", async (t) => {
  for (const text of ["echo 'a\nb", "if a\nthen b", "cat <<E\nb", "a |", "a \\"]) {
    await t.step(
      JSON.stringify(text),
      () => assertEquals(commandsOf(text), { commands: [], rest: text }),
    );
  }
});

Deno.test("CommandReader tells whether a command has begun, and forgets it", () => {
  const reader = new CommandReader();
  assertEquals(reader.pending, false);
  reader.push("echo 'a");
  assertEquals(reader.pending, true);
  reader.clear();
  assertEquals([reader.pending, reader.finish()], [false, null]);
  assertEquals(reader.push("ls"), { kind: "command", source: "ls" });
});

Deno.test("CommandReader takes a here-document of a megabyte whole", () => {
  const body = "it's $(a) line\n".repeat(65_000);
  const text = `cat <<'E'\n${body}E`;
  assertEquals(commandsOf(text), { commands: [text], rest: null });
});

Deno.test("CommandReader hands on what is too long, so that it is refused, and not the lines of it as commands", () => {
  const reader = new CommandReader();
  let reading = reader.push("cat <<'E'");
  let lines = 1;
  for (; reading.kind === "more"; lines++) reading = reader.push("rm -rf important");
  assertEquals(reading.kind === "command" && reading.source.length > MAX_SCRIPT_LENGTH, true);
  assertEquals(reader.pending, false);
});

Deno.test("CommandReader.pushAll() takes lines as one command, and asks for what they still need", () => {
  const reader = new CommandReader();
  assertEquals(reader.pushAll(["echo a", "echo b"]), { kind: "command", source: "echo a\necho b" });
  assertEquals(reader.pushAll(["", "# only", ""]), { kind: "command", source: "\n# only\n" });
  assertEquals(reader.pushAll(["echo a", "if true; then"]), { kind: "more" });
  assertEquals(reader.push("fi"), { kind: "command", source: "echo a\nif true; then\nfi" });
  assertEquals(reader.pending, false);
});
