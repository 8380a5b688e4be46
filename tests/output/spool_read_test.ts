import { assert, assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import { linePattern } from "../../src/output/line_pattern.ts";
import { pruneSpool } from "../../src/output/spool_prune.ts";
import { readSpool, type ReadSpoolOptions, spoolLines } from "../../src/output/spool_read.ts";
import { numbered, store, withDirectory } from "./spool_helpers.ts";

Deno.test("readSpool selects lines", () => {
  withDirectory((directory) => {
    const { id } = store(directory, numbered(50), { capBytes: 1 << 20 });
    const read = (
      options: Partial<ReadSpoolOptions>,
    ) => [...readSpool({ directory, id, stream: "stdout", ...options })];
    assertEquals(read({ lines: { from: 3, to: 4 } }), ["line 3", "line 4"]);
    assertEquals(read({ head: 2 }), ["line 1", "line 2"]);
    assertEquals(read({ tail: 2 }), ["line 49", "line 50"]);
    assertEquals(read({ tail: 0 }), []);
    assertEquals(read({ grep: linePattern("line 2$") }), ["2:line 2"]);
    assertEquals(read({ grep: linePattern("line 20"), around: 1 }), [
      "19-line 19",
      "20:line 20",
      "21-line 21",
    ]);
    assertEquals(read({ lines: { from: 10, to: 20 }, grep: linePattern("5") }), ["15:line 15"]);
  });
});

Deno.test("readSpool cuts an endless line and stays bounded", () => {
  withDirectory((directory) => {
    const { id } = store(directory, "x".repeat(1_500_000), { capBytes: 1 << 23 });
    const [line = ""] = readSpool({ directory, id, stream: "stdout" });
    assertEquals(line.slice(-31), "xxx...truncated 451424 bytes...".slice(-31));
  });
});

Deno.test("readSpool gives the last lines also where they are too long to be kept", () => {
  withDirectory((directory) => {
    const lines = Array.from({ length: 14 }, (_, i) => `${i + 1}:${"x".repeat(1_000_000)}`);
    const { id } = store(directory, lines.join("\n") + "\n", { capBytes: 1 << 25 });
    const numbers = (options: Partial<ReadSpoolOptions>) =>
      Array.from(spoolLines({ directory, id, stream: "stdout", ...options }), (line) => {
        assertEquals(line.text.length, 1_000_001 + String(line.number).length);
        return line.number;
      });
    for (const tail of [1, 9, 20]) {
      assertEquals(numbers({ tail }), lines.map((_, i) => i + 1).slice(-tail), `${tail}`);
    }
    assertEquals(numbers({ tail: 10, lines: { from: 2, to: 13 } }), [
      4,
      5,
      6,
      7,
      8,
      9,
      10,
      11,
      12,
      13,
    ]);
    const capped = store(directory, lines.join("\n") + "\n", { capBytes: 1 << 24 });
    const kinds = (tail: number) =>
      Array.from(
        spoolLines({ directory, id: capped.id, stream: "stdout", tail }),
        ({ kind }) => kind,
      );
    const all = kinds(100);
    assertEquals(all.filter((kind) => kind === "gap").length, 1);
    for (const back of [0, 1]) {
      const tail = all.length - all.indexOf("gap") - back;
      assertEquals(kinds(tail), all.slice(-tail));
    }
  });
});

Deno.test("readSpool: no expression takes more than linear time, and the whole line is searched", () => {
  withDirectory((directory) => {
    const text = "a".repeat(200_000) + "!\nx".repeat(1) + "y".repeat(50_000) + "needle\n";
    const { id } = store(directory, text, { capBytes: 1 << 20 });
    const found = (grep: string) =>
      [...readSpool({ directory, id, stream: "stdout", grep: linePattern(grep) })].map((line) =>
        line.slice(0, 3)
      );
    // With an engine that tries one way after the other none of these would ever come to an end.
    assertEquals(found("^(a+)+$"), []);
    assertEquals(found("(a|a)*b"), []);
    assertEquals(found("(.*)*(.*)*(.*)*needle$"), ["2:x"]);
    assertEquals(found("^(\\w+\\s?)*!$"), ["1:a"]);
  });
});

Deno.test("readSpool searches all of a line that is longer than it gives", () => {
  withDirectory((directory) => {
    const at = [10, 1_048_570, 2_500_000, 3_999_990];
    const line = new Uint8Array(4_000_000).fill(0x78);
    for (const place of at) line.set(new TextEncoder().encode("needle"), place);
    line.set(new TextEncoder().encode("other"), 2_000_000);
    const text = `a\n${new TextDecoder().decode(line)}\nb\n`;
    const { id } = store(directory, text, { capBytes: 1 << 24 });
    const found = (
      grep: string,
    ) => [...readSpool({ directory, id, stream: "stdout", grep: linePattern(grep) })];
    for (
      const grep of ["needle", "x{9}needlex{500}", "other", "needlex{4}$", "^x{10}needle", "^x+n"]
    ) {
      const [match = "", ...more] = found(grep);
      assertEquals(more, [], grep);
      assert(match.startsWith("2:") && match.length < 1_100_000, `${grep}: ${match.length}`);
      assert(linePattern(grep).test(match.slice(2)), grep);
    }
    const [other = ""] = found("other");
    const [, before = "", after = ""] =
      /^2:\.{3}truncated (\d+) bytes.*truncated (\d+) bytes/.exec(other) ?? [];
    assertEquals(
      Number(before) + other.replace(/^2:|\.{3}truncated \d+ bytes\.{3}/g, "").length +
        Number(after),
      4_000_000,
    );
    // A part is no line: nothing begins or ends where it does.
    for (const grep of ["^other", "other$", "nothing", "^xx*otherx*$"]) {
      assertEquals(found(grep), [], grep);
    }
  });
});

Deno.test("readSpool says where an expression is not one of RE2", () => {
  withDirectory((directory) => {
    const { id } = store(directory, "x\n", { capBytes: 1000 });
    for (const grep of ["(?=x)", "(x)\\1", "x{2000}", "[", "(?<!x)y"]) {
      assertThrows(
        () => [...readSpool({ directory, id, stream: "stdout", grep: linePattern(grep) })],
        UsageError,
        `Cannot search for "${grep}": `,
      );
    }
  });
});

Deno.test("spoolLines tells lines, matches, their surroundings and gaps apart", () => {
  withDirectory((directory) => {
    const { id, dropped } = store(directory, numbered(1000), { capBytes: 2000, size: 100 });
    const read = (options: Partial<ReadSpoolOptions>) => [
      ...spoolLines({ directory, id, stream: "stdout", ...options }),
    ];
    const gaps = read({}).filter(({ kind }) => kind === "gap");
    assertEquals(gaps.map(({ missing }) => missing), [dropped.stdout]);
    assertEquals(read({ lines: { from: 2, to: 2 } }), [
      { number: 2, text: "line 2", kind: "line", missing: 0 },
    ]);
    assertEquals(
      read({ grep: linePattern("^line 3$"), around: 1 }).map(({ number, kind }) =>
        `${number} ${kind}`
      ),
      ["2 context", "3 match", "4 context"],
    );
  });
});

Deno.test("readSpool refuses unknown ids, paths and invalid expressions", () => {
  withDirectory((directory) => {
    const { id } = store(directory, "x\n", { capBytes: 1000 });
    for (const bad of ["nothing", "../spool", "", "a/b"]) {
      assertThrows(
        () => [...readSpool({ directory, id: bad, stream: "stdout" })],
        UsageError,
        `Cannot read output "${bad}"`,
      );
    }
    assertThrows(
      () => [...readSpool({ directory, id, stream: "stdout", grep: linePattern("(") })],
      UsageError,
      'Cannot search for "("',
    );
  });
});

Deno.test("readSpool reads what a killed process has left, at least up to its last flush", async () => {
  const module = new URL("../../src/output/spool.ts", import.meta.url).href;
  const script = `
    import { Spool } from ${JSON.stringify(module)};
    const spool = new Spool({ directory: Deno.args[0], capBytes: 64_000, id: "one" });
    const encoder = new TextEncoder();
    for (let line = 0; ; line += 7) {
      const text = Array.from({ length: 7 }, (_, i) => "line " + (line + i) + "\\n").join("");
      spool.write("stdout", encoder.encode(text), { newlines: line });
      if (line % 700 !== 0) continue;
      spool.flush();
      console.log(line);
    }`;
  for (const lines of [0, 5_000, 50_000]) {
    const directory = Deno.makeTempDirSync({ prefix: "debrief-test-" });
    try {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-config", script, "--", directory],
        stdin: "null",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      let said = "";
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        said += text;
        if (Number(said.trimEnd().split("\n").at(-1)) >= lines) child.kill("SIGKILL");
      }
      assertEquals((await child.status).signal, "SIGKILL");
      const kept = [...spoolLines({ directory, id: "one", stream: "stdout" })];
      // Each line stands under its own number, whole but beside what is missing.
      for (const [index, { kind, number, text }] of kept.entries()) {
        if (kind === "gap") continue;
        const want = `line ${number - 1}`;
        const isCut = kept[index - 1]?.kind === "gap" || kept[index + 1]?.kind !== "line";
        if (isCut) assert(want.includes(text), `${text} for ${want}`);
        else assertEquals(text, want);
      }
      assert(kept.length >= 7 && Number(kept.at(-1)?.number) >= lines - 700, String(kept.length));
      assertEquals(pruneSpool({ directory, maxBytes: 0 }), ["one"]);
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  }
});
