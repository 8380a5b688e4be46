import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { UsageError } from "../../src/errors.ts";
import { Spool } from "../../src/output/spool.ts";
import { pruneSpool } from "../../src/output/spool_prune.ts";
import { linePattern } from "../../src/output/line_pattern.ts";
import { readSpool, type ReadSpoolOptions, spoolLines } from "../../src/output/spool_read.ts";
import { bytesOf } from "./redact_helpers.ts";

function withDirectory(run: (directory: string) => void): void {
  const directory = Deno.makeTempDirSync();
  try {
    run(`${directory}/spool`);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

/** Spools a text in chunks of a size; returns the id and the result. */
function store(
  directory: string,
  text: string,
  options: { capBytes: number; size?: number; id?: string },
) {
  const spool = new Spool({ directory, ...options });
  const bytes = bytesOf(text);
  const size = options.size ?? (bytes.length || 1);
  let newlines = 0;
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    spool.write("stdout", chunk, { newlines });
    newlines += chunk.filter((byte) => byte === 10).length;
    chunk.fill(0);
  }
  return { id: spool.id, ...spool.finish() };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

Deno.test("Spool keeps everything below its cap, and readSpool returns it", () => {
  withDirectory((directory) => {
    const { id, dropped, error } = store(directory, "a\nb\x1b[0m\n\nend", { capBytes: 1 << 20 });
    assertEquals({ dropped, error }, { dropped: { stdout: 0, stderr: 0 }, error: null });
    assertEquals([...readSpool({ directory, id, stream: "stdout" })], ["a", "b", "", "end"]);
    assertEquals([...readSpool({ directory, id, stream: "stderr" })], []);
  });
});

Deno.test("Spool: files are private and nothing exists before the first byte", () => {
  withDirectory((directory) => {
    const spool = new Spool({ directory, capBytes: 1000 });
    assertEquals(spool.isEmpty, true);
    assertThrows(() => Deno.statSync(directory), Deno.errors.NotFound);
    spool.write("stderr", bytesOf("x"), { newlines: 0 });
    spool.finish();
    const mode = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
    assertEquals([
      mode(directory),
      mode(`${directory}/${spool.id}`),
      mode(`${directory}/${spool.id}/stderr`),
    ], [0o700, 0o700, 0o600]);
  });
});

Deno.test("Spool over its cap keeps the beginning and the end, with exact counts and line numbers", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 640, max: 12_000 }),
      fc.integer({ min: 50, max: 5000 }),
      (lines, capBytes, size) => {
        withDirectory((directory) => {
          const text = numbered(lines);
          const { id, dropped } = store(directory, text, { capBytes, size });
          const files = [...Deno.readDirSync(`${directory}/${id}`)];
          const kept = files.reduce(
            (sum, { name }) => sum + Deno.statSync(`${directory}/${id}/${name}`).size,
            0,
          );
          assert(kept <= capBytes);
          assertEquals(kept + dropped.stdout, text.length);
          const read = [...readSpool({ directory, id, stream: "stdout" })];
          const gaps = read.filter((line) => line.startsWith("...truncated "));
          assertEquals(
            gaps,
            dropped.stdout === 0 ? [] : [`...truncated ${dropped.stdout} bytes...`],
          );
          if (dropped.stdout === 0) assertEquals(read.join("\n") + "\n", text);
          const found = [
            ...readSpool({ directory, id, stream: "stdout", grep: linePattern("^line \\d+$") }),
          ];
          for (const line of found.slice(-3)) {
            const [number = "", content = ""] = line.split(":");
            if (dropped.stdout === 0 || line === found.at(-1)) {
              assertEquals(content, `line ${number}`);
            }
          }
        });
      },
    ),
    { numRuns: 30 },
  );
});

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

Deno.test("Spool reports what it cannot write, and never throws", () => {
  withDirectory((directory) => {
    Deno.mkdirSync(`${directory}/taken`, { recursive: true });
    const { dropped, error } = store(directory, "hello\nworld\n", {
      capBytes: 1000,
      id: "taken",
      size: 6,
    });
    assertEquals(dropped.stdout, 12);
    assert(error !== null && error.includes("EEXIST"), String(error));
  });
});

Deno.test("Spool opens nothing that was put in its place", () => {
  withDirectory((directory) => {
    Deno.mkdirSync(directory, { recursive: true });
    Deno.writeTextFileSync(`${directory}/victim`, "untouched");
    const spool = new Spool({ directory, capBytes: 1000, id: "one" });
    spool.write("stderr", bytesOf("x"), { newlines: 0 });
    Deno.symlinkSync(`${directory}/victim`, `${directory}/one/stdout`);
    spool.write("stdout", bytesOf("y"), { newlines: 0 });
    assert(spool.finish().error !== null);
    assertEquals(Deno.readTextFileSync(`${directory}/victim`), "untouched");
  });
});

Deno.test("pruneSpool removes the oldest outputs, but none that is to be kept and nothing else", () => {
  withDirectory((directory) => {
    for (const [i, id] of ["a1", "b2", "c3", "d4"].entries()) {
      store(directory, "x".repeat(100), { capBytes: 1 << 20, id });
      Deno.utimeSync(`${directory}/${id}/stdout`, i + 1, i + 1);
    }
    Deno.mkdirSync(`${directory}/not an id`);
    Deno.writeTextFileSync(`${directory}/not an id/file`, "y".repeat(1000));
    assertEquals(pruneSpool({ directory, maxBytes: 250, keep: ["a1"] }), ["b2", "c3"]);
    assertEquals(pruneSpool({ directory, maxBytes: 250 }), []);
    assertEquals([...Deno.readDirSync(directory)].map(({ name }) => name).sort(), [
      "a1",
      "d4",
      "not an id",
    ]);
    assertEquals(pruneSpool({ directory: `${directory}/missing`, maxBytes: 0 }), []);
  });
});

Deno.test("readSpool reads what a killed process has left, up to the byte at which it was killed", async () => {
  const module = new URL("../../src/output/spool.ts", import.meta.url).href;
  const script = `
    import { Spool } from ${JSON.stringify(module)};
    const spool = new Spool({ directory: Deno.args[0], capBytes: 64_000, id: "one" });
    const encoder = new TextEncoder();
    for (let line = 0; ; line += 7) {
      const text = Array.from({ length: 7 }, (_, i) => "line " + (line + i) + "\\n").join("");
      spool.write("stdout", encoder.encode(text), { newlines: line });
      if (line % 700 === 0) console.log(line);
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
