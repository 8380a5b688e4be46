import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { encodedForms } from "../../src/output/encoded_forms.ts";
import { KnownValues } from "../../src/output/known_values.ts";
import { matchAt, type Needle, RUNS_OUT } from "../../src/output/needle.ts";
import { redact, redactCut, textOf } from "./redact_helpers.ts";
import { bytesOf } from "./redact_helpers.ts";
import { alnum } from "./rules_samples.ts";

const VALUE = "pa$$ 'w\"rd\\ \u00e4 & horse";
const SESSION = { values: [{ name: "KEY", value: VALUE }] };

function binary(text: string): string {
  return String.fromCharCode(...bytesOf(text));
}

function hexOf(text: string): string {
  return Array.from(bytesOf(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

Deno.test("KnownValues: a value is found in every form in which programs print it", () => {
  const forms = [
    VALUE,
    JSON.stringify(VALUE).slice(1, -1),
    JSON.stringify(JSON.stringify(VALUE)).slice(3, -3),
    encodeURIComponent(VALUE).replace("'", "%27"),
    hexOf(VALUE),
    hexOf(VALUE).toUpperCase(),
    VALUE.replaceAll("'", "'\\''"),
  ];
  for (const form of forms) assertEquals(redact(`<${form}>`, SESSION), "<[REDACTED:KEY#1]>");
});

Deno.test("KnownValues: a value is found in base64 at every alignment and in both alphabets", () => {
  const value = "\u00ff\u00fe~~?>secret-value-\u00bf";
  const session = { values: [{ name: "KEY", value }] };
  for (const before of ["", "x", "xy", "xyz"]) {
    const encoded = btoa(binary(before + value + "zz"));
    for (const text of [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]) {
      const out = redact(text, session);
      assertEquals(out.includes("[REDACTED:KEY#1]"), true, out);
      assertEquals(out.replace("[REDACTED:KEY#1]", "").length <= 12, true, out);
    }
  }
});

Deno.test("KnownValues: encoded forms are found across line breaks", () => {
  const value = alnum(90);
  const wrapped = btoa(value).replace(/.{50}/g, "$&\n");
  const out = redact(`${wrapped}\n`, { values: [{ name: "KEY", value }] });
  assertEquals(out.replaceAll(/\[REDACTED:KEY#1\]/g, "").length < 8, true, out);
});

Deno.test("KnownValues: a value with blanks in it is found wherever it is wrapped", () => {
  const value = "correct horse battery staple and more";
  const session = { values: [{ name: "KEY", value }] };
  for (let at = 1; at < value.length; at++) {
    const text = `<${value.slice(0, at)}\n   ${value.slice(at)}>`;
    assertEquals(redact(text, session), "<[REDACTED:KEY#1]>", `${at}`);
  }
});

Deno.test("KnownValues: long and multi-line values are found in parts", () => {
  const lines = [alnum(50, 1), alnum(50, 2), alnum(300, 3)];
  const session = { values: [{ name: "KEY", value: lines.join("\n") }] };
  assertEquals(redact(`  ${lines[1]}\r\n`, session), "  [REDACTED:KEY#1]\r\n");
  assertEquals(redact(`${lines[2]}.`, session), "[REDACTED:KEY#1].");
});

Deno.test("KnownValues: short values match only between boundaries, shorter ones never", () => {
  const session = { values: [{ name: "A", value: "lettuce" }, { name: "B", value: "abc12" }] };
  assertEquals(
    redact("lettuce lettuces xlettuce (lettuce)", session),
    "[REDACTED:A#1] lettuces xlettuce ([REDACTED:A#1])",
  );
  assertEquals(redact("abc12", session), "abc12");
});

Deno.test("KnownValues: values that overlap each other and themselves leave nothing behind", () => {
  const session = {
    values: [{ name: "A", value: "abcabcabcabcabc" }, { name: "B", value: "bcabc-tail-of-b" }],
  };
  assertEquals(redact("abcabcabcabcabcabcabc!", session), "[REDACTED:A#1]!");
  const input = bytesOf("<abcabcabcabcabc-tail-of-b>");
  for (let at = 1; at < input.length; at++) {
    assertEquals(textOf(redactCut(input, [at], session)), "<[REDACTED:A#1]>");
  }
});

Deno.test("KnownValues.find agrees with a naive search", () => {
  const unit = fc.constantFrom("a", "b");
  const value = fc.string({ unit, minLength: 12, maxLength: 16 });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 4 }),
      fc.string({ unit, maxLength: 60 }),
      (values, text) => {
        const known = new KnownValues();
        for (const one of values) known.add(one, bytesOf(one));
        const bytes = bytesOf(text);
        const found = known.find(
          { bytes, length: bytes.length, before: -1, final: true },
          { from: 0, to: bytes.length },
        )[0] ?? null;
        const starts = values.map((one) => text.indexOf(one)).filter((at) => at >= 0);
        const start = starts.length === 0 ? null : Math.min(...starts);
        assertEquals(found?.start ?? null, start);
        if (start === null || found === null) return;
        const longest = Math.max(
          ...values.filter((one) => text.startsWith(one, start)).map((one) => one.length),
        );
        assertEquals(found.end, start + longest);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("KnownValues: a form that a line break is strewn into is found in one piece and byte by byte", () => {
  for (const length of [6, 7, 8, 9, 11, 12, 15, 16, 24, 40]) {
    const value = alnum(length, length);
    const session = { values: [{ name: "KEY", value }] };
    // The last character of the base64 form depends on what follows.
    const encoded = btoa(value).slice(0, Math.floor(length * 8 / 6));
    for (const form of [encoded, hexOf(value), hexOf(value).toUpperCase()]) {
      for (let at = 1; at < form.length; at++) {
        const input = bytesOf(`<${form.slice(0, at)}\r\n  ${form.slice(at)}>`);
        const cuts = Array.from(input, (_, cut) => cut);
        const want = redactCut(input, cuts, session);
        assert(textOf(want).includes("[REDACTED:KEY#1]"), textOf(want));
        assertEquals(textOf(redactCut(input, [], session)), textOf(want), `${form} at ${at}`);
      }
    }
  }
});

Deno.test("KnownValues: values that begin alike are found across line breaks", () => {
  const values = Array.from({ length: 40 }, (_, i) => "sk-live-0123456789" + alnum(6, i + 1));
  const session = { values: values.map((value, i) => ({ name: `KEY_${i}`, value })) };
  for (const value of [values[0]!, values[20]!, values[39]!]) {
    for (let at = 1; at < value.length; at++) {
      const out = redact(`<${value.slice(0, at)}\n${value.slice(at)}>`, session);
      assertEquals(out, `<[REDACTED:KEY_${values.indexOf(value)}#1]>`, `${at}`);
    }
  }
});

Deno.test("KnownValues.find finds each value where thousands of forms are known", () => {
  const known = new KnownValues();
  const values = Array.from({ length: 1500 }, (_, i) => alnum(20, i + 1));
  for (const one of values) known.add(one, bytesOf(one));
  const taken = values.filter((_, i) => i < 1000);
  const bytes = bytesOf(taken.map((one) => `${one} is ${hexOf(one)}`).join("\n"));
  const text = { bytes, length: bytes.length, before: -1, final: true };
  const found = known.find(text, { from: 0, to: bytes.length });
  assertEquals(found.map(({ key }) => key), taken.flatMap((one) => [one, one]));
});

Deno.test("KnownValues.add refuses what is too short or known", () => {
  const known = new KnownValues();
  assertEquals([
    known.add("a", bytesOf("12345")),
    known.add("b", bytesOf("123456")),
    known.add("b", bytesOf("123456")),
  ], [false, true, false]);
});

Deno.test("KnownValues.holdFrom agrees with a naive search, whatever is known before and after", () => {
  const unit = fc.constantFrom("a", "b", "7", " ");
  const value = fc.string({ unit, minLength: 6, maxLength: 20 });
  const piece = fc.oneof(
    fc.string({ unit, maxLength: 6 }),
    fc.constantFrom("\n", "\r\n  ", "\n\t", "\n" + " ".repeat(20)),
  );
  let held = 0;
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 3 }),
      value,
      fc.array(piece, { maxLength: 10 }),
      fc.nat({ max: 20 }),
      (values, later, pieces, cut) => {
        // Ends as one of the values begins, in the midst of it.
        const text = pieces.join("") + later.slice(0, cut).replace(/ |$/, "\n ");
        const bytes = bytesOf(text);
        const known = new KnownValues();
        const needles: Needle[] = [];
        const add = (one: string) => {
          if (!known.add(one, bytesOf(one))) return;
          for (const { plain, ...form } of encodedForms(bytesOf(one))) {
            needles.push({ ...form, key: one, bounded: plain && form.bytes.length < 12 });
          }
        };
        const searched = { bytes, length: bytes.length, before: -1, final: false };
        const naive = (from: number) => {
          for (let at = 0; at < bytes.length; at++) {
            if (needles.slice(from).some((one) => matchAt(one, searched, at) === RUNS_OUT)) {
              return at;
            }
          }
          return bytes.length;
        };
        values.forEach(add);
        const before = known.size;
        assertEquals(known.holdFrom(searched, 0), naive(0));
        add(later);
        assertEquals(known.holdFrom(searched, 0), naive(0));
        assertEquals(known.holdFrom(searched, 0, before), naive(before));
        if (naive(0) < bytes.length) held++;
      },
    ),
    { numRuns: 2000 },
  );
  assert(held > 200, `${held}`);
});
