import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "node:path";
import { UsageError } from "../../src/errors.ts";
import { Journal } from "../../src/record/journal.ts";
import { readNewest } from "../../src/record/read.ts";
import { verifyJournal } from "../../src/record/verify.ts";
import { inTemporary, sample } from "./sample.ts";

function append(directory: string, ...ids: string[]): void {
  const journal = Journal.open({ directory });
  for (const id of ids) journal.append(sample({ command_id: id }));
  journal.close();
}

function idsOf(directory: string): string[] {
  return readNewest({ directory, limit: 1e6 }).records.map((record) => record.command_id).reverse();
}

Deno.test(
  "Journal.open creates a directory with mode 700 and files with mode 600",
  inTemporary((root) => {
    const directory = join(root, "a", "b");
    append(directory, "c0000001");
    assertEquals((Deno.statSync(directory).mode ?? 0) & 0o777, 0o700);
    const files = [...Deno.readDirSync(directory)].map(({ name }) => name).sort();
    assertEquals(files, ["journal.head", "journal.jsonl", "journal.lock", "key"]);
    for (const name of files) {
      assertEquals((Deno.statSync(join(directory, name)).mode ?? 0) & 0o777, 0o600, name);
    }
  }),
);

Deno.test("Journal.open says where nothing can be created, and how to choose another place", () => {
  // Ours, but nobody can create a file there, root included.
  const error = assertThrows(() => Journal.open({ directory: "/proc/self/task" }), UsageError);
  assertMatch(
    error.message,
    /^Cannot create "\/proc\/self\/task\/journal\.lock": .*--journal DIR$/,
  );
});

Deno.test(
  "Journal.append chains records and keeps them over reopening",
  inTemporary((directory) => {
    append(directory, "c0000001", "c0000002");
    append(directory, "c0000003");
    const { records } = readNewest({ directory, limit: 10 });
    assertEquals(records.map((record) => record.command_id), ["c0000003", "c0000002", "c0000001"]);
    assertEquals(records.map((record) => record.prev === null), [false, false, true]);
    assertEquals(verifyJournal(directory), { records: 3, torn: 0, dropped: false, gaps: [] });
  }),
);

Deno.test(
  "Journal.append returns the record as it stands in the file",
  inTemporary((directory) => {
    const journal = Journal.open({ directory });
    const first = journal.append(sample());
    const second = journal.append(sample({ command: ["printf", "\u0000\u2028\n"] }));
    journal.close();
    const lines = Deno.readTextFileSync(join(directory, "journal.jsonl")).split("\n");
    assertEquals(lines, [JSON.stringify(first), JSON.stringify(second), ""]);
    assertMatch(second.prev ?? "", /^[0-9a-f]{64}$/);
  }),
);

Deno.test(
  "Journal.append rotates at 1 MB, keeps five files and drops older ones without a gap",
  inTemporary((directory) => {
    const journal = Journal.open({ directory });
    const tail = "y".repeat(100_000);
    for (let index = 0; index < 75; index++) {
      journal.append(sample({ command_id: `c${index}`, stdout_tail: tail }));
    }
    journal.close();
    const names = [...Deno.readDirSync(directory)].map(({ name }) => name).filter((name) =>
      name.includes("jsonl")
    );
    assertEquals(names.sort(), [
      "journal.jsonl",
      ...[1, 2, 3, 4, 5].map((n) => `journal.jsonl.${n}`),
    ]);
    for (const name of names) assert(Deno.statSync(join(directory, name)).size <= 1_000_000, name);
    const ids = idsOf(directory);
    assertEquals(
      ids,
      Array.from({ length: ids.length }, (_, index) => `c${75 - ids.length + index}`),
    );
    assert(ids.length < 75 && ids.length >= 45, String(ids.length));
    assertEquals(verifyJournal(directory), {
      records: ids.length,
      torn: 0,
      dropped: true,
      gaps: [],
    });
  }),
);

Deno.test(
  "Journal.append follows a rotation by another session",
  inTemporary((directory) => {
    const one = Journal.open({ directory });
    const two = Journal.open({ directory });
    const tail = "z".repeat(400_000);
    for (let index = 0; index < 4; index++) {
      one.append(sample({ command_id: `ca${index}`, stdout_tail: tail }));
      two.append(sample({ command_id: `cb${index}`, stdout_tail: tail }));
    }
    one.close();
    two.close();
    assertEquals(idsOf(directory), ["ca0", "cb0", "ca1", "cb1", "ca2", "cb2", "ca3", "cb3"]);
    assertEquals(verifyJournal(directory), { records: 8, torn: 0, dropped: false, gaps: [] });
  }),
);

