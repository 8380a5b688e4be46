import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "node:path";
import { UsageError } from "../../src/errors.ts";
import { Journal } from "../../src/record/journal.ts";
import { verifyJournal } from "../../src/record/verify.ts";
import { inTemporary, sample } from "./sample.ts";

function append(directory: string, count: number, size = 10): void {
  const journal = Journal.open({ directory });
  for (let index = 0; index < count; index++) {
    journal.append(sample({ command_id: `c000000${index}`, stdout_tail: "x".repeat(size) }));
  }
  journal.close();
}

function editLines(directory: string, edit: (lines: string[]) => string[]): void {
  const path = join(directory, "journal.jsonl");
  const lines = Deno.readTextFileSync(path).split("\n").slice(0, -1);
  Deno.writeTextFileSync(path, edit(lines).map((line) => `${line}\n`).join(""));
}

const TAMPERINGS: readonly { name: string; edit: (lines: string[]) => string[]; line: number }[] = [
  { name: "an edit", edit: (l) => l.with(1, (l[1] ?? "").replace("hello", "hallo")), line: 3 },
  {
    name: "an edit of the last record",
    edit: (l) => l.with(4, (l[4] ?? "").replace("hello", "hallo")),
    line: 0,
  },
  { name: "a deletion", edit: (l) => l.toSpliced(2, 1), line: 3 },
  { name: "a deletion of the first record", edit: (l) => l.slice(1), line: 1 },
  { name: "a deletion of the last record", edit: (l) => l.slice(0, -1), line: 0 },
  { name: "a deletion of everything", edit: () => [], line: 0 },
  { name: "a swap", edit: (l) => l.with(1, l[2] ?? "").with(2, l[1] ?? ""), line: 2 },
  { name: "a repeated record", edit: (l) => l.toSpliced(2, 0, l[1] ?? ""), line: 3 },
  { name: "a record made unreadable", edit: (l) => l.with(2, "{"), line: 4 },
  { name: "a changed blank", edit: (l) => l.with(1, (l[1] ?? "").replace(":", ": ")), line: 3 },
];

for (const { name, edit, line } of TAMPERINGS) {
  Deno.test(
    `verifyJournal finds ${name}, also after later appends`,
    inTemporary((directory) => {
      append(directory, 5);
      assertEquals(verifyJournal(directory).gaps, []);
      editLines(directory, edit);
      const { gaps } = verifyJournal(directory);
      assertEquals(gaps[0]?.line, line, JSON.stringify(gaps));
      append(directory, 2);
      assert(verifyJournal(directory).gaps.length > 0);
    }),
  );
}

Deno.test(
  "verifyJournal finds rotated files that were removed or exchanged",
  inTemporary((root) => {
    const rotated = (name: string) => join(directory, name);
    let directory = "";
    const cases: { name: string; change: () => void }[] = [
      { name: "oldest", change: () => Deno.removeSync(rotated("journal.jsonl.3")) },
      { name: "middle", change: () => Deno.removeSync(rotated("journal.jsonl.2")) },
      { name: "newest", change: () => Deno.removeSync(rotated("journal.jsonl")) },
      {
        name: "exchanged",
        change: () => {
          Deno.renameSync(rotated("journal.jsonl.1"), rotated("x"));
          Deno.renameSync(rotated("journal.jsonl.2"), rotated("journal.jsonl.1"));
          Deno.renameSync(rotated("x"), rotated("journal.jsonl.2"));
        },
      },
    ];
    for (const { name, change } of cases) {
      directory = join(root, name);
      append(directory, 7, 400_000);
      assertEquals(verifyJournal(directory).gaps, [], name);
      change();
      assert(verifyJournal(directory).gaps.length > 0, name);
    }
  }),
);

Deno.test(
  "verifyJournal finds the oldest file removed after others were dropped by rotation",
  inTemporary((directory) => {
    append(directory, 9, 900_000);
    assertEquals(verifyJournal(directory), { records: 6, torn: 0, dropped: true, gaps: [] });
    Deno.removeSync(join(directory, "journal.jsonl.5"));
    assertMatch(
      verifyJournal(directory).gaps[0]?.reason ?? "",
      /records before this one were removed/,
    );
  }),
);

Deno.test(
  "verifyJournal says what is lost when head or key is gone or replaced",
  inTemporary((root) => {
    const cases = [
      { name: "journal.head", want: /head is missing or damaged/ },
      { name: "key", want: /key is missing/ },
    ];
    for (const { name, want } of cases) {
      const directory = join(root, name);
      append(directory, 3);
      Deno.removeSync(join(directory, name));
      assertMatch(verifyJournal(directory).gaps.at(-1)?.reason ?? "", want);
      append(directory, 1);
      const { gaps } = verifyJournal(directory);
      assert(
        gaps.some(({ reason }) => reason.startsWith("the chain starts anew")),
        JSON.stringify(gaps),
      );
    }
  }),
);

Deno.test(
  "verifyJournal accepts an absent journal in an existing directory and refuses an absent directory",
  inTemporary((directory) => {
    assertEquals(verifyJournal(directory), { records: 0, torn: 0, dropped: false, gaps: [] });
    assertThrows(() => verifyJournal(join(directory, "none")), UsageError, "no such directory");
  }),
);

Deno.test(
  "verifyJournal reports lines beyond the bound without reading them whole",
  inTemporary((directory) => {
    append(directory, 2);
    editLines(directory, (lines) => lines.toSpliced(1, 0, "x".repeat(3_000_000)));
    const { gaps, records } = verifyJournal(directory);
    assertEquals(gaps.map(({ line, reason }) => ({ line, reason })), [{
      line: 2,
      reason: "longer than 1 MiB",
    }]);
    assertEquals(records, 2);
  }),
);
