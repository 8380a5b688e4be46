import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { linePattern } from "../../src/output/line_pattern.ts";
import { Spool } from "../../src/output/spool.ts";
import { spoolParts } from "../../src/output/spool_files.ts";
import { pruneSpool } from "../../src/output/spool_prune.ts";
import { readSpool } from "../../src/output/spool_read.ts";
import { bytesOf } from "./redact_helpers.ts";
import { numbered, store, withDirectory } from "./spool_helpers.ts";

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

Deno.test("Spool writes the end of an output that pauses, and drops most of one that does not unwritten", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-test-" });
  const { now } = performance;
  // Only the timer writes, however slow this machine is.
  performance.now = () => 0;
  try {
    const spool = new Spool({ directory, capBytes: 1600, id: "one" });
    const parts = () =>
      spoolParts(directory, "one", "stdout").map(({ offset, size }) => [offset, size]);
    const write = (count: number) => {
      for (let i = 0; i < count; i++) {
        spool.write("stdout", bytesOf("123456789\n"), { newlines: i });
      }
    };
    write(1000);
    assertEquals(parts(), [[0, 800]]);
    while (parts().length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(parts(), [[0, 800], [9800, 100], [9900, 100]]);
    // What was written stays until something else is there in its place.
    write(500);
    assertEquals(parts(), [[0, 800], [9800, 100], [9900, 100]]);
    spool.flush();
    assertEquals(parts(), [[0, 800], [14_800, 100], [14_900, 100]]);
    assertEquals(spool.storedBytes, 1000);
    assertEquals(spool.finish(), { dropped: { stdout: 14_000, stderr: 0 }, error: null });
  } finally {
    performance.now = now;
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("Spool keeps the end that was written where the disk takes no more", () => {
  withDirectory((directory) => {
    const spool = new Spool({ directory, capBytes: 1600, id: "one" });
    const write = (count: number) => {
      for (let i = 0; i < count; i++) {
        spool.write("stdout", bytesOf("123456789\n"), { newlines: i });
      }
    };
    write(1000);
    spool.flush();
    const open = Deno.openSync;
    Deno.openSync = () => {
      throw Object.assign(new Error("Quota exceeded (os error 122)"), { code: "EDQUOT" });
    };
    try {
      write(500);
      spool.flush();
    } finally {
      Deno.openSync = open;
    }
    write(5);
    const { dropped, error } = spool.finish();
    assertEquals(error, "quota exceeded (EDQUOT)");
    const kept = spoolParts(directory, "one", "stdout").reduce((sum, { size }) => sum + size, 0);
    assertEquals(kept + dropped.stdout, 15_050);
    assert(kept > 0 && kept === spool.storedBytes, String(kept));
  });
});
