/** What a journal survives: many writers, full disks, crashes; journal_kill_test.ts has the kills. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
    assertEquals(verifyJournal(directory), { records: 240, torn: 0, dropped: false, gaps: [] });
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
    assertEquals(verifyJournal(directory), {
      records: kept.length,
      torn: 0,
      dropped: false,
      gaps: [],
    });
    append(directory, "c0000002");
    assertEquals(verifyJournal(directory), {
      records: kept.length + 1,
      torn: 0,
      dropped: false,
      gaps: [],
    });
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
    assertEquals(verifyJournal(directory), { records: 3, torn: 1, dropped: false, gaps: [] });
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
        { records: written ? 4 : 3, torn: cut === "half" ? 1 : 0, dropped: false, gaps: [] },
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
    assertEquals(verifyJournal(directory), { records: 6, torn: 0, dropped: false, gaps: [] });
  }),
);
