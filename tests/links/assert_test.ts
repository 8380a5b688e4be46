import * as std from "@std/assert";
import { assertEquals as assertEqualsOfSubpath } from "@std/assert/equals";
import { strict } from "node:assert";

const cycle = (): Record<string, unknown> => {
  const value: Record<string, unknown> = { a: 1 };
  value.self = value;
  return value;
};
class Point {
  constructor(readonly x: number) {}
}

const EQUAL: { a: unknown; b: unknown; want: boolean }[] = [
  { a: 1, b: 1, want: true },
  { a: 0, b: -0, want: true },
  { a: NaN, b: NaN, want: true },
  { a: 1, b: "1", want: false },
  { a: null, b: undefined, want: false },
  { a: { a: undefined }, b: {}, want: false },
  { a: { a: undefined }, b: { b: undefined }, want: false },
  { a: { a: [1, { b: 2 }] }, b: { a: [1, { b: 2 }] }, want: true },
  { a: [1, 2], b: [2, 1], want: false },
  { a: [], b: {}, want: false },
  { a: Object.create(null), b: {}, want: true },
  { a: new Point(1), b: new Point(1), want: true },
  { a: new Point(1), b: { x: 1 }, want: false },
  { a: new Date(1), b: new Date(1), want: true },
  { a: new Date(1), b: new Date(2), want: false },
  { a: /a/g, b: /a/g, want: true },
  { a: /a/g, b: /a/i, want: false },
  { a: new URL("https://a.example/"), b: new URL("https://a.example"), want: true },
  { a: new Set([1, 2]), b: new Set([2, 1]), want: true },
  { a: new Set([{ a: 1 }]), b: new Set([{ a: 1 }]), want: true },
  { a: new Set([1]), b: new Set([2]), want: false },
  { a: new Map([["a", { b: 1 }]]), b: new Map([["a", { b: 1 }]]), want: true },
  { a: new Map([["a", 1]]), b: new Map([["a", 2]]), want: false },
  { a: new Map([[{ k: 1 }, 1]]), b: new Map([[{ k: 1 }, 1]]), want: true },
  { a: new Uint8Array([1, 2]), b: new Uint8Array([1, 2]), want: true },
  { a: new Uint8Array([1, 2]), b: new Uint8Array([1, 3]), want: false },
  { a: { [Symbol.for("s")]: 1 }, b: { [Symbol.for("s")]: 2 }, want: false },
  { a: cycle(), b: cycle(), want: true },
  { a: new Error("a"), b: new Error("a"), want: true },
  { a: () => 1, b: () => 1, want: false },
];

const boom = (): never => {
  throw new TypeError("boom\u001b[31m!\u001b[39m");
};

/** A message of undefined stands for an assertion that holds. */
const ASSERTIONS: { run: () => void; want: string | RegExp | undefined }[] = [
  { run: () => std.assert(1), want: undefined },
  { run: () => std.assert(0, "note"), want: "note" },
  { run: () => std.assertFalse(""), want: undefined },
  { run: () => std.assertFalse(1, "note"), want: "note" },
  { run: () => std.fail("x"), want: "Failed assertion: x" },
  { run: () => std.assertExists(0), want: undefined },
  { run: () => std.assertExists(null), want: /"null" to not be null or undefined\.$/ },
  { run: () => std.assertEquals([1], [1]), want: undefined },
  { run: () => std.assertEquals([1], [2], "n"), want: /^Values are not equal: n\n/ },
  { run: () => std.assertNotEquals(1, 2), want: undefined },
  { run: () => std.assertNotEquals(1, 1), want: "Expected actual: 1 not to be: 1." },
  { run: () => std.assertStrictEquals("a", "a"), want: undefined },
  { run: () => std.assertStrictEquals(0, -0), want: /^Values are not strictly equal\.\n/ },
  { run: () => std.assertStrictEquals({}, {}), want: /same structure but are not reference-equal/ },
  { run: () => std.assertNotStrictEquals({}, {}), want: undefined },
  { run: () => std.assertNotStrictEquals(1, 1), want: /not be strictly equal to: 1\./ },
  { run: () => std.assertGreater(2, 1), want: undefined },
  { run: () => std.assertGreater(1, 1), want: "Expect 1 > 1" },
  { run: () => std.assertGreaterOrEqual(1, 1), want: undefined },
  { run: () => std.assertGreaterOrEqual(0, 1, "note"), want: "note" },
  { run: () => std.assertLess(1, 2), want: undefined },
  { run: () => std.assertLess(1, 1), want: "Expect 1 < 1" },
  { run: () => std.assertLessOrEqual(2, 1), want: "Expect 2 <= 1" },
  { run: () => std.assertStringIncludes("abc", "b"), want: undefined },
  { run: () => std.assertStringIncludes("a", "b"), want: 'Expected actual: "a" to contain: "b".' },
  { run: () => std.assertMatch("abc", /b/), want: undefined },
  { run: () => std.assertMatch("a", /b/), want: 'Expected actual: "a" to match: "/b/".' },
  { run: () => std.assertNotMatch("a", /b/), want: undefined },
  { run: () => std.assertNotMatch("b", /b/), want: 'Expected actual: "b" to not match: "/b/".' },
  { run: () => std.assertInstanceOf(new RangeError(), Error), want: undefined },
  { run: () => std.assertInstanceOf(null, Error), want: /instance of "Error" but was "null"\.$/ },
  { run: () => std.assertInstanceOf(Error, Error), want: /was not an instanced object\.$/ },
  { run: () => std.assertObjectMatch({ a: { b: 1, c: 2 } }, { a: { b: 1 } }), want: undefined },
  { run: () => std.assertObjectMatch({ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }), want: undefined },
  { run: () => std.assertObjectMatch({ a: new Point(1) }, { a: { x: 1 } }), want: undefined },
  { run: () => std.assertObjectMatch({ a: 1 }, { a: 1, b: 2 }), want: /not equal/ },
  { run: () => std.assertObjectMatch({ a: 1 }, { a: 2 }), want: /not equal/ },
  { run: () => std.assertObjectMatch(cycle(), cycle()), want: undefined },
  { run: () => std.assertThrows(boom), want: undefined },
  { run: () => std.assertThrows(boom, TypeError, "boom!"), want: undefined },
  { run: () => std.assertThrows(boom, Error), want: undefined },
  {
    run: () => std.assertThrows(boom, RangeError),
    want: /instance of "RangeError", but was "Type/,
  },
  {
    run: () => std.assertThrows(boom, TypeError, "bam"),
    want: /message to include "bam", but got/,
  },
  { run: () => std.assertThrows(() => 1), want: "Expected function to throw." },
  { run: () => std.assertThrows(() => 1, "n"), want: "Expected function to throw: n" },
  { run: () => std.assertThrows(throwText, Error), want: "A non-Error object was thrown." },
  { run: () => std.assertIsError(new Error("ab"), Error, /b$/), want: undefined },
  { run: () => std.assertIsError(1), want: /^Expected "error" to be an Error object/ },
];

