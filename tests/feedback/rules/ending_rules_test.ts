import { assertEquals } from "@std/assert";
import { suggest } from "../../../src/feedback/suggest.ts";
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
