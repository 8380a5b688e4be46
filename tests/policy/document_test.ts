import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { PolicyError } from "../../src/errors.ts";
import {
  formatKeyPath,
  MAX_POLICY_BYTES,
  PolicyDocument,
  readPolicyText,
} from "../../src/policy/document.ts";
import { errorOf, PolicyDirectory, policyOf } from "./fixture.ts";

Deno.test("PolicyDocument.locate() gives the line of keys and list entries", () => {
  const text =
    '{\n// a comment\n"read": [\n"/a", /* two\nlines */ "/b",\n{ "x":\n1 }\n],\n"deep": { "er": [[1,\n2]] } }';
  const document = new PolicyDocument(text, "F");
  const table: readonly { in: (string | number)[]; want: number }[] = [
    { in: [], want: 1 },
    { in: ["read"], want: 3 },
    { in: ["read", 0], want: 4 },
    { in: ["read", 1], want: 5 },
    { in: ["read", 2], want: 6 },
    { in: ["read", 2, "x"], want: 6 },
    { in: ["deep", "er", 0, 1], want: 10 },
    { in: ["read", 0, "missing"], want: 4 },
    { in: ["missing", "too"], want: 1 },
  ];
  for (const { in: path, want } of table) {
    assertEquals(document.locate(path).line, want, formatKeyPath(path));
  }
});

Deno.test("PolicyDocument.locate() counts lines the same with CRLF", () => {
  const document = new PolicyDocument('{\r\n"a": 1,\r\n"b": [\r\n2\r\n]\r\n}', "F");
  assertEquals(document.locate(["b", 0]), { file: "F", line: 4, keyPath: "b[0]" });
});

Deno.test("PolicyDocument refuses hostile text with its place", () => {
  const table: readonly { in: string; want: RegExp }[] = [
    { in: "", want: /^F:1: Cannot parse the file: value expected$/ },
    { in: "// only a comment\n", want: /^F:[12]: Cannot parse the file/ },
    { in: '{\n"read" true }', want: /^F:2: Cannot parse the file: colon expected$/ },
    { in: '{\n"read": true\n', want: /^F:[23]: Cannot parse the file: close brace expected$/ },
    { in: '{ "read": true } x', want: /^F:1: Cannot parse the file/ },
    { in: "{\n'read': true }", want: /^F:2: Cannot parse the file/ },
    {
      in: '{\n"read": true,\n"write": false,\n"read": [] }',
      want: /^F:2: read: Cannot use the key "read" again on line 4: it stands on line 2$/,
    },
    { in: '{ "a": { "b": 1, "\\u0062": 2 } }', want: /a\.b: Cannot use the key "b" again/ },
    {
      in: '{ "__proto__": { "read": true } }',
      want: /^F:1: __proto__: Cannot use the key "__proto__": it is unknown$/,
    },
    { in: '{ "env": { "set": { "constructor": "x" } } }', want: /env\.set\.constructor/ },
    { in: "[".repeat(100_000), want: /^F:1: Cannot use the file: it nests deeper than 16 levels$/ },
    { in: '{"a":'.repeat(100_000), want: /nests deeper/ },
  ];
  for (const { in: text, want } of table) {
    const error = assertThrows(() => new PolicyDocument(text, "F"), PolicyError);
    assertMatch(error.message, want);
  }
});

Deno.test("PolicyDocument.error() lists every problem by line and counts what is too much", () => {
  const document = new PolicyDocument('{\n"b": 1,\n"a": 2 }', "F");
  const error = document.error([{ path: ["a"], message: "second" }, {
    path: ["b"],
    message: "first",
  }]);
  assertEquals(error.message, "F:2: b: first\nF:3: a: second");
  assertEquals(error.location, { file: "F", line: 2, keyPath: "b" });
  const many = document.error(Array.from({ length: 50 }, () => ({ path: ["a"], message: "x" })));
  assertEquals(many.message.split("\n").length, 21);
  assertMatch(many.message, /and 30 more$/);
});

Deno.test("a policy file may begin with a byte order mark and hold comments and trailing commas", () => {
  const policy = policyOf('\ufeff// top\r\n{ "run": ["git",], /* in */ }\r\n');
  assertEquals(policy.run.allow.map(({ pattern }) => pattern), ["git"]);
});

Deno.test("readPolicyText() refuses files that are too large, not regular or not UTF-8", () => {
  using directory = new PolicyDirectory({
    "large.jsonc": new Uint8Array(MAX_POLICY_BYTES + 1).fill(32),
    "largest.jsonc": new Uint8Array(MAX_POLICY_BYTES).fill(32),
    "latin1.jsonc": new Uint8Array([0x7b, 0xe9, 0x7d]),
  });
  assertThrows(
    () => readPolicyText(`${directory.path}/large.jsonc`),
    Error,
    "larger than 1048576 bytes",
  );
  assertThrows(() => readPolicyText(`${directory.path}/latin1.jsonc`), Error, "not UTF-8");
  assertThrows(() => readPolicyText(directory.path), Error, "not a regular file");
  assertThrows(() => readPolicyText("/dev/zero"), Error, "not a regular file");
  assertEquals(readPolicyText(`${directory.path}/largest.jsonc`).length, MAX_POLICY_BYTES);
});

Deno.test("readPolicyText() does not wait for the writer of a FIFO", () => {
  using directory = new PolicyDirectory();
  const fifo = `${directory.path}/p.jsonc`;
  assertEquals(new Deno.Command("mkfifo", { args: [fifo] }).outputSync().success, true);
  assertThrows(() => readPolicyText(fifo), Error, "not a regular file");
});

Deno.test("an unusable file stops the program with its path and the reason", () => {
  assertMatch(errorOf(new Uint8Array([0xff])), /^Cannot use the policy "F": it is not UTF-8$/);
  assertMatch(
    errorOf(" ".repeat(MAX_POLICY_BYTES + 1)),
    /^Cannot use the policy "F": it is larger than/,
  );
});
