import { assertEquals } from "@std/assert";
import { signalName, signalNumber } from "../../src/sandbox/signals.ts";

/** What bash calls a signal; it counts the upper half of the real-time signals down from SIGRTMAX. */
async function bashName(signal: number): Promise<string> {
  const { stdout } = await new Deno.Command("bash", { args: ["-c", `kill -l ${signal}`] }).output();
  const name = new TextDecoder().decode(stdout).trim();
  const down = name === "RTMAX" ? 0 : Number(/^RTMAX-(\d+)$/.exec(name)?.[1] ?? NaN);
  return Number.isNaN(down) ? `SIG${name}` : `SIGRTMIN+${30 - down}`;
}

Deno.test("signalName names every signal as bash does", async () => {
  const signals = Array.from({ length: 64 }, (_, index) => index + 1)
    // glibc keeps these for itself and bash does not name them.
    .filter((signal) => signal !== 32 && signal !== 33);
  for (const signal of signals) assertEquals(signalName(signal), await bashName(signal));
});

Deno.test("signalName gives what has no name its number", () => {
  const cases = [
    { in: 0, want: "SIG0" },
    { in: 32, want: "SIG32" },
    { in: 33, want: "SIG33" },
    { in: 34, want: "SIGRTMIN" },
    { in: 64, want: "SIGRTMIN+30" },
    { in: 65, want: "SIG65" },
    { in: -1, want: "SIG-1" },
  ];
  for (const { in: signal, want } of cases) assertEquals(signalName(signal), want);
});

Deno.test("signalNumber() knows names with and without SIG, and numbers", () => {
  const rows = [
    ["TERM", 15],
    ["SIGTERM", 15],
    ["sigkill", 9],
    ["hup", 1],
    ["10", 10],
    ["64", 64],
    ["0", null],
    ["65", null],
    ["-9", null],
    ["", null],
    ["SIG", null],
    ["NOSUCH", null],
  ] as const;
  for (const [text, want] of rows) assertEquals(signalNumber(text), want, text);
});
