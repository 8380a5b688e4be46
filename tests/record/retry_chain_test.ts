import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Journal } from "../../src/record/journal.ts";
import { newestFirst } from "../../src/record/read.ts";
import { chainOf, type Link, retryChains } from "../../src/record/retry_chain.ts";
import { inTemporary, sample } from "./sample.ts";

/** `a b<a c<z`: ids, each with its parent. */
function links(text: string): readonly Link[] {
  return text.split(" ").map((word) => {
    const [command_id = "", parent = null] = word.split("<");
    return { command_id, parent_command_id: parent };
  });
}

Deno.test("retryChains() joins what parents link, in the journal's order", () => {
  const cases = [
    { in: "a b c", want: ["a", "b", "c"] },
    { in: "a b<a x c<b", want: ["a b c", "x"] },
    { in: "a b<a c<a", want: ["a b c"] },
    { in: "a<z b<a c<y", want: ["a b (z)", "c (y)"] },
    { in: "a<a", want: ["a circle"] },
    { in: "a<b b<a c", want: ["a b circle", "c"] },
    { in: "a<c b<a c<b d<b", want: ["a b c d circle"] },
    { in: "a<b b", want: ["a b"] },
  ];
  for (const { in: text, want } of cases) {
    const found = retryChains(links(text)).map(({ records, missing, cyclic }) =>
      [
        ...records.map(({ command_id }) => command_id),
        ...missing.map((id) => `(${id})`),
        ...(cyclic ? ["circle"] : []),
      ].join(" ")
    );
    assertEquals(found, want, text);
  }
});

Deno.test("retryChains() ends for every graph and puts every record into exactly one chain", () => {
  const id = fc.integer({ min: 0, max: 12 }).map(String);
  const link = fc.record({ command_id: id, parent_command_id: fc.option(id) });
  fc.assert(fc.property(fc.array(link, { maxLength: 40 }), (records) => {
    const chains = retryChains(records);
    const placed = chains.flatMap((chain) => chain.records as readonly Link[]);
    assertEquals(placed.length, records.length);
    assertEquals(new Set(placed).size, records.length);
  }));
});

Deno.test("retryChains() takes a chain of 100,000 records", () => {
  const records = Array.from({ length: 100_000 }, (_, index) => ({
    command_id: `c${index}`,
    parent_command_id: index === 0 ? null : `c${index - 1}`,
  }));
  assertEquals(retryChains(records.toReversed())[0]?.records.length, 100_000);
});

Deno.test(
  "chainOf() finds attempts on both sides of rotations",
  inTemporary((directory) => {
    const journal = Journal.open({ directory });
    for (let index = 0; index < 5; index++) {
      journal.append(sample({
        command_id: `c${index}`,
        parent_command_id: index === 0 ? null : `c${index - 1}`,
        stdout_tail: "x".repeat(600_000),
      }));
    }
    journal.close();
    const records = [...newestFirst({ directory }, () => {})].reverse();
    const chain = chainOf(records, "c2");
    assertEquals(chain?.records.map(({ command_id }) => command_id), [
      "c0",
      "c1",
      "c2",
      "c3",
      "c4",
    ]);
    assertEquals([chain?.missing, chain?.cyclic, chainOf(records, "cz")], [[], false, null]);
  }),
);
