/** Exact counts and the absence of remains, over mixtures of secrets and harmless lines. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { HARMLESS } from "./harmless_samples.ts";
import { bytesOf, concat, newStream, textOf } from "./redact_helpers.ts";
import { SECRETS } from "./rules_samples.ts";

Deno.test("RedactStream.counts is the number of labels, and no part of a secret is left, for any mixture", () => {
  // Some harmless samples share their random characters with secrets, or hold labels.
  const plain = HARMLESS.filter((sample) => !/\[REDACTED:|[A-Za-z0-9]{40}/.test(sample));
  const line = fc.oneof(
    fc.constantFrom(...SECRETS),
    fc.constantFrom(...plain).map((sample) => ({ text: sample, secret: null })),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.nat(4000), (lines, point) => {
      // A blank line ends what could belong to the line before.
      const input = bytesOf(lines.map((one) => one.text).join("\n\n---\n"));
      const stream = newStream();
      const cut = Math.min(point, input.length);
      const parts = [input.slice(0, cut), input.slice(cut)].map((part) =>
        stream.push(part).slice()
      );
      const out = textOf(concat([...parts, stream.finish()]));
      const labels = [...out.matchAll(/\[REDACTED:([A-Za-z0-9_.-]+)#\d+\]/g)];
      const counts: Record<string, number> = {};
      for (const [, rule = ""] of labels) counts[rule] = (counts[rule] ?? 0) + 1;
      assertEquals({ ...stream.counts }, counts);
      // Samples may share characters, such as a key's public id: those beside a secret are not hidden.
      const beside = lines.map(({ text, secret }) => text.replaceAll(secret ?? "\0", "\0"));
      for (const { secret } of lines) {
        if (secret === null) continue;
        const length = Math.min(16, secret.length);
        for (let at = 0; at + length <= secret.length; at++) {
          const slice = secret.slice(at, at + length);
          if (beside.some((text) => text.includes(slice))) continue;
          assert(!out.includes(slice), `${secret} in ${out}`);
        }
      }
    }),
    { numRuns: 150 },
  );
});
