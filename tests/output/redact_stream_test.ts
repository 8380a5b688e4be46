import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  bytesOf,
  concat,
  newStream,
  redactCut,
  type TestSession,
  textOf,
} from "./redact_helpers.ts";
import { HARMLESS } from "./harmless_samples.ts";
import { alnum, SECRETS } from "./rules_samples.ts";

const SESSION: TestSession = {
  values: [
    { name: "DEPLOY_KEY", value: "correct-horse-9-battery" },
    { name: "REPEATING", value: "abcabcabc" },
    { name: "SHORT", value: "lettuce" },
  ],
};
const CUSTOM: TestSession = {
  ...SESSION,
  custom: [{ name: "corp", pattern: /corp-[0-9]{3,}|x{20,}/dg }],
};

/** Pieces of text that meet the rules in their middle: keywords, separators, quotes, invisible bytes. */
const PIECES = [
  "\n",
  " ",
  "=",
  ":",
  '"',
  "\\",
  "\\\n",
  "\r",
  "\r\n",
  "\0",
  "\x1b",
  "\x1b[31m",
  "\x1b]0;",
  "\x07",
  ";",
  "&",
  "<",
  "'",
  "password",
  "TOKEN",
  "pass",
  "_",
  "--",
  "secret",
  "api_key",
  "name: ",
  "value: ",
  "Authorization: Bearer ",
  "://",
  "@host",
  "cookie: ",
  "a=1;",
  "curl -u a:",
  "mysql ",
  "-p",
  "gh" + "p_",
  "sk" + "-",
  "ey" + "J",
  ".ey" + "J",
  "123456789" + ":AA",
  "-us12",
  "$6$",
  alnum(8),
  alnum(40),
  alnum(300),
  "a7".repeat(16),
  `-----${"BEGIN"} `,
  "RSA PRIVATE KEY-----",
  `-----${"END"} RSA PRIVATE KEY-----`,
  alnum(64),
  "\ndata:\n",
  "\n  k: " + alnum(20, 12),
  "\nkind: Secret\n",
  "\nkind: ConfigMap\n",
  "\napiVersion: v1\n",
  "\nPrivate-Lines: 2\n",
  "[REDACTED:x#1]",
  "${X}",
  "\u00f6",
  "correct-horse-9-battery",
  "correct-horse",
  btoa("correct-horse-9-battery"),
  "abcabc",
  "abc",
  "lettuce",
  "corp-1234",
  "x".repeat(30),
  "x".repeat(5000),
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((parts) =>
  bytesOf(parts.join(""))
);

Deno.test("RedactStream: the output does not depend on where chunks end, at any point of any sample", () => {
  for (const sample of [...SECRETS.map(({ text }) => text), ...HARMLESS]) {
    const input = bytesOf(sample);
    const want = textOf(redactCut(input, []));
    for (let at = 1; at < input.length; at++) {
      assertEquals(textOf(redactCut(input, [at])), want, `cut at ${at}`);
    }
    const everywhere = Array.from({ length: input.length }, (_, i) => i);
    assertEquals(textOf(redactCut(input, everywhere)), want, "single bytes");
  }
});

Deno.test("RedactStream: the output does not depend on where chunks end, for any mixture", () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(8000), { maxLength: 5 }),
      fc.boolean(),
      (input, points, custom) => {
        const session = custom ? CUSTOM : SESSION;
        const cuts = points.map((point) => point % (input.length + 1)).sort((a, b) => a - b);
        assertEquals(
          textOf(redactCut(input, cuts, session)),
          textOf(redactCut(input, [], session)),
        );
      },
    ),
    { numRuns: 1200 },
  );
});

Deno.test("RedactStream: single bytes give the same output as one piece, for any mixture", () => {
  fc.assert(
    fc.property(text, (input) => {
      const everywhere = Array.from({ length: input.length }, (_, i) => i);
      assertEquals(
        textOf(redactCut(input, everywhere, SESSION)),
        textOf(redactCut(input, [], SESSION)),
      );
    }),
    { numRuns: 60 },
  );
});

Deno.test("RedactStream: arbitrary bytes without keywords pass unchanged", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(3000), (input, point) => {
      assertEquals([...redactCut(input, [Math.min(point, input.length)])], [...input]);
    }),
    { numRuns: 200 },
  );
});

