import { assertEquals } from "@std/assert";
import type { Row } from "../../bench/compare.ts";
import { targetLines } from "../../bench/targets.ts";

function row(name: string, ratio: number, cpu: number): Row {
  return { name, ratio, median: ratio, p99: ratio, cpu: { ratio: cpu, median: cpu } };
}

Deno.test("targetLines() compares with the row that a target names, and decides by the time", () => {
  const start = [
    row("a compiled program that prints a line", 1, 1),
    row("codex sandbox -- true", 2, 4),
    row("debrief -c true", 1.5, 1.25),
  ];
  const figures = [
    { name: "a compiled program that waits", value: "50 MiB", ratio: 1 },
    { name: "debrief, a session after its first command", value: "90 MiB", ratio: 1.8 },
  ];
  assertEquals(
    targetLines([{ title: "x" }, { title: "a", rows: start }, { title: "b", figures }]),
    [
      "MISSED  1.50 x, CPU 1.25 x, at most 1.35 x: cold start / compiled hello world",
      "met     0.75 x, CPU 0.31 x, at most 1 x: cold start / codex sandbox",
      "met     1.80 x, at most 1.8 x: idle session / compiled hello world",
    ],
  );
});

Deno.test("targetLines() says nothing of what was not measured", () => {
  assertEquals(targetLines([]), []);
  const alone = [row("a compiled program that prints a line", 1, 1), row("debrief -c true", 1, 1)];
  assertEquals(targetLines([{ title: "a", rows: alone }]).length, 1);
});
