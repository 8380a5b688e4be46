/** Work on hostile input, counted: what is read through `ViewText` and how much text patterns are given. */
import { assert, assertEquals } from "@std/assert";
import { RedactStream } from "../../src/output/redact_stream.ts";
import { MAX_KEY } from "../../src/output/private_key.ts";
import { RuleBook } from "../../src/output/rule_book.ts";
import { type Rule, RULES } from "../../src/output/rules.ts";
import { NAME_KEYWORDS } from "../../src/output/secret_names.ts";
import { SecretStore } from "../../src/output/secret_store.ts";
import { ViewText } from "../../src/output/view_text.ts";
import { bytesOf } from "./redact_helpers.ts";
import { TOKEN_SAMPLES } from "./token_samples.ts";

/** Counts how often the text is read. */
class CountingText extends ViewText {
  reads = 0;
  /** Characters that patterns were given. */
  given = 0;
  override at(position: number): number {
    this.reads++;
    return super.at(position);
  }
  override latin1(from: number, to: number): string {
    this.reads++;
    this.given += to - from;
    return super.latin1(from, to);
  }
}

function readsOf(book: RuleBook, unit: string, length: number): number {
  return workOn(book, unit, length).reads;
}

function workOn(book: RuleBook, unit: string, length: number): CountingText {
  const text = new CountingText();
  const stream = new RedactStream(book, { store: new SecretStore(), custom: [], text });
  const input = bytesOf(unit.repeat(Math.ceil(length / unit.length))).subarray(0, length);
  for (let at = 0; at < length; at += 4096) stream.push(input.subarray(at, at + 4096));
  stream.finish();
  return text;
}

const SIZE = 16 * 1024;
const FILLERS = ["", "a", "-", ".", " ", "=", '"', "\\", "/", "a7".repeat(30), "\n"];
/** Reads for each byte of the worst text: a keyword of three bytes with the longest look back. */
const MAX_READS = 64;

/** Texts that meet a rule again and again and let it go almost as far as a secret would. */
function hostileUnits(rule: Rule): string[] {
  const [keyword = ""] = rule.keywords;
  const samples = TOKEN_SAMPLES.filter((sample) =>
    sample.rule === rule.name && sample.secret.toLowerCase().includes(keyword)
  ).slice(0, 1).map(({ secret }) => secret);
  return [
    ...FILLERS.map((filler) => keyword + filler),
    ...FILLERS.map((filler) => keyword.toUpperCase() + filler),
    ...samples.flatMap((secret) => [secret.slice(0, secret.length / 2), secret.slice(0, -1) + "!"]),
  ];
}

Deno.test("RULES: on hostile input every rule reads a bounded number of bytes for each byte", () => {
  for (const rule of RULES) {
    const book = new RuleBook([rule]);
    for (const unit of hostileUnits(rule)) {
      const once = readsOf(book, unit, SIZE);
      assert(
        once <= MAX_READS * SIZE,
        `${rule.name} on ${JSON.stringify(unit)}: ${once / SIZE} reads for each byte`,
      );
    }
  }
});

Deno.test("RULES: twice the hostile input is twice the work", () => {
  for (const rule of RULES) {
    const book = new RuleBook([rule]);
    for (const unit of hostileUnits(rule).slice(0, 4)) {
      const once = readsOf(book, unit, SIZE);
      const twice = readsOf(book, unit, 2 * SIZE);
      // What is spent once, at the beginning and at the end, is left out.
      assert(
        twice <= 2.2 * once + 20_000,
        `${rule.name} on ${JSON.stringify(unit)}: ${once}, then ${twice}`,
      );
    }
  }
});

Deno.test("NAME_KEYWORDS: on hostile input every name reads a bounded number of bytes", () => {
  const book = new RuleBook([]);
  for (const keyword of NAME_KEYWORDS) {
    for (const filler of [...FILLERS, ": ", "='", '="\\']) {
      const reads = readsOf(book, keyword + filler, SIZE);
      assert(reads <= 2 * MAX_READS * SIZE, `${keyword}${filler}: ${reads / SIZE}`);
    }
  }
});

Deno.test("RuleBook: on hostile manifests and keys every line is read a bounded number of times", () => {
  const book = new RuleBook([]);
  const units = [
    "data:\n",
    "data:\n  k: v\n",
    "  k: value-of-it\n",
    "kind: Secret\n",
    `kind: Secret\ndata:\n  k:${" ".repeat(3000)}x\n`,
    '"data": {\n',
    `-----${"BEGIN"} RSA PRIVATE KEY-----\nQUJD\n`,
    `-----${"BEGIN"} RSA PRIVATE KEY-----`,
    `-----${"BEGIN"} RSA PRIVATE KEY-----\\nQUJD\\n`,
    `-----${"BEGIN"} RSA PRIVATE KEY-----"`,
    "Private-Lines: 2 ",
    "Private-Lines: 2",
    "Private-Lines: 200\nQUJDREVG\n",
    "  data",
  ];
  for (const unit of units) {
    for (const before of ["", "data:\n", "kind: Secret\ndata:\n"]) {
      const text = before + unit.repeat(Math.ceil(SIZE / unit.length));
      const { reads, given } = workOn(book, text, SIZE);
      const most = MAX_READS * SIZE;
      assert(reads <= most, `${JSON.stringify(unit)}: ${reads / SIZE}`);
      assert(given <= most, `${JSON.stringify(unit)}: patterns are given ${given / SIZE}`);
    }
  }
});

Deno.test("RuleBook: a line that is longer than a key can be is read a bounded number of times", () => {
  const book = new RuleBook([]);
  for (const behind of ["", "\\nQUJD\\n", '"']) {
    const unit = `-----${"BEGIN"} RSA PRIVATE KEY-----${behind}`;
    const size = 3 * MAX_KEY;
    const { given } = workOn(book, unit, size);
    assert(given <= MAX_READS * size, `${behind}: patterns are given ${given / size}`);
  }
});

/** The source of an expression without its classes and escapes, whose characters are no operators. */
function operators(source: string): string {
  return source.replace(/\\./g, "_").replace(/\[(?:[^\]])*\]/g, "_");
}

Deno.test("RULES: repetition without a bound stands only at the end of a pattern", () => {
  const open = RULES.filter(({ pattern, guard }) => {
    const text = operators(pattern.source);
    const inner = text.replace(/(?:\{\d+,\}|[*+])[)?]*$/, "");
    // A guard has read the run before the pattern does.
    return guard === undefined && /\{\d+,\}|[*+]/.test(inner);
  });
  assertEquals(open.map(({ name, pattern }) => `${name}: ${pattern.source}`), []);
});

Deno.test("RULES: the group that holds the secret ends the match", () => {
  const others = RULES.filter(({ pattern, group }) =>
    group !== undefined && !/\)(?:\(\?=@\))?$/.test(pattern.source)
  );
  assertEquals(others.map(({ name }) => name), []);
});