const REJECTIONS: { run: () => Promise<unknown>; want: string | RegExp | undefined }[] = [
  { run: () => std.assertRejects(() => Promise.reject(new Error("x"))), want: undefined },
  { run: () => std.assertRejects(() => Promise.reject(1)), want: undefined },
  {
    run: () => std.assertRejects(() => Promise.reject(new Error("x")), Error, "x"),
    want: undefined,
  },
  {
    run: () => std.assertRejects(() => Promise.reject(1), Error),
    want: /non-Error object was rej/,
  },
  { run: () => std.assertRejects(() => Promise.resolve()), want: "Expected function to reject." },
  { run: () => std.assertRejects(boom), want: "Function throws when expected to reject." },
];

Deno.test("equal() compares in depth as documented", () => {
  for (const { a, b, want } of EQUAL) {
    strict.equal(std.equal(a, b), want, `${Deno.inspect(a)} and ${Deno.inspect(b)}`);
    strict.equal(std.equal(b, a), want, `${Deno.inspect(b)} and ${Deno.inspect(a)}`);
  }
});

Deno.test("equal() refuses to compare what it cannot look into", () => {
  strict.throws(() => std.equal(new WeakMap(), new WeakMap()), TypeError);
  strict.throws(() => std.equal(new WeakSet(), new WeakSet()), TypeError);
});

Deno.test("each assertion holds or throws an AssertionError with the documented message", () => {
  for (const { run, want } of ASSERTIONS) verify(run.toString(), caught(run), want);
});

Deno.test("assertRejects() holds or rejects with the documented message", async () => {
  for (const { run, want } of REJECTIONS) {
    verify(run.toString(), await run().then(() => undefined, (error) => error), want);
  }
});

Deno.test("assertThrows() and assertRejects() return the error", async () => {
  const error = std.assertThrows(boom, TypeError);
  strict.equal(error.name, "TypeError");
  strict.equal(await std.assertRejects(() => Promise.reject(error), TypeError), error);
});

Deno.test("assertEquals() shows both values", () => {
  const error = caught(() => std.assertEquals({ key: "before" }, { key: "after" }));
  strict.match(String(error), /before/);
  strict.match(String(error), /after/);
});

Deno.test("@std/assert/equals exports the assertEquals() of @std/assert", () => {
  strict.equal(assertEqualsOfSubpath, std.assertEquals);
});

function throwText(): never {
  // deno-lint-ignore no-throw-literal
  throw "text";
}

function caught(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

function verify(name: string, error: unknown, want: string | RegExp | undefined): void {
  if (want === undefined) {
    strict.equal(error, undefined, `${name} failed: ${error}`);
    return;
  }
  strict.ok(error instanceof std.AssertionError, `${name} did not fail`);
  if (typeof want === "string") strict.equal(error.message, want, name);
  else strict.match(error.message, want, name);
}
