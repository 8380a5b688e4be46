import { assertEquals, assertThrows } from "@std/assert";
import { parseCommandLine } from "../../src/cli/command_line.ts";
import { countOf, linesOf, noOperands } from "../../src/cli/counts.ts";
import { UsageError } from "../../src/errors.ts";

function output(flag: string, value: string) {
  return parseCommandLine(["output", "c1", `--${flag}=${value}`]);
}

Deno.test("countOf() takes whole numbers from 1", async (t) => {
  assertEquals(countOf(parseCommandLine(["log"]), "last"), null);
  for (const text of ["1", "20", "999999999"]) {
    assertEquals(countOf(output("tail", text), "tail"), Number(text));
  }
  for (
    const text of ["0", "-1", "+1", "1.5", "1e3", "0x10", "01", " 1", "1000000000", "ten", "\u0661"]
  ) {
    await t.step(text, () => {
      const error = assertThrows(() => countOf(output("tail", text), "tail"), UsageError);
      assertEquals(error.message, `Cannot use --tail "${text}": a number from 1 is accepted`);
    });
  }
});

Deno.test("linesOf() takes ranges that hold at least one line", async (t) => {
  assertEquals(linesOf(parseCommandLine(["output", "c1"])), null);
  const cases = [
    { in: "2:5", want: { from: 2, to: 5 } },
    { in: "3:3", want: { from: 3, to: 3 } },
    { in: "7:", want: { from: 7, to: Infinity } },
    { in: ":9", want: { from: 1, to: 9 } },
    { in: "5", want: { from: 5, to: 5 } },
  ];
  for (const { in: text, want } of cases) assertEquals(linesOf(output("lines", text)), want);
  for (
    const text of [":", "0", "5:2", "0:3", "-1:3", "1:0", "a:b", "1:2:3", "1: 2", "9999999999:"]
  ) {
    await t.step(text, () => {
      const error = assertThrows(() => linesOf(output("lines", text)), UsageError);
      assertEquals(
        error.message,
        `Cannot use --lines "${text}": a line N or a range A:B with 1 <= A <= B is accepted`,
      );
    });
  }
});

Deno.test("noOperands() names the first word that has no place", () => {
  noOperands(parseCommandLine(["log"]));
  const error = assertThrows(() => noOperands(parseCommandLine(["log", "c1", "c2"])), UsageError);
  assertEquals(error.message, 'Cannot use "c1": debrief log takes no words');
});