Deno.test("RedactStream: a chunk without hits is returned without a copy", () => {
  const stream = newStream();
  const chunk = bytesOf("plain text\n".repeat(100));
  const out = stream.push(chunk);
  assertEquals(out.length, chunk.length);
  assert(out.buffer === chunk.buffer);
});

Deno.test("RedactStream: a prompt is not held back, its answer is", () => {
  const stream = newStream();
  assertEquals(textOf(stream.push(bytesOf("Password: "))), "Password: ");
  assertEquals(textOf(stream.push(bytesOf("hunt"))), "");
  assertEquals(textOf(stream.push(bytesOf("er2\n"))), "[REDACTED:assignment#1]\n");
});

Deno.test("RedactStream: what is held back is bounded, whatever comes", () => {
  const hostile = [
    "password=",
    "gh" + "p_",
    "x",
    "\r",
    "\x1b[",
    `-----${"BEGIN"} PRIVATE KEY-----\n${alnum(64)}\n`,
    "token ",
    "\0a",
  ];
  for (const unit of hostile) {
    const stream = newStream(SESSION);
    const chunk = bytesOf(unit.repeat(Math.ceil(4096 / unit.length)));
    let inside = 0;
    let hidden = 0;
    for (let i = 0; i < 100; i++) {
      inside += chunk.length;
      const before = Object.values(stream.counts).reduce((sum, count) => sum + count, 0);
      inside -= stream.push(chunk).length;
      hidden += Object.values(stream.counts).reduce((sum, count) => sum + count, 0) - before;
    }
    // Whatever was replaced by labels is no longer inside; without labels the difference is what is held.
    assert(hidden > 0 || inside < 80_000, `${JSON.stringify(unit)}: ${inside} bytes held`);
  }
});

Deno.test("RedactStream: one endless line of one keyword is read once", () => {
  for (
    const unit of [
      "://a:",
      "ey" + "J-",
      "gh" + "p_",
      "token=",
      'token="',
      "pass",
      "curl -u ",
      "mysql -",
      "cookie=a",
      "abcabcabc",
    ]
  ) {
    const stream = newStream(SESSION);
    const chunk = bytesOf(unit.repeat(Math.ceil(65536 / unit.length)));
    for (let i = 0; i < 4; i++) stream.push(chunk);
    stream.finish();
  }
});

Deno.test("RedactStream.marks: notable words are reported at their place in the redacted bytes", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom("error", "permission denied", "password=abc12345", " ", "\n", "x\x1b[0m"),
        { maxLength: 20 },
      ),
      fc.nat(200),
      (parts, point) => {
        const input = bytesOf(parts.join(" "));
        const stream = newStream();
        stream.notable = { refusal: true, error: true };
        const out: Uint8Array[] = [];
        const found: string[] = [];
        const take = (bytes: Uint8Array) => {
          const base = concat(out).length;
          out.push(bytes.slice());
          for (const { at, kind } of stream.marks) found.push(`${base + at}:${kind}`);
        };
        const cut = Math.min(point, input.length);
        take(stream.push(input.slice(0, cut)));
        take(stream.push(input.slice(cut)));
        take(stream.finish());
        const all = textOf(concat(out));
        const want = [...all.matchAll(/error|permission denied/g)]
          .map((match) =>
            `${bytesOf(all.slice(0, match.index)).length + match[0].length - 1}:${
              match[0] === "error" ? "error" : "refusal"
            }`
          );
        assertEquals(found, want);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("RedactStream.escapeFree is never true of bytes that hold an escape character", () => {
  const piece = fc.constantFrom(
    "\x1b[31m",
    "plain ",
    "to",
    "ken",
    "\0",
    "\r",
    "\\",
    "password=",
    "x",
  );
  let free = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const stream = newStream();
      const check = (bytes: Uint8Array) => {
        if (stream.escapeFree) assertEquals(bytes.includes(0x1b), false);
        if (stream.escapeFree && bytes.length > 0) free++;
      };
      for (const one of pieces) check(stream.push(bytesOf(one)));
      check(stream.finish());
    }),
    { numRuns: 400 },
  );
  assert(free > 50, `${free} pieces`);
});
