import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { OutputPipeline, type PipelineOptions } from "../../src/output/pipeline.ts";
import { Redactor } from "../../src/output/redact.ts";
import { Spool } from "../../src/output/spool.ts";
import { linePattern } from "../../src/output/line_pattern.ts";
import { readSpool } from "../../src/output/spool_read.ts";
import type { OutputSummary } from "../../src/output/summary.ts";
import { bytesOf, concat } from "./redact_helpers.ts";
import { alnum } from "./rules_samples.ts";

const BUDGET = { maxChars: 1600, maxLines: 40, maxTokens: 100_000, spoolBytes: 1 << 20 };

type ShowOptions = { cuts?: readonly number[]; failed?: boolean } & Partial<PipelineOptions>;

/** Sends stdout through a pipeline, cut at the given offsets; each chunk's memory is overwritten after use. */
function show(
  input: string | Uint8Array,
  options: ShowOptions = {},
): { text: string; summary: OutputSummary } {
  const parts: string[] = [];
  const { cuts = [], failed = true, ...rest } = options;
  const bytes = typeof input === "string" ? bytesOf(input) : input;
  const pipeline = new OutputPipeline({
    redactor: new Redactor(),
    budget: BUDGET,
    spool: null,
    show: ({ text }) => parts.push(text),
    ...rest,
  });
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    const chunk = bytes.slice(from, to);
    pipeline.write("stdout", chunk);
    chunk.fill(0x2a);
    from = to;
  }
  const summary = pipeline.finish({ failed });
  return { text: parts.join(""), summary };
}

const numbered = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, i) => (special[i + 1] ?? `line ${i + 1}`) + "\n").join("");

Deno.test("OutputPipeline: short output is shown as it is, with exact facts", () => {
  const { text, summary } = show("one\ntwo");
  assertEquals(text, "one\ntwo");
  assertEquals(summary, {
    stdout: {
      bytes: 7,
      lines: 2,
      tail: "one\ntwo",
      truncated: null,
      spoolDropped: 0,
      binary: null,
    },
    stderr: { bytes: 0, lines: 0, tail: "", truncated: null, spoolDropped: 0, binary: null },
    redactions: {},
    notable: [],
    spoolError: null,
  });
});

