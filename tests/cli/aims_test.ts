import { assertEquals, assertThrows } from "@std/assert";
import { aimsOf, sessionOf } from "../../src/cli/aims.ts";
import { parseCommandLine } from "../../src/cli/command_line.ts";
import { UsageError } from "../../src/errors.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");

function aims(...args: string[]) {
  return aimsOf(parseCommandLine([...args, "-c", "true"]), NOW);
}

Deno.test("aimsOf takes a deadline as a duration or a time", () => {
  const table = [
    { in: "30m", want: NOW + 1_800_000 },
    { in: "90", want: NOW + 90_000 },
    { in: "2026-01-02T04:04:05Z", want: NOW + 3_600_000 },
    { in: "2026-01-02 04:04:05+01:00", want: NOW },
  ];
  for (const { in: written, want } of table) {
    assertEquals(aims("--deadline", written).deadline, { written, at: want });
  }
  for (const wrong of ["none", "soon", "-5m", "2026-01-02", "2026-13-40T00:00:00Z"]) {
    assertThrows(() => aims(`--deadline=${wrong}`), UsageError, "Cannot use --deadline");
  }
});

Deno.test("aimsOf takes a budget of tokens, of time, or of both", () => {
  const table = [
    { in: "5000", want: { tokens: 5_000, seconds: null } },
    { in: "50k", want: { tokens: 50_000, seconds: null } },
    { in: "10m", want: { tokens: null, seconds: 600 } },
    { in: "90s,2k", want: { tokens: 2_000, seconds: 90 } },
  ];
  for (const { in: written, want } of table) assertEquals(aims("--budget", written).budget, want);
  for (const wrong of ["0", "0s", "1,2", "1m,2m", "much", "1k,"]) {
    assertThrows(() => aims("--budget", wrong), UsageError, "Cannot use --budget");
  }
});

Deno.test("aimsOf takes a goal, and nothing where nothing is said", () => {
  assertEquals(aims("--goal", "tests pass").goal, "tests pass");
  assertEquals(aims(), { goal: null, deadline: null, budget: null });
  assertThrows(() => aims("--goal", "x".repeat(1_001)), UsageError, "1001 characters");
});

Deno.test("sessionOf takes a session's id and no path", () => {
  const session = (id: string) => sessionOf(parseCommandLine(["--session", id, "-c", "true"]));
  assertEquals(session("s0000abc"), "s0000abc");
  for (const wrong of ["s1", "c0000abc", "../../etc", "s0000abcd"]) {
    assertThrows(() => session(wrong), UsageError, "Cannot use --session");
  }
});
