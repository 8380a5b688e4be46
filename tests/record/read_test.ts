import { assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path";
import fc from "fast-check";
import { UsageError } from "../../src/errors.ts";
import { backwardLines, forwardLines } from "../../src/record/file_bytes.ts";
import { Journal } from "../../src/record/journal.ts";
import { findRecord, readNewest } from "../../src/record/read.ts";
import { inTemporary, sample } from "./sample.ts";

function append(directory: string, records: Parameters<typeof sample>[0][]): void {
  const journal = Journal.open({ directory });
  for (const fields of records) journal.append(sample(fields));
  journal.close();
}

const ids = (page: { records: readonly { command_id: string }[] }) =>
  page.records.map((r) => r.command_id);

Deno.test(
  "readNewest gives the newest matching records first, bounded",
  inTemporary((directory) => {
    append(directory, [
      { command_id: "ca", session_id: "s1", task_id: "t1" },
      { command_id: "cb", session_id: "s2", task_id: "t1" },
      { command_id: "cc", session_id: "s1", task_id: "t2" },
      { command_id: "cd", session_id: "s1", task_id: "t1" },
    ]);
    const cases = [
      { in: { limit: 10 }, want: ["cd", "cc", "cb", "ca"] },
      { in: { limit: 2 }, want: ["cd", "cc"] },
      { in: { limit: 0 }, want: [] },
      { in: { limit: 10, session: "s1" }, want: ["cd", "cc", "ca"] },
      { in: { limit: 10, task: "t1" }, want: ["cd", "cb", "ca"] },
      { in: { limit: 1, session: "s1", task: "t1" }, want: ["cd"] },
      { in: { limit: 10, session: "s9" }, want: [] },
    ];
    for (const { in: options, want } of cases) {
      assertEquals(ids(readNewest({ directory, ...options })), want);
    }
  }),
);

Deno.test("readNewest takes an absent journal for an empty one", () => {
  assertEquals(readNewest({ directory: "/no/such/place", limit: 5 }), {
    records: [],
    skipped: { corrupt: 0, newer: 0, tooLong: 0 },
  });
});

Deno.test(
  "readNewest skips and counts what is no record",
  inTemporary((directory) => {
    append(directory, [{ command_id: "ca" }, { command_id: "cb" }]);
    const path = join(directory, "journal.jsonl");
    const lines = Deno.readTextFileSync(path).split("\n");
    const record = JSON.parse(lines[0] ?? "");
    const bad = [
      "",
      "{",
      "null",
      "[]",
      '"text"',
      "{}",
      "\u0000\u0000",
      JSON.stringify({ ...record, version: 2 }),
      JSON.stringify({ ...record, command: "ls" }),
      JSON.stringify({ ...record, denials: [null] }),
      JSON.stringify({ ...record, sandbox: { ...record.sandbox, proof: 1 } }),
      "[".repeat(200_000),
      "x".repeat(1_048_577),
    ];
    const extra = JSON.stringify({ ...record, command_id: "cx", version: 1.5, added_later: true });
    Deno.writeTextFileSync(path, [lines[0], ...bad, extra, lines[1], '{"torn'].join("\n"));
    const page = readNewest({ directory, limit: 100 });
    assertEquals(ids(page), ["cb", "cx", "ca"]);
    assertEquals(page.skipped, { corrupt: 11, newer: 1, tooLong: 1 });
  }),
);

Deno.test(
  "readNewest survives bytes that are not UTF-8",
  inTemporary((directory) => {
    append(directory, [{ command_id: "ca" }]);
    const path = join(directory, "journal.jsonl");
    const good = Deno.readFileSync(path);
    Deno.writeFileSync(path, new Uint8Array([...good, 0xff, 0xfe, 0x0a, ...good]));
    assertEquals(readNewest({ directory, limit: 9 }).skipped.corrupt, 1);
    assertEquals(readNewest({ directory, limit: 9 }).records.length, 2);
  }),
);

Deno.test(
  "readNewest refuses a linked journal",
  inTemporary((root) => {
    const directory = join(root, "journal");
    append(directory, [{ command_id: "ca" }]);
    const target = join(root, "target");
    Deno.renameSync(join(directory, "journal.jsonl"), target);
    Deno.symlinkSync(target, join(directory, "journal.jsonl"));
    assertThrows(() => readNewest({ directory, limit: 1 }), UsageError, "symbolic link");
  }),
);

Deno.test(
  "findRecord finds by id and by unique prefix",
  inTemporary((directory) => {
    append(directory, [
      { command_id: "c1f7abcd" },
      { command_id: "c1f7xyzw" },
      { command_id: "c1f7" },
      { command_id: "c2000000" },
    ]);
    const cases = [
      { in: "c1f7abcd", want: "c1f7abcd" },
      { in: "c1f7", want: "c1f7" },
      { in: "c1f7x", want: "c1f7xyzw" },
      { in: "c2", want: "c2000000" },
      { in: "c3", want: undefined },
    ];
    for (const { in: id, want } of cases) {
      assertEquals(findRecord({ directory, id })?.command_id, want, id);
    }
    assertThrows(
      () => findRecord({ directory, id: "c1" }),
      UsageError,
      "ambiguous: c1f7, c1f7xyzw, c1f7abcd",
    );
    assertThrows(() => findRecord({ directory, id: "c" }), UsageError, "at least 2");
  }),
);

Deno.test("forwardLines and backwardLines agree on any file", () => {
  const path = Deno.makeTempFileSync();
  const file = Deno.openSync(path, { read: true, write: true });
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  try {
    const piece = fc.oneof(
      fc.constantFrom("\n", "\n\n", "a", ""),
      fc.integer({ min: 65_530, max: 65_545 }).map((length) => "b".repeat(length)),
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      Deno.writeTextFileSync(path, text);
      const source = { file, size: text.length, maxLine: 100_000 };
      const show = (line: { bytes: Uint8Array; tooLong: boolean }) =>
        line.tooLong ? "too long" : decode(line.bytes);
      const forward = [...forwardLines(source)].map(show);
      const want = text.split("\n").map((line) => line.length > 100_000 ? "too long" : line);
      if (want.at(-1) === "") want.pop();
      assertEquals(forward, want);
      assertEquals(
        [...backwardLines(source)].map(show),
        want.filter((line) => line !== "").reverse(),
      );
    }));
  } finally {
    file.close();
    Deno.removeSync(path);
  }
});
