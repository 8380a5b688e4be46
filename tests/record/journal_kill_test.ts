/**
 * SIGKILL at random moments of appends by four writers. `DEBRIEF_TEST_KILLS` sets how many; the journal of each twelve is
 * checked before the next begins.
 */
import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { JournalFollower } from "../../src/record/follow.ts";
import { Journal } from "../../src/record/journal.ts";
import { readNewest } from "../../src/record/read.ts";
import { verifyJournal } from "../../src/record/verify.ts";
import { sample } from "./sample.ts";

const KILLS = Number(Deno.env.get("DEBRIEF_TEST_KILLS") ?? 60);
const WRITERS = 4;
const KILLS_PER_WRITER = 3;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

function startWriter(directory: string, name: string): Deno.ChildProcess {
  const flags = ["--no-lock", "--quiet", "--no-check", "-A", `--config=${path("../../deno.json")}`];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, path("kill_worker.ts"), directory, name],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    env: { DENO_NO_UPDATE_CHECK: "1" },
  }).spawn();
}

/** Starts a writer and kills it after a random number of acknowledged appends; gives the ids that it acknowledged. */
async function killWriter(directory: string, name: string): Promise<readonly string[]> {
  const child = startWriter(directory, name);
  const after = 1 + Math.floor(Math.random() * 40);
  const decoder = new TextDecoder();
  let text = "";
  let killed = false;
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n");
    if (killed || (lines.length <= after && !lines.includes("full"))) continue;
    killed = true;
    child.kill("SIGKILL");
  }
  const { signal } = await child.status;
  assertEquals(signal, "SIGKILL");
  // What follows the last newline was not acknowledged whole.
  return text.split("\n").slice(0, -1).filter((id) => id !== "full");
}

/** What a reader sees in between is whole: records in order, none of them twice. */
function checkReading(directory: string): void {
  const { records, skipped } = readNewest({ directory, limit: 1e6 });
  const ids = records.map(({ command_id }) => command_id);
  assertEquals(new Set(ids).size, ids.length);
  assertEquals([skipped.newer, skipped.tooLong], [0, 0]);
}

async function killRound(directory: string): Promise<void> {
  using follower = new JournalFollower(directory);
  const followed: string[] = [];
  const follow = () => {
    const { records, lost } = follower.take();
    assertEquals(lost, false);
    followed.push(...records.map(({ command_id }) => command_id));
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const ids: string[] = [];
    for (let round = 0; round < KILLS_PER_WRITER; round++) {
      ids.push(...await killWriter(directory, `c${writer}r${round}`));
      checkReading(directory);
      follow();
    }
    return ids;
  });
  // All have ended, also when one has failed.
  await Promise.allSettled(writers);
  const acknowledged = (await Promise.all(writers)).flat();
  {
    using journal = Journal.open({ directory });
    journal.append(sample({ command_id: "clast" }));
  }
  const { records, skipped } = readNewest({ directory, limit: 1e6 });
  const kept = records.map(({ command_id }) => command_id).reverse();
  const known = new Set(kept);
  assertEquals(acknowledged.filter((id) => !known.has(id)), []);
  assert(acknowledged.length >= WRITERS * KILLS_PER_WRITER);
  const report = verifyJournal(directory);
  assertEquals(report, { records: kept.length, torn: skipped.corrupt, dropped: false, gaps: [] });
  // At most one record for each kill was written without its acknowledgement.
  assert(kept.length - 1 - acknowledged.length <= WRITERS * KILLS_PER_WRITER);
  follow();
  assertEquals(followed, kept);
}

Deno.test(`Journal.append keeps every acknowledged record through ${KILLS} kills of ${WRITERS} writers`, async () => {
  for (let killed = 0; killed < KILLS; killed += WRITERS * KILLS_PER_WRITER) {
    const directory = Deno.makeTempDirSync({ prefix: "debrief-test-" });
    try {
      await killRound(directory);
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  }
});
