import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../src/errors.ts";
import { encodeHead } from "../../src/record/chain.ts";
import { Journal } from "../../src/record/journal.ts";
import { readNewest } from "../../src/record/read.ts";
import { verifyJournal } from "../../src/record/verify.ts";
import { inTemporary, sample } from "./sample.ts";

const WORKER = fileURLToPath(new URL("append_worker.ts", import.meta.url));

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

Deno.test(
  "Journal.append chains records and keeps them over reopening",
  inTemporary((directory) => {
    append(directory, "c0000001", "c0000002");
    append(directory, "c0000003");
    const { records } = readNewest({ directory, limit: 10 });
    assertEquals(records.map((record) => record.command_id), ["c0000003", "c0000002", "c0000001"]);
    assertEquals(records.map((record) => record.prev === null), [false, false, true]);
    assertEquals(verifyJournal(directory), { records: 3, torn: 0, gaps: [] });
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

Deno.test("Journal.append loses nothing when 20 processes write at once", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-test-" });
  try {
    // Big enough that the writers also rotate under each other.
    const runs = Array.from(
      { length: 20 },
      (_, writer) => runWorker([directory, `c${writer}`, "12", "9000"]),
    );
    for (const { code, stderr } of await Promise.all(runs)) {
      assertEquals(code, 0, new TextDecoder().decode(stderr));
    }
    const want = Array.from(
      { length: 20 },
      (_, writer) => Array.from({ length: 12 }, (_, i) => `c${writer}x${i}`),
    );
    assertEquals(idsOf(directory).sort(), want.flat().sort());
    assertEquals(verifyJournal(directory), { records: 240, torn: 0, gaps: [] });
    assert(Deno.statSync(join(directory, "journal.jsonl.2")).size > 900_000);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

function runWorker(args: string[], script = WORKER): Promise<Deno.CommandOutput> {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-lock",
      "--quiet",
      "--no-check",
      "-A",
      `--config=${configFile()}`,
      script,
      ...args,
    ],
    stdin: "null",
  }).output();
}

function configFile(): string {
  return fileURLToPath(new URL("../../deno.json", import.meta.url));
}

Deno.test("Journal.append reports a full file system and takes the part of a line back", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-test-" });
  try {
    append(directory, "c0000001");
    // A limit on file size makes write(2) stop short and then fail, as a full disk does; XFSZ is ignored so that the call returns.
    const output = await new Deno.Command("bash", {
      args: [
        "-c",
        'trap "" XFSZ; ulimit -f 40; exec "$@"',
        "limited",
        Deno.execPath(),
        "run",
        "--no-lock",
        "--quiet",
        "--no-check",
        "-A",
        `--config=${configFile()}`,
        WORKER,
        directory,
        "c9",
        "100",
        "3000",
      ],
      env: { DENO_NO_UPDATE_CHECK: "1" },
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(output.stdout);
    assertEquals(output.code, 3, text + new TextDecoder().decode(output.stderr));
    assertStringIncludes(text, "27 Cannot append to");
    assertStringIncludes(text, "--journal DIR");
    const kept = idsOf(directory);
    assertEquals(kept, ["c0000001", ...kept.slice(1).map((_, index) => `c9x${index}`)]);
    assert(kept.length > 5, String(kept.length));
    assertEquals(verifyJournal(directory), { records: kept.length, torn: 0, gaps: [] });
    append(directory, "c0000002");
    assertEquals(verifyJournal(directory), { records: kept.length + 1, torn: 0, gaps: [] });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test(
  "Journal.append starts a line of its own after a torn one",
  inTemporary((directory) => {
    append(directory, "c0000001", "c0000002");
    const path = join(directory, "journal.jsonl");
    // What a kill between two parts of a write leaves: the head says "intended", the line is half there.
    tearAppend(directory, "c0000003");
    append(directory, "c0000004");
    assertEquals(idsOf(directory), ["c0000001", "c0000002", "c0000004"]);
    assertEquals(readNewest({ directory, limit: 9 }).skipped, { corrupt: 1, newer: 0, tooLong: 0 });
    assertEquals(verifyJournal(directory), { records: 3, torn: 1, gaps: [] });
    assertEquals(Deno.readTextFileSync(path).split("\n").length, 5);
  }),
);

Deno.test(
  "Journal.append goes on after a crash at each point of an append",
  inTemporary((root) => {
    for (const cut of ["nothing", "half", "all but newline", "all"] as const) {
      const directory = join(root, cut);
      append(directory, "c0000001", "c0000002");
      tearAppend(directory, "c0000003", cut);
      const written = cut === "all" || cut === "all but newline";
      append(directory, "c0000004");
      const report = verifyJournal(directory);
      assertEquals(
        report,
        { records: written ? 4 : 3, torn: cut === "half" ? 1 : 0, gaps: [] },
        cut,
      );
    }
  }),
);

type Cut = "nothing" | "half" | "all but newline" | "all";

/** Leaves the files as a SIGKILL in the middle of an append does: intent in the head, a part of the line in the journal. */
function tearAppend(directory: string, id: string, cut: Cut = "half"): void {
  const path = join(directory, "journal.jsonl");
  const before = Deno.readFileSync(path);
  const settled = Deno.readTextFileSync(join(directory, "journal.head")).split(" ")[1] ?? "";
  append(directory, id);
  const after = Deno.readFileSync(path);
  const intended = Deno.readTextFileSync(join(directory, "journal.head")).split(" ")[1] ?? "";
  const added = after.length - before.length;
  const keep =
    { nothing: 0, half: Math.floor(added / 2), "all but newline": added - 1, all: added }[cut];
  Deno.writeFileSync(path, after.subarray(0, before.length + keep));
  signHead(directory, settled, intended);
}

function signHead(directory: string, settled: string, intended: string): void {
  const key = Deno.readFileSync(join(directory, "key"));
  Deno.writeFileSync(
    join(directory, "journal.head"),
    encodeHead(key, { settled, intended, oldest: [null, null] }),
  );
}

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
    assertEquals(verifyJournal(directory), { records: ids.length, torn: 0, gaps: [] });
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
    assertEquals(verifyJournal(directory), { records: 8, torn: 0, gaps: [] });
  }),
);

Deno.test(
  "Journal.append fills the hole that an interrupted rotation left",
  inTemporary((directory) => {
    const tail = "w".repeat(600_000);
    const write = (...ids: string[]) => {
      const journal = Journal.open({ directory });
      for (const id of ids) journal.append(sample({ command_id: id, stdout_tail: tail }));
      journal.close();
    };
    write("c0", "c1", "c2");
    // .2 -> .3 done, then the crash.
    Deno.renameSync(join(directory, "journal.jsonl.2"), join(directory, "journal.jsonl.3"));
    write("c3", "c4", "c5");
    assertEquals(idsOf(directory), ["c0", "c1", "c2", "c3", "c4", "c5"]);
    assertEquals(verifyJournal(directory), { records: 6, torn: 0, gaps: [] });
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
