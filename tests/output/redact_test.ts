import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { Redactor } from "../../src/output/redact.ts";
import { RULES } from "../../src/output/rules.ts";
import { bytesOf, redact, redactCut, textOf } from "./redact_helpers.ts";
import { HARMLESS } from "./harmless_samples.ts";
import { alnum, NEIGHBOURS, SECRETS } from "./rules_samples.ts";

/** A part of a secret that can be read in a text, or null. */
function leak(secret: string, text: string): string | null {
  const length = Math.min(16, secret.length);
  for (let i = 0; i + length <= secret.length; i++) {
    if (text.includes(secret.slice(i, i + length))) return secret.slice(i, i + length);
  }
  return null;
}

Deno.test("RULES: every rule has a sample", () => {
  const sampled = new Set(SECRETS.map(({ rule }) => rule));
  assertEquals(RULES.map(({ name }) => name).filter((name) => !sampled.has(name)), []);
});

Deno.test("Redactor: no 16 characters of a secret survive, and the label names the rule", () => {
  for (const { rule, text, secret } of SECRETS) {
    const out = redact(text);
    assertEquals(leak(secret, out), null, `${rule}: ${out}`);
    assertEquals(out.includes(`[REDACTED:${rule}#1]`), true, `${rule}: ${out}`);
  }
});

Deno.test("Redactor: a token is found between all neighbours", () => {
  const tokens = SECRETS.filter(({ text }) => text.startsWith("found "));
  for (const { rule, secret } of tokens) {
    for (const [before, after] of NEIGHBOURS) {
      const out = redact(`x ${before}${secret}${after} y`);
      assertEquals(
        leak(secret, out),
        null,
        `${rule} in ${JSON.stringify([before, after])}: ${out}`,
      );
    }
  }
});

Deno.test("Redactor: invisible bytes inside a token hide nothing", () => {
  const breaks = ["\x1b[31m", "\x1b[0m\x1b[K", "\r", "\\\n", "\0", "\x1b(B"];
  const tokens = SECRETS.filter(({ text }) => text.startsWith("found "));
  for (const { rule, secret } of tokens) {
    for (const split of breaks) {
      const at = Math.floor(secret.length / 2);
      const out = redact(`found ${secret.slice(0, at)}${split}${secret.slice(at)} here`);
      assertEquals(
        leak(secret.slice(0, at), out) ?? leak(secret.slice(at), out),
        null,
        `${rule}: ${JSON.stringify(out)}`,
      );
    }
  }
});

Deno.test("Redactor: harmless text passes unchanged", () => {
  for (const text of HARMLESS) assertStrictEquals(redact(text), text);
  assertStrictEquals(redact(HARMLESS.join("\n")), HARMLESS.join("\n"));
});

Deno.test("Redactor: what stands around a secret stays", () => {
  const cases = [
    {
      in: `Authorization: Bearer ${alnum(30)}\n`,
      want: "Authorization: Bearer [REDACTED:authorization#1]\n",
    },
    { in: `password=${alnum(12)} x`, want: "password=[REDACTED:assignment#1] x" },
    { in: `{"token": "${alnum(20)}"}`, want: '{"token": "[REDACTED:assignment#1]"}' },
    { in: `https://bob:${alnum(9)}@h/x`, want: "https://bob:[REDACTED:url-password#1]@h/x" },
    {
      in: `\x1b[1m${"gh" + "p_"}${alnum(36)}\x1b[0m!`,
      want: "\x1b[1m[REDACTED:github-token#1]\x1b[0m!",
    },
  ];
  for (const { in: text, want } of cases) assertEquals(redact(text), want);
});

