import { assert } from "@std/assert";
import { getEncoding } from "js-tiktoken";
import { buildBlock } from "../../src/feedback/block.ts";
import { renderText } from "../../src/feedback/render.ts";
import type { UnchainedRecord } from "../../src/record/journal.ts";
import { sample } from "../record/sample.ts";
import { SANDBOX_DENIAL } from "./observed.ts";

/** The tokenizers of current and earlier models of one vendor; the dearer one counts. */
const ENCODINGS = [getEncoding("o200k_base"), getEncoding("cl100k_base")];

/** Tokens of a block, with a fence as real as any: nine digits that look like noise. */
function tokensOf(fields: Partial<UnchainedRecord>, notices: readonly string[] = []): number {
  const block = buildBlock({ record: sample(fields), notices });
  const text = renderText({ ...block, next: null }, { nonce: "482913705", color: false });
  return Math.max(...ENCODINGS.map((encoding) => encoding.encode(text).length));
}

const DENIED: Partial<UnchainedRecord> = {
  exit_code: 1,
  outcome: { kind: "denied-sandbox", reason: "write /etc/hosts" },
  denials: [SANDBOX_DENIAL],
};

const TESTED: Partial<UnchainedRecord> = {
  exit_code: 1,
  outcome: { kind: "test-failure", reason: "2 failed, 41 passed in 3.1s" },
  observations: [
    "tests: 2 failed, 41 passed",
    "first: tests/test_api.py::test_get (tests/test_api.py:41)",
  ],
  agent_note: "all tests pass",
  truncations: { stdout: { lines: 1_200, bytes: 99_000 }, stderr: null },
};

const FULL: Partial<UnchainedRecord> = {
  exit_code: 1,
  outcome: { kind: "denied-sandbox", reason: "write /etc/hosts" },
  observations: [
    "tests: 2 failed, 41 passed",
    "first: tests/test_api.py::test_get (tests/test_api.py:41)",
  ],
  agent_note: "all tests pass",
  denials: [SANDBOX_DENIAL],
  redactions: { "github-token": 2 },
  truncations: { stdout: { lines: 1_200, bytes: 99_000 }, stderr: null },
};

/** Typical commands, and what a block may cost whoever reads it. */
const TABLE: readonly { name: string; in: Partial<UnchainedRecord>; max: number }[] = [
  { name: "a success", in: {}, max: 20 },
  {
    name: "a success that says nothing",
    in: { bytes: { stdout: 0, stderr: 0 }, lines: { stdout: 0, stderr: 0 } },
    max: 20,
  },
  {
    name: "a failure",
    in: { exit_code: 2, outcome: { kind: "failed", reason: "failed" } },
    max: 60,
  },
  {
    name: "a failure with a reason",
    in: {
      exit_code: 22,
      outcome: { kind: "rate-limited", reason: "curl: (22) The requested URL returned error: 429" },
      bytes: { stdout: 0, stderr: 49 },
      lines: { stdout: 0, stderr: 1 },
    },
    max: 60,
  },
  { name: "a denial", in: DENIED, max: 90 },
  { name: "a failed test run", in: TESTED, max: 150 },
  { name: "everything at once", in: FULL, max: 150 },
];

for (const { name, in: fields, max } of TABLE) {
  Deno.test(`the block of ${name} has at most ${max} tokens`, () => {
    const tokens = tokensOf(fields);
    assert(tokens <= max, `${tokens} tokens`);
  });
}