Deno.test(
  "Journal.append refuses a record that readers would not accept",
  inTemporary((directory) => {
    const journal = Journal.open({ directory });
    assertThrows(
      () => journal.append(sample({ stdout_tail: "x".repeat(1_100_000) })),
      RangeError,
      "1048576",
    );
    journal.close();
    assertEquals(idsOf(directory), []);
  }),
);

Deno.test(
  "Journal.open refuses unfit directories and names the remedy",
  inTemporary((root) => {
    const file = join(root, "file");
    Deno.writeTextFileSync(file, "");
    const real = join(root, "real");
    Deno.mkdirSync(real);
    Deno.symlinkSync(real, join(root, "link"));
    const shared = join(root, "shared");
    Deno.mkdirSync(shared);
    Deno.chmodSync(shared, 0o770);
    const cases = [
      { directory: file, want: "not a directory" },
      { directory: join(file, "below"), want: "(ENOTDIR)" },
      { directory: join(root, "link"), want: "symbolic link" },
      { directory: shared, want: "others may write to it (mode 770)" },
      { directory: foreignDirectory(root), want: "it belongs to user" },
      { directory: "/proc/no-such-place", want: "(ENOENT)" },
    ];
    for (const { directory, want } of cases) {
      const error = assertThrows(() => Journal.open({ directory }), UsageError, want, directory);
      assertStringIncludes(error.message, "--journal DIR");
    }
    append(real, "c0000001");
  }),
);

/** Root owns `/usr`; root itself can give a directory away. */
function foreignDirectory(root: string): string {
  if (Deno.uid() !== 0) return "/usr";
  const directory = join(root, "foreign");
  Deno.mkdirSync(directory);
  Deno.chownSync(directory, 65_534, 65_534);
  return directory;
}

Deno.test(
  "Journal refuses links and open files in the place of each of its files",
  inTemporary((root) => {
    for (const name of ["journal.jsonl", "journal.lock", "journal.head", "key"]) {
      for (const kind of ["link", "directory", "open"] as const) {
        const directory = join(root, `${name}-${kind}`);
        append(directory, "c0000001");
        const path = join(directory, name);
        const target = join(root, `${name}-target`);
        if (kind === "open") Deno.chmodSync(path, 0o644);
        else Deno.renameSync(path, target);
        if (kind === "link") Deno.symlinkSync(target, path);
        if (kind === "directory") Deno.mkdirSync(path);
        const error = assertThrows(
          () => Journal.open({ directory }),
          UsageError,
          `Cannot open "${path}"`,
        );
        assertStringIncludes(error.message, "--journal DIR");
        assertThrows(() => verifyJournal(directory), UsageError, path);
      }
    }
  }),
);

Deno.test(
  "Journal.append does not write through a link that replaced the file of an open journal",
  inTemporary((root) => {
    const directory = join(root, "journal");
    const target = join(root, "target");
    Deno.writeTextFileSync(target, "precious\n");
    const journal = Journal.open({ directory });
    journal.append(sample());
    Deno.removeSync(join(directory, "journal.jsonl"));
    Deno.symlinkSync(target, join(directory, "journal.jsonl"));
    assertThrows(() => journal.append(sample()), UsageError, "symbolic link");
    journal.close();
    assertEquals(Deno.readTextFileSync(target), "precious\n");
  }),
);

Deno.test(
  "Journal.open repairs an empty key and refuses a damaged one",
  inTemporary((directory) => {
    append(directory, "c0000001");
    Deno.writeFileSync(join(directory, "key"), new Uint8Array(5));
    assertThrows(() => Journal.open({ directory }), UsageError, "as the journal's key");
    Deno.removeSync(directory, { recursive: true });
    Deno.mkdirSync(directory, { mode: 0o700 });
    Deno.writeFileSync(join(directory, "key"), new Uint8Array(0), { mode: 0o600 });
    append(directory, "c0000002");
    assertEquals(verifyJournal(directory).gaps, []);
  }),
);

Deno.test(
  "Journal.close can be called twice, and append then fails",
  inTemporary((directory) => {
    const journal = Journal.open({ directory });
    journal.close();
    journal.close();
    assertThrows(() => journal.append(sample()), TypeError, "closed");
  }),
);
