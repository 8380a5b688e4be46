import { assertEquals, assertThrows } from "@std/assert";
import { parseCommandLine } from "../../src/cli/command_line.ts";
import { momentOf } from "../../src/cli/moments.ts";
import { UsageError } from "../../src/errors.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

function moment(text: string): number | null {
  return momentOf(parseCommandLine(["log", "--since", text]), "since", NOW);
}

Deno.test("momentOf() takes times ago, dates, and dates with time and zone", () => {
  const cases = [
    { in: "90s", want: "2026-11-21T11:58:30Z" },
    { in: "2h", want: "2026-11-21T10:00:00Z" },
    { in: "7d", want: "2026-11-14T12:00:00Z" },
    { in: "2026-11-20", want: "2026-11-20T00:00:00Z" },
    { in: "2026-11-20T01:02:03Z", want: "2026-11-20T01:02:03Z" },
    { in: "2026-11-20 01:02:03Z", want: "2026-11-20T01:02:03Z" },
    { in: "2026-11-20T01:02:03.5+01:00", want: "2026-11-20T00:02:03.5Z" },
  ];
  for (const { in: text, want } of cases) assertEquals(moment(text), Date.parse(want), text);
  assertEquals(momentOf(parseCommandLine(["log"]), "since", NOW), null);
});

Deno.test("momentOf() refuses what is no time, or has no zone", () => {
  for (const text of ["soon", "2", "+2h", "2026-13-01", "2026-11-20T01:02:03", "1e3s"]) {
    assertThrows(() => moment(text), UsageError, `Cannot use --since "${text}"`);
  }
});
