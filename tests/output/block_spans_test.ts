/** Private keys and manifests, wherever the text is cut. */
import { assertEquals } from "@std/assert";
import { bytesOf, redactCut, textOf } from "./redact_helpers.ts";
import { alnum } from "./rules_samples.ts";

Deno.test("RedactStream: a block that begins inside another one is hidden, wherever chunks end", () => {
  const begin = `-----${"BEGIN"} PRIVATE KEY-----`;
  const [one, two, three] = [alnum(64, 1), alnum(64, 2), alnum(40, 3)];
  const cases = [
    {
      in: `${begin}\n${one}\nPrivate-Lines: 2\n${two}\n${three}\nPrivate-MAC: x\n`,
      secrets: [one, two, three],
    },
    { in: `${begin}${begin}\n${one}\n${two}\n${three}\nend\n`, secrets: [one, two, three] },
    {
      in: `data:\n  items:\n  - kind: Secret\n    data:\n      pw: ${
        btoa(three)
      }\nkind: ConfigMap\n`,
      secrets: [btoa(three)],
    },
  ];
  for (const { in: sample, secrets } of cases) {
    const input = bytesOf(sample);
    const want = textOf(redactCut(input, []));
    for (const secret of secrets) assertEquals(want.includes(secret.slice(0, 16)), false, want);
    for (let at = 1; at < input.length; at++) {
      assertEquals(textOf(redactCut(input, [at])), want, `cut at ${at}`);
    }
  }
});

Deno.test("RedactStream: a key without an end on a line that is longer than any key is hidden", () => {
  const body = alnum(600, 4);
  const key = `-----${"BEGIN"} PRIVATE KEY-----\\n${body}`;
  const input = bytesOf(`{"key":"${key}","more":"${"word, ".repeat(20_000)}"}`);
  const out = textOf(redactCut(input, [50_000]));
  assertEquals(out.startsWith('{"key":"[REDACTED:private-key#1]","more":"word, '), true);
});

Deno.test("RedactStream: a value that is learned beside an open block is found in what had begun to arrive", () => {
  const value = "1" + alnum(11, 5);
  const input = bytesOf(`data:\nlogin u password ${value}\nx${btoa("x" + value)}`);
  const want = textOf(redactCut(input, []));
  assertEquals(want.split("[REDACTED:netrc#1]").length, 3, want);
  for (let first = 1; first < input.length; first++) {
    for (let second = first; second < input.length; second++) {
      const cuts = [first, second];
      assertEquals(textOf(redactCut(input, cuts)), want, `cut at ${cuts}`);
    }
  }
});
