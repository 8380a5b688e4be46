/** The figures that redaction is accepted by, over every shape in every context; a third was kept aside while tuning. */
import { assert } from "@std/assert";
import { CONTEXTS } from "./acceptance/contexts.ts";
import { measureHarmless, measureSecrets, type Score, share } from "./acceptance/measure.ts";

/** Largest share of secrets that may not be fully hidden. */
const MAX_LEAKS = 0.02;
/** Largest share of harmless texts that may be touched. */
const MAX_TOUCHED = 0.005;

function check(part: string, score: Score, most: number): void {
  const { failures, samples } = score;
  assert(
    share(score) <= most,
    `${part}: ${failures.length} of ${samples}\n${failures.slice(0, 20).join("\n")}`,
  );
}

Deno.test("redaction: at least 98 % of secrets are fully hidden, also among those kept aside", () => {
  const { tuned, aside } = measureSecrets();
  assert(CONTEXTS.length >= 30);
  assert(tuned.samples > 10_000 && aside.samples > 5_000, `${tuned.samples}, ${aside.samples}`);
  check("tuned", tuned, MAX_LEAKS);
  check("kept aside", aside, MAX_LEAKS);
});

Deno.test("redaction: at most 0.5 % of harmless texts are touched, also among those kept aside", () => {
  const { tuned, aside } = measureHarmless();
  assert(tuned.samples > 1_000 && aside.samples > 500, `${tuned.samples}, ${aside.samples}`);
  check("tuned", tuned, MAX_TOUCHED);
  check("kept aside", aside, MAX_TOUCHED);
});
