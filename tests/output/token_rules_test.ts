/** Every row of the token tables against tokens and near misses of its own shape. */
import { assert, assertEquals } from "@std/assert";
import { Redactor } from "../../src/output/redact.ts";
import { RedactStream } from "../../src/output/redact_stream.ts";
import { RuleBook } from "../../src/output/rule_book.ts";
import { type Rule, RULES } from "../../src/output/rules.ts";
import { SecretStore } from "../../src/output/secret_store.ts";
import { TOKEN_SHAPES } from "../../src/output/token_rules.ts";
import { bytesOf, concat, textOf } from "./redact_helpers.ts";
import { TOKEN_SAMPLES, tooShort } from "./token_samples.ts";

const inTables = new Set(TOKEN_SHAPES.map(([, shape]) => shape));
const books = new Map<string, RuleBook>();

/** Redacts with the rows of one name alone, so that no other rule hides a mistake. */
function redactBy(name: string, text: string): string {
  const rules = RULES.filter((rule) => rule.name === name);
  const book = books.get(name) ?? new RuleBook(rules);
  books.set(name, book);
  const stream = new RedactStream(book, { store: new SecretStore(), custom: [] });
  const head = stream.push(bytesOf(text)).slice();
  return textOf(concat([head, stream.finish()]));
}

function rowsOf(name: string): readonly Rule[] {
  return RULES.filter((rule) => rule.name === name);
}

Deno.test("RULES has more than 110 names, and samples for more than 200 forms", () => {
  assert(new Set(RULES.map(({ name }) => name)).size >= 110);
  assert(TOKEN_SAMPLES.length >= 200, `${TOKEN_SAMPLES.length}`);
});

Deno.test("RULES: each token is hidden as a whole by its own rule", () => {
  for (const { rule, secret } of TOKEN_SAMPLES) {
    const out = redactBy(rule, `found ${secret} here`);
    assertEquals(out, `found [REDACTED:${rule}#1] here`, secret);
  }
});

Deno.test("RULES: a token that is cut off too early is none", () => {
  for (const sample of TOKEN_SAMPLES) {
    const short = tooShort(sample);
    if (short === null || !inTables.has(sample.shape)) continue;
    const text = `found ${short} here`;
    assertEquals(redactBy(sample.rule, text), text, sample.shape);
  }
});

Deno.test("RULES: a token with letters before it is none, where its row asks for a boundary", () => {
  for (const { rule, secret, shape } of TOKEN_SAMPLES) {
    if (rowsOf(rule).some(({ boundary, lookback }) => boundary === false || lookback)) continue;
    // This one is a name as well: `token-abcde:`.
    if (shape.startsWith("token-")) continue;
    const text = `zzzz${secret}`;
    assertEquals(redactBy(rule, text), text, shape);
  }
});

Deno.test("RULES: the prefix alone is none", () => {
  for (const { rule, shape } of TOKEN_SAMPLES) {
    const [prefix = ""] = shape.split("{");
    if (prefix.length > 24) continue;
    const text = `${prefix.replace(/\(([^|)]*)[^)]*\)/g, "$1")} and ${prefix} again`;
    assertEquals(redactBy(rule, text), text, shape);
  }
});

Deno.test("RULES: of two tokens with nothing between them both are hidden", () => {
  const redactor = () => new Redactor();
  const reversed = (text: string) => text.split("").reverse().join("");
  for (const { rule, secret } of TOKEN_SAMPLES) {
    // The last part of one takes the first of the next, and the others stand alone.
    if (rule === "jwe") continue;
    const other = secret.slice(0, 8) + reversed(secret.slice(8));
    // What is no token backwards says nothing about two of them.
    if (!redactor().redactText(`${other}\n`).startsWith(`[REDACTED:${rule}#1]\n`)) continue;
    const text = redactor().redactText(`${secret}${other}\n`);
    assertEquals(text.includes(other.slice(-17, -1)), false, `${secret}${other}: ${text}`);
  }
});
