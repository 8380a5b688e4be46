/** A journal with a morning's work, always the same, to show on a screen. */
import { Spool } from "../../src/output/spool.ts";
import { Journal, type UnchainedRecord } from "../../src/record/journal.ts";
import { sample } from "../record/sample.ts";
import { TestPlace } from "../session/test_session.ts";
import { reviewWords, TmuxScreen } from "./tmux_screen.ts";

/** The state directory within a place. */
const STATE = "state/debrief";

const FAILED = `> shop@1.4.0 test
> node --test

not ok 3 - totals a cart with a discount
  expected: 90
  actual: 100
# tests 3
# pass 2
# fail 1
`;

const DENIAL = {
  permission: "run",
  resource: "git push --force",
  by: "policy",
  rule: 'run.deny "git push --force*"',
  at: "built-in:default:31",
  accepted: "",
} as const;

const WORK: readonly Partial<UnchainedRecord>[] = [
  { command_id: "c2m4k7qa", command: ["npm", "ci"], duration_ms: 14_210 },
  {
    command_id: "c8v1n3xb",
    command: ["npm test"],
    duration_ms: 4_230,
    exit_code: 1,
    outcome: { kind: "failed", reason: "exit status 1" },
    agent_note: "3 tests pass",
    stdout_tail: FAILED,
    lines: { stdout: 214, stderr: 0 },
    bytes: { stdout: 9_120, stderr: 0 },
    truncations: { stdout: { lines: 160, bytes: 6_800 }, stderr: null },
    output_id: "c8v1n3xb",
  },
  {
    command_id: "c5t9w0rd",
    parent_command_id: "c8v1n3xb",
    parent_by: "linked",
    command: ["npm test"],
    duration_ms: 4_120,
    agent_note: "3 tests pass",
    stdout_tail: "# tests 3\n# pass 3\n# fail 0\n",
    lines: { stdout: 9, stderr: 0 },
    bytes: { stdout: 180, stderr: 0 },
  },
  {
    command_id: "c3h6j8ye",
    command: ["git push --force"],
    argv: [],
    duration_ms: 0,
    exit_code: null,
    error: "not executed: denied by policy",
    outcome: { kind: "denied-policy", reason: "run.deny" },
    denials: [DENIAL],
    stdout_tail: "",
    lines: { stdout: 0, stderr: 0 },
    bytes: { stdout: 0, stderr: 0 },
    output_id: null,
  },
  {
    command_id: "c7p2s4zf",
    command: ["npm start > server.log &"],
    duration_ms: 41,
    jobs: [{ pid: 4_211, command: "node server.js", state: "running" }],
  },
  {
    command_id: "c1d5f9gh",
    command: ["cat .env"],
    duration_ms: 6,
    redactions: { "secret-name": 2 },
  },
];

/** Appends records to the place's journal. */
export function append(place: TestPlace, records: readonly Partial<UnchainedRecord>[]): void {
  using journal = Journal.open({ directory: place.at(STATE) });
  records.forEach((fields) => journal.append(sample(fields)));
}

/** A place with the records, and the whole output of the failed one. */
export function reviewPlace(): TestPlace {
  const place = new TestPlace();
  append(
    place,
    WORK.map((fields, index) => ({
      argv: fields.command,
      ...fields,
      started_at: new Date(Date.UTC(2026, 10, 21, 9, 40 + index, 7)).toISOString(),
    })),
  );
  const directory = place.at(`${STATE}/outputs`);
  Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const spool = new Spool({ directory, capBytes: 1 << 20, id: "c8v1n3xb" });
  const text = Array.from({ length: 204 }, (_, index) => `ok ${index + 1} - setup\n`).join("") +
    FAILED;
  spool.write("stdout", new TextEncoder().encode(text), { newlines: 0 });
  spool.finish();
  return place;
}

/** `debrief review` on a terminal of this size. */
export function review(
  place: TestPlace,
  { columns = 80, rows = 24, env, args }: {
    readonly columns?: number;
    readonly rows?: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
  } = {},
): TmuxScreen {
  return new TmuxScreen({
    place,
    columns,
    rows,
    words: reviewWords(args),
    env,
  });
}
