import { assertEquals } from "@std/assert";
import { classify } from "../../src/feedback/outcome.ts";
import { fixtures, observedFixture } from "./fixture.ts";

const score = { held: [0, 0], tuned: [0, 0] };
for (const [name, list] of fixtures()) {
  for (const one of list) {
    const { kind, reason } = classify(observedFixture(one));
    const s = one.held ? score.held : score.tuned;
    s[1]!++;
    if (kind === one.want.outcome) s[0]!++;
    else if (!one.held || Deno.env.get("HELD")) {
      console.log(
        name,
        one.argv.join(" ").slice(0, 70),
        "|| got",
        kind,
        "want",
        one.want.outcome,
        "|",
        reason,
      );
    }
  }
}
console.log(score);
