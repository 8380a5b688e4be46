/** A valid record to start from, and a temporary directory that is removed afterwards. */
import { buildRecord, type RecordParts } from "../../src/record/build.ts";
import type { UnchainedRecord } from "../../src/record/journal.ts";
import type { Ending } from "../../src/record/record.ts";
import type { StreamSummary } from "../../src/output/summary.ts";

const NO_STREAM: StreamSummary = {
  bytes: 0,
  lines: 0,
  tail: "",
  truncated: null,
  spoolDropped: 0,
  binary: null,
};

export function stream(fields: Partial<StreamSummary>): StreamSummary {
  return { ...NO_STREAM, ...fields };
}

type EndingFields = Partial<Omit<Ending, "summary">> & { summary?: Partial<Ending["summary"]> };

export function ending(fields: EndingFields = {}): Ending {
  const { summary, ...rest } = fields;
  return {
    exitCode: 0,
    signal: null,
    error: null,
    errno: null,
    timedOut: false,
    durationMs: 12,
    ...rest,
    summary: {
      stdout: NO_STREAM,
      stderr: NO_STREAM,
      redactions: {},
      notable: [],
      spoolError: null,
      ...summary,
    },
  };
}

export function parts(fields: Partial<RecordParts> = {}): RecordParts {
  return {
    ids: { command: "c1f7abcd", session: "s0000001", task: null },
    command: ["echo", "hello"],
    argv: ["/usr/bin/echo", "hello"],
    cwd: "/work/project",
    startedAt: new Date("2025-01-02T03:04:05.678Z"),
    ending: ending({ summary: { stdout: stream({ bytes: 6, lines: 1, tail: "hello\n" }) } }),
    sandbox: {
      backend: "kernel",
      landlockAbi: 6,
      policy: "default",
      enforced: { read: "kernel", write: "kernel", net: "kernel", env: "checked", run: "checked" },
      proof: { noNewPrivs: 1, seccomp: 2, capEff: "0000000000000000" },
    },
    denials: [],
    outcome: { kind: "success", reason: "exit status 0" },
    suggestions: [],
    note: null,
    parent: null,
    jobs: [],
    outputId: "c1f7abcd",
    redact: (text) => text,
    ...fields,
  };
}

export function sample(fields: Partial<UnchainedRecord> = {}): UnchainedRecord {
  return { ...buildRecord(parts()), ...fields };
}

/** Runs `body` in a directory of its own. */
export function inTemporary(body: (directory: string) => void): () => void {
  return () => {
    const directory = Deno.makeTempDirSync({ prefix: "debrief-test-" });
    try {
      body(directory);
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  };
}
