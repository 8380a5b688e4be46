import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { readGateJournal } from "../../src/record/gate_journal.ts";
import { Journal } from "../../src/record/journal.ts";
import { inTemporary, sample } from "./sample.ts";

function append(directory: string, count: number, size = 10): void {
  using journal = Journal.open({ directory });
  for (let index = 0; index < count; index++) {
    journal.append(sample({ command_id: `c${index}`, stdout_tail: "x".repeat(size) }));
  }
}

function edit(directory: string, change: (text: string) => string): void {
  const path = join(directory, "journal.jsonl");
  Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
}

const STATES: readonly {
  readonly name: string;
  readonly make: (directory: string) => void;
  /** Level and part of the message. */
  readonly want: readonly (readonly ["error" | "warning", string])[];
}[] = [
  { name: "sound", make: (directory) => append(directory, 3), want: [] },
  {
    name: "absent",
    make: (directory) => Deno.removeSync(directory),
    want: [["error", "no such directory"]],
  },
  {
    name: "edited",
    make: (directory) => {
      append(directory, 3);
      edit(directory, (text) => text.replace('"exit_code":0', '"exit_code":1'));
    },
    want: [["error", "the journal is broken at"]],
  },
  {
    name: "without its key",
    make: (directory) => {
      append(directory, 3);
      Deno.removeSync(join(directory, "key"));
    },
    want: [["error", "nothing can be verified"]],
  },
  {
    name: "open to others",
    make: (directory) => {
      append(directory, 3);
      Deno.chmodSync(join(directory, "journal.jsonl"), 0o644);
    },
    want: [["error", "open to others"]],
  },
  {
    name: "with a record that is none, under a valid chain",
    make: (directory) => {
      append(directory, 1);
      using journal = Journal.open({ directory });
      journal.append({ ...sample(), command: "text" as never });
    },
    want: [["error", "records that cannot be read: 1"]],
  },
  {
    name: "of a newer version",
    make: (directory) => {
      using journal = Journal.open({ directory });
      journal.append({ ...sample(), version: 2 });
    },
    want: [["error", "of a newer version of Debrief: 1"]],
  },
  {
    name: "with a torn line",
    make: (directory) => {
      append(directory, 2);
      edit(directory, (text) => `${text}{"torn`);
    },
    want: [["warning", "lines that a crash tore: 1"]],
  },
  {
    name: "of which older records were dropped",
    make: (directory) => append(directory, 9, 900_000),
    want: [["warning", "dropped by rotation"]],
  },
];

for (const { name, make, want } of STATES) {
  Deno.test(`readGateJournal() says what is wrong with a journal ${name}`, () => {
    const base = Deno.makeTempDirSync({ prefix: "debrief-test-" });
    const directory = join(base, "state");
    Deno.mkdirSync(directory, { mode: 0o700 });
    try {
      make(directory);
      const { findings } = readGateJournal(directory, {});
      assertEquals(
        findings.map(({ name, level }) => [name, level]),
        want.map(([level]) => [
          "feedback.missing",
          level,
        ]),
      );
      want.forEach(([, part], index) => assertStringIncludes(findings[index]!.message, part));
    } finally {
      Deno.removeSync(base, { recursive: true });
    }
  });
}

Deno.test(
  "readGateJournal() gives the records in question, oldest first",
  inTemporary((directory) => {
    append(directory, 3);
    using journal = Journal.open({ directory });
    for (const command_id of ["ct", "cu"]) journal.append(sample({ command_id, task_id: "t" }));
    const ids = (query: Parameters<typeof readGateJournal>[1]) =>
      readGateJournal(directory, query).records.map(({ command_id }) => command_id);
    assertEquals(ids({}), ["c0", "c1", "c2", "ct", "cu"]);
    assertEquals(ids({ task: "t" }), ["ct", "cu"]);
  }),
);
