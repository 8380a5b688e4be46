import { assertEquals } from "@std/assert";
import { suggest } from "../../../src/feedback/suggest.ts";
import { stream } from "../../record/sample.ts";
import { context } from "../observed.ts";

Deno.test("suggest names debrief doctor where the host cannot enforce the policy, and nowhere else", () => {
  const cases = [
    { in: "the policy cannot be enforced here: signals: the kernel has none", want: true },
    { in: "runner fault", want: false },
  ];
  for (const { in: error, want } of cases) {
    const texts = suggest(context({ ending: { exitCode: null, error } })).map(({ text }) => text);
    assertEquals(texts.some((text) => text.startsWith("`debrief doctor`")), want, error);
    assertEquals(texts.some((text) => text.includes("nothing is verified")), true, error);
  }
});

Deno.test("suggest leads to what was left out of text, in words that fit one line too, and to nothing of binary output", () => {
  const cut = { bytes: 9e5, lines: 900, truncated: { lines: 900, bytes: 9e5 } };
  const cases = [
    { in: cut, want: ["`debrief output c1f7abcd --lines 1:200` shows more of 900 lines"] },
    {
      in: { ...cut, lines: 1, truncated: { lines: 0, bytes: 8e5 } },
      want: ["`debrief output c1f7abcd --lines 1:1` shows more of 1 line"],
    },
    { in: { ...cut, binary: { type: "data", sha256: "0" } }, want: [] },
  ];
  for (const { in: stdout, want } of cases) {
    const made = suggest(context({ ending: { exitCode: 0, summary: { stdout: stream(stdout) } } }));
    assertEquals(made.map(({ text }) => text), want);
  }
});