Deno.test("Redactor: redacting twice changes nothing more", () => {
  for (const { text } of SECRETS) {
    const once = redact(text);
    assertEquals(redact(once), once);
  }
  const sample = fc.constantFrom(...SECRETS.map(({ text }) => text), ...HARMLESS);
  fc.assert(
    fc.property(
      fc.array(sample, { maxLength: 8 }),
      fc.constantFrom("\n", " \n", "\r\n"),
      (texts, separator) => {
        const once = redact(texts.join(separator));
        assertEquals(redact(once), once);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("Redactor: a value keeps its number in all streams and texts of a session", () => {
  const redactor = new Redactor();
  const first = "gh" + "p_" + alnum(36, 1);
  const second = "gh" + "p_" + alnum(36, 2);
  assertEquals(
    redactor.redactText(`${first} ${second} ${first}`),
    "[REDACTED:github-token#1] [REDACTED:github-token#2] [REDACTED:github-token#1]",
  );
  const stream = redactor.stream();
  const out = textOf(stream.push(bytesOf(`again ${second}\n`))) + textOf(stream.finish());
  assertEquals(out, "again [REDACTED:github-token#2]\n");
  assertEquals(stream.counts, { "github-token": 1 });
  assertEquals(redactor.counts, { "github-token": 4 });
});

Deno.test("Redactor: a value that a rule has found is found everywhere later", () => {
  const redactor = new Redactor();
  const value = alnum(24);
  redactor.redactText(`DB_PASSWORD=${value}`);
  assertEquals(
    redactor.redactText(`logged in with ${value}`),
    "logged in with [REDACTED:assignment#1]",
  );
  assertEquals(leak(btoa(value).slice(4, -4), redactor.redactText(btoa("xy" + value))), null);
});

Deno.test("Redactor: rules of a policy hide what they match, or their group named secret", () => {
  const redactor = new Redactor({
    rules: [{ name: "corp", pattern: "corp-[0-9]{4,}" }, {
      name: "pin",
      pattern: "pin is (?<secret>\\d+)",
    }],
  });
  assertEquals(
    redactor.redactText("id corp-12345, pin is 9876.\n"),
    "id [REDACTED:corp#1], pin is [REDACTED:pin#2].\n",
  );
  assertEquals(redactor.counts, { corp: 1, pin: 1 });
});

Deno.test("Redactor: an invalid rule is an error", () => {
  let message = "";
  try {
    new Redactor({ rules: [{ name: "bad", pattern: "(" }] });
  } catch (error) {
    message = error instanceof SyntaxError ? "SyntaxError" : String(error);
  }
  assertEquals(message, "SyntaxError");
});

Deno.test("Redactor: nothing in the data switches redaction off", () => {
  const token = "gh" + "p_" + alnum(36);
  for (
    const comment of [
      "gitleaks:allow",
      "secretlint-disable",
      "nosec",
      "[REDACTED:github-token#1]",
      "pragma: allowlist secret",
    ]
  ) {
    assertEquals(
      leak(
        token,
        redact(`${token} # ${comment}\n${comment} ${token} ${comment}${token}${comment}`),
      ),
      null,
    );
  }
  assertEquals(leak(alnum(20), redact(`password=[REDACTED:x#1]${alnum(20)}[REDACTED:x#2]`)), null);
});

Deno.test("Redactor.redactText returns text without secrets as it is, also what is no valid Unicode", () => {
  const redactor = new Redactor();
  for (const text of ["", "plain", "\ufeffwith a mark", "lone \ud800 surrogate"]) {
    assertStrictEquals(redactor.redactText(text).length, text.length);
  }
  assertStrictEquals(redactor.redactText("lone \ud800 surrogate"), "lone \ud800 surrogate");
});

Deno.test("RedactStream: bytes that are no UTF-8 survive beside a secret", () => {
  const input = new Uint8Array([
    0xff,
    0xfe,
    0x20,
    ...bytesOf(`password=${alnum(12)}`),
    0x20,
    0x80,
    0xc3,
  ]);
  const out = redactCut(input, []);
  assertEquals([...out.subarray(0, 3)], [0xff, 0xfe, 0x20]);
  assertEquals([...out.subarray(-3)], [0x20, 0x80, 0xc3]);
});

Deno.test("Redactor: exactly the allowed values are shown, wherever they came from and however they arrive", () => {
  const sample = "AKIA" + "IOSFODNN7EXAMPLE";
  const other = "AKIA" + "IOSFODNN7EXAMPLD";
  const options = {
    allow: [sample, "correct-horse-battery"],
    values: [{ name: "PHRASE", value: "correct-horse-battery" }],
    rules: [{ name: "customer", pattern: "correct-[a-z-]+" }],
  };
  const text = `id ${sample} other ${other} key_secret=${sample} in correct-horse-battery\n` +
    `longer ${sample}X and correct-horse-battery-staple\n`;
  const out = new Redactor(options).redactText(text);
  assertEquals(
    out,
    `id ${sample} other [REDACTED:aws-access-key#1] key_secret=${sample} in correct-horse-battery\n` +
      `longer [REDACTED:aws-access-key#2] and [REDACTED:customer#3]\n`,
  );
  const bytes = bytesOf(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const stream = new Redactor(options).stream();
    const parts = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) =>
      stream.push(part).slice()
    );
    assertEquals([...parts, stream.finish()].map(textOf).join(""), out, `cut at ${cut}`);
  }
  // The control: without the list all of them are hidden.
  const hidden = new Redactor({ ...options, allow: [] }).redactText(text);
  assertEquals(hidden.includes(sample) || hidden.includes("correct-horse-battery"), false, hidden);
});

Deno.test("Redactor: the known limit of two tokens of different issuers with nothing between them", () => {
  const token = "gh" + "p_" + alnum(36);
  const other = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + alnum(43, 5);
  assertEquals(leak(other, redact(`${token} ${other}`)), null);
  // What the first one takes away of the second one's beginning is what that is known by.
  const out = redact(token + other);
  assertEquals([leak(token, out), leak(other, out) !== null], [null, true]);
});
