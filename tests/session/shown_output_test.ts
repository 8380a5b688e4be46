import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { escapeLookalikes } from "../../src/feedback/fence.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { FenceGuard, ShownOutput } from "../../src/session/shown_output.ts";

const NONCE = "0badcafe";

function guarded(pieces: readonly string[]): string {
  const guard = new FenceGuard(NONCE);
  return pieces.map((piece) => guard.push(piece)).join("") + guard.finish();
}

Deno.test("FenceGuard marks the same lines however the output arrives", () => {
  const part = fc.constantFrom(
    ...'---|--|debrief|deb|rief|debrief/|12345678|\n|\r| |\t|> |{|"debrief_block"|\u001b[|1m|\u001b|[0m|\u2014\u2014|d\u0435brief|D\u00c9BRIEF|\\|x|\u2028'
      .split("|"),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(12)), (parts, cuts) => {
      const text = parts.join("");
      const pieces: string[] = [];
      let at = 0;
      for (const cut of cuts) pieces.push(text.slice(at, at += cut));
      assertEquals(guarded([...pieces, text.slice(at)]), escapeLookalikes(text, NONCE));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("FenceGuard holds back only what may still become a look-alike", () => {
  const cases = [
    { in: "Downloading", want: "Downloading" },
    { in: "line\npart", want: "line\npart" },
    { in: "- item", want: "- item" },
    { in: "--- a/file", want: "--- a/file" },
    { in: "--- debriefing", want: "--- debriefing" },
    { in: "50%\r", want: "50%\r" },
    { in: "--- deb", want: "" },
    { in: "line\n--- debrief", want: "line\n" },
    { in: "--", want: "" },
    { in: "\u001b[3", want: "" },
    { in: "-".repeat(5000), want: "-".repeat(5000) },
    { in: `{"a":${"1".repeat(5000)}`, want: `{"a":${"1".repeat(5000)}` },
  ];
  for (const { in: text, want } of cases) {
    assertEquals(new FenceGuard(NONCE).push(text), want, JSON.stringify(text.slice(0, 40)));
  }
});

Deno.test("ShownOutput keeps the streams apart and shows the rest at the end", () => {
  const events: SessionEvent[] = [];
  const shown = new ShownOutput((event) => events.push(event), NONCE);
  shown.show({ stream: "stdout", text: "--- deb" });
  shown.show({ stream: "stderr", text: "rief" });
  shown.show({ stream: "stdout", text: "rief x" });
  shown.show({ stream: "stderr", text: "--- debrief\n" });
  shown.show({ stream: "stdout", text: " y\n--" });
  shown.finish();
  shown.finish();
  assertEquals(events.map((event) => event.kind === "output" && [event.stream, event.text]), [
    ["stderr", "rief"],
    ["stdout", "\\--- debrief x"],
    ["stderr", "--- debrief\n"],
    ["stdout", " y\n"],
    ["stdout", "--"],
  ]);
});
