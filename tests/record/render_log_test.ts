import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { durationText } from "../../src/record/duration_text.ts";
import { renderLogJson, renderLogText } from "../../src/record/render_log.ts";
import { shortText, visibleText } from "../../src/record/visible_text.ts";
import { sample } from "./sample.ts";

const record = (fields: Parameters<typeof sample>[0] = {}) => ({ ...sample(fields), prev: null });

Deno.test("renderLogText shows one aligned line per record", () => {
  const text = renderLogText([
    record(),
    record({
      exit_code: null,
      outcome: { kind: "denied-policy", reason: "" },
      command: ["rm -rf /\nx"],
    }),
    record({ exit_code: null, signal: "SIGKILL", duration_ms: 61_000 }),
  ]);
  assertEquals(
    text,
    "2025-01-02 03:04:05Z  c1f7abcd  0          12ms  echo hello\n" +
      "2025-01-02 03:04:05Z  c1f7abcd  denied     12ms  rm -rf /\\nx\n" +
      "2025-01-02 03:04:05Z  c1f7abcd  SIGKILL   1m01s  echo hello\n",
  );
  assertEquals(renderLogText([]), "");
});

Deno.test("renderLogText keeps one line per record whatever the fields hold", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary" }), { maxLength: 3 }),
      fc.string(),
      (command, id) => {
        const lines = renderLogText([
          record({ command, command_id: id, started_at: id, signal: id }),
        ]).split("\n");
        assertEquals(lines.length, 2);
        assert((lines[0] ?? "").length < 240);
      },
    ),
  );
});

Deno.test("renderLogJson gives the journal's lines", () => {
  const records = [record(), record({ command_id: "c2" })];
  assertEquals(
    renderLogJson(records),
    `${JSON.stringify(records[0])}\n${JSON.stringify(records[1])}\n`,
  );
});

Deno.test("durationText cuts to what was reached", () => {
  const cases = [
    { in: -5, want: "0ms" },
    { in: 0.4, want: "0ms" },
    { in: 999.9, want: "999ms" },
    { in: 1_000, want: "1.0s" },
    { in: 1_290, want: "1.2s" },
    { in: 59_999, want: "59s" },
    { in: 60_000, want: "1m00s" },
    { in: 125_400, want: "2m05s" },
    { in: 3_720_000, want: "1h02m" },
    { in: 360_000_000, want: "100h00m" },
  ];
  for (const { in: milliseconds, want } of cases) assertEquals(durationText(milliseconds), want);
});

Deno.test("visibleText shows what could end, hide or reorder a line", () => {
  const cases = [
    { in: "plain \u00e9 \u{1f600}", want: "plain \u00e9 \u{1f600}" },
    { in: "a\nb\r\tc", want: "a\\nb\\r\\tc" },
    { in: "\u001b[31mred", want: "\\e[31mred" },
    {
      in: "\u202egnp\u200b\u2028\u0085\u{e0041}",
      want: "\\u{202e}gnp\\u{200b}\\u{2028}\\u{85}\\u{e0041}",
    },
    { in: "\ud800", want: "\\u{d800}" },
  ];
  for (const { in: text, want } of cases) assertEquals(visibleText(text), want);
});

Deno.test("shortText keeps both ends within the bound", () => {
  assertEquals(shortText("short", 10), "short");
  assertEquals(shortText("0123456789abcdef", 11), "012345\u2026cdef");
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 8, max: 100 }),
      (text, max) => {
        const short = shortText(text, max);
        assert(short.length <= max);
        assert(short.isWellFormed());
      },
    ),
  );
});