Deno.test("OutputPipeline: a secret is in nothing that comes out", () => {
  const token = "gh" + "p_" + alnum(36);
  const directory = Deno.makeTempDirSync();
  try {
    const spool = new Spool({ directory, capBytes: 1 << 20 });
    const input = numbered(400, {
      3: `token ${token}`,
      200: `error: permission denied for ${token}`,
      399: token,
    });
    const { text, summary } = show(input, { spool });
    const spooled = [...readSpool({ directory, id: spool.id, stream: "stdout" })].join("\n");
    for (const out of [text, JSON.stringify(summary), spooled]) {
      assertEquals(out.includes(token.slice(0, 16)), false);
      assert(out.includes("[REDACTED:github-token#1]"));
    }
    assertEquals(summary.redactions, { "github-token": 3 });
    assertEquals(summary.notable, ["error: permission denied for [REDACTED:github-token#1]"]);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("OutputPipeline: a secret that only a screen puts together is not shown", () => {
  const token = "gh" + "p_" + alnum(36);
  const [head, tail] = [token.slice(0, 12), token.slice(12)];
  const bold = Array.from(token, (char) => `${char}\b${char}`).join("");
  const between = [
    ...["\x07", "\x7f", "\x0e", " \b", "\x1bP1;2q\x1b\\", "\x1b]0;title\x07"],
    ...["\x1b]8;;http://a/b\x1b\\", "\x1b#8", " \x1b[D", "\x0b"],
  ];
  const directory = Deno.makeTempDirSync();
  try {
    for (const line of [bold, ...between.map((middle) => head + middle + tail)]) {
      for (const failed of [true, false]) {
        const spool = new Spool({ directory, capBytes: 1 << 20 });
        const input = numbered(400, { 2: line, 200: `error: ${line}`, 399: line });
        const { text, summary } = show(input, { spool, failed });
        const read = [...readSpool({ directory, id: spool.id, stream: "stdout" })].join("\n");
        for (const out of [text, summary.stdout.tail, JSON.stringify(summary), read]) {
          assertEquals(out.includes(token.slice(0, 16)), false, JSON.stringify(line));
          assert(out.includes("[REDACTED:github-token#"), JSON.stringify(line));
        }
      }
    }
    // The control: what a screen puts together is shown where it is no secret.
    assertEquals(show("N\bNA\bAM\bME\bE\x07 a\x1b]0;t\x07b\n").text, "NAME ab\n");
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("OutputPipeline: a private key is hidden also when truncation would cut off its first line", () => {
  const body = Array.from({ length: 40 }, (_, i) => alnum(64, i + 1));
  const key = [`-----${"BEGIN"} PRIVATE KEY-----`, ...body, `-----${"END"} PRIVATE KEY-----`].join(
    "\n",
  );
  const { text, summary } = show(numbered(300) + key + "\n");
  for (const line of body) {
    assertEquals((text + summary.stdout.tail).includes(line.slice(0, 16)), false);
  }
  assert(text.endsWith("line 300\n[REDACTED:private-key#1]\n"));
});

Deno.test("OutputPipeline: the same bytes give the same result, however they arrive", () => {
  const piece = fc.constantFrom(
    ...[
      "line\n",
      "a\rb\n",
      "error: bad\n",
      "permission denied",
      "\n",
      "\x1b[31mred\x1b[0m",
      `password=${alnum(12)}\n`,
      "x".repeat(700),
    ],
    ...["\u00e4", "\0", "fatal ", "long ".repeat(900) + "\n", "\n".repeat(50)],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(50_000), { maxLength: 8 }),
      fc.boolean(),
      (pieces, points, failed) => {
        const input = bytesOf(pieces.join(""));
        const cuts = points.map((point) => point % (input.length + 1)).sort((a, b) => a - b);
        assertEquals(show(input, { cuts, failed }), show(input, { failed }));
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("OutputPipeline: single bytes give the same result as one chunk", () => {
  const input = bytesOf(
    numbered(200, { 90: "error: broken", 91: "e".repeat(3000) + " error " + "f".repeat(3000) }),
  );
  const everywhere = Array.from({ length: input.length }, (_, i) => i);
  assertEquals(show(input, { cuts: everywhere }), show(input));
});

Deno.test("OutputPipeline: an endless line is cut in its middle and costs no memory", () => {
  const parts: string[] = [];
  const pipeline = new OutputPipeline({
    redactor: new Redactor(),
    budget: BUDGET,
    spool: null,
    show: ({ text }) => parts.push(text),
  });
  const chunk = bytesOf("0123456789".repeat(6000));
  for (let i = 0; i < 100; i++) pipeline.write("stderr", chunk);
  const { stderr } = pipeline.finish({ failed: true });
  assertEquals({ bytes: stderr.bytes, lines: stderr.lines }, { bytes: 6_000_000, lines: 1 });
  const match = /^(0123[0-9]+)\.\.\.truncated (\d+) bytes\.\.\.([0-9]+6789)$/.exec(parts.join(""));
  assert(match !== null, parts.join(""));
  assertEquals((match[1] ?? "").length + Number(match[2]) + (match[3] ?? "").length, 6_000_000);
  assertEquals(stderr.truncated, { lines: 0, bytes: Number(match[2]) });
});

Deno.test("OutputPipeline: binary output is described, not dumped, however it arrives", () => {
  const input = concat([
    Uint8Array.from([0x7f, 0x45, 0x4c, 0x46]),
    Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7919) & 0xff),
  ]);
  const sha256 = createHash("sha256").update(input).digest("hex");
  for (const cuts of [[], [3], [100, 5000, 9000], [19_999]]) {
    const { text, summary } = show(input, { cuts });
    assertEquals(
      text,
      `[binary output: ${input.length} bytes, ELF executable, sha256 ${sha256}]\n`,
    );
    assertEquals(summary.stdout.binary, { type: "ELF executable", sha256 });
  }
});

Deno.test("OutputPipeline: no more lines are left out than there were, whatever binary output draws", () => {
  const { summary } = show(bytesOf("\0".repeat(3000) + "\x1b[2Ay"));
  assert(summary.stdout.binary !== null);
  assertEquals([summary.stdout.lines, summary.stdout.truncated?.lines], [1, 1]);
});

Deno.test("OutputPipeline: short binary output is known at its end", () => {
  const { text, summary } = show(new Uint8Array(40));
  assert(text.startsWith("[binary output: 40 bytes, data, sha256 "));
  assertEquals(summary.stdout.binary?.type, "data");
});

Deno.test("OutputPipeline: carriage returns collapse and escape sequences vanish, unless a terminal is to see them", () => {
  assertEquals(show("10%\r50%\r100%\n\x1b[1mbold\x1b[0m\n").text, "100%\nbold\n");
  assertEquals(show("\x1b[1mbold\x1b[0m\n", { ansi: true }).text, "\x1b[1mbold\x1b[0m\n");
  assertEquals(
    show(new Uint8Array([0x61, 0xff, 0x62, 0x00, 0x63, 0x0a, ...bytesOf("text\n".repeat(20))])).text
      .slice(0, 6),
    "a\ufffdb\ufffdc\n",
  );
});

Deno.test("OutputPipeline with passThrough shows everything, redacted", () => {
  const input = numbered(5000) + `password=${alnum(12)}\n`;
  const { text, summary } = show(input, { passThrough: true });
  assertEquals(text, numbered(5000) + "password=[REDACTED:assignment#1]\n");
  assertEquals(summary.stdout.truncated, null);
  const bytes: Uint8Array[] = [];
  const binary = Uint8Array.from({ length: 3000 }, (_, i) => (i * 31) & 0xff);
  show(binary, { passThrough: true, passBytes: { stdout: (part) => bytes.push(part.slice()) } });
  assertEquals([...concat(bytes)], [...binary]);
});

Deno.test("OutputPipeline: the spool has the whole output, and its facts are in the summary", () => {
  const directory = Deno.makeTempDirSync();
  try {
    const spool = new Spool({ directory, capBytes: 4096 });
    const { summary } = show(numbered(2000), { spool, cuts: [1000, 5000] });
    assert(summary.stdout.spoolDropped > 0);
    assertEquals([...readSpool({ directory, id: spool.id, stream: "stdout", tail: 1 })], [
      "line 2000",
    ]);
    assertEquals(
      [...readSpool({
        directory,
        id: spool.id,
        stream: "stdout",
        grep: linePattern("^line 1999$"),
      })],
      ["1999:line 1999"],
    );
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("OutputPipeline: the tail of a stream is its last lines, at most 4096 bytes", () => {
  const { summary } = show("\u65e5".repeat(300) + "\n" + numbered(2000));
  assert(bytesOf(summary.stdout.tail).length <= 4096);
  assert(summary.stdout.tail.endsWith("line 1999\nline 2000\n"));
  assertEquals(
    summary.stdout.tail,
    numbered(2000).slice(numbered(2000).indexOf(summary.stdout.tail)),
  );
});
