import { assertEquals, assertMatch } from "@std/assert";
import { parseRecord } from "../../src/record/record_shape.ts";
import { renderRecordSchema } from "../../tools/generate_schema.ts";
import { sample } from "./sample.ts";

const VALID = { ...sample(), prev: null };

/** Added within a version: an older record has none. */
const ADDED: ReadonlySet<string> = new Set(["observations"]);

Deno.test("docs/record.schema.json is what tools/generate_schema.ts writes", () => {
  const path = new URL("../../docs/record.schema.json", import.meta.url);
  assertEquals(Deno.readTextFileSync(path), renderRecordSchema());
});

Deno.test("docs/record.schema.json describes every field that a record has, and requires all but those added later", () => {
  const { properties, required, then } = JSON.parse(renderRecordSchema());
  assertEquals(Object.keys(properties).sort(), Object.keys(VALID).sort());
  assertEquals(required.toSorted(), Object.keys(VALID).filter((name) => !ADDED.has(name)).sort());
  for (const [name, { description }] of Object.entries<{ description?: string }>(properties)) {
    assertMatch(description ?? "", /\w/, name);
  }
  assertEquals(then.properties.error.type, "string");
});

Deno.test("parseRecord() refuses a line that lacks a field or holds another type, and keeps extra fields", () => {
  for (const name of Object.keys(VALID)) {
    const { [name as keyof typeof VALID]: _, ...rest } = VALID;
    const without = ADDED.has(name) ? "record" : "corrupt";
    assertEquals(parseRecord(JSON.stringify(rest)).kind, without, name);
    const wrong = { ...VALID, [name]: { unexpected: [] } };
    const isMap = name === "redactions";
    assertEquals(parseRecord(JSON.stringify(wrong)).kind, "corrupt", isMap ? "a map" : name);
  }
  const more = { ...VALID, later: 1, outcome: { kind: "later", reason: "", extra: 1 } };
  assertEquals(parseRecord(JSON.stringify(more)), { kind: "record", record: more as never });
  for (const line of ["", "null", "[]", "1", "{}", '"x"', "{"]) {
    assertEquals(parseRecord(line), { kind: "corrupt" });
  }
});

Deno.test("parseRecord() says of a line of a newer version that it is one", () => {
  assertEquals(parseRecord('{"version":2}'), { kind: "newer", version: 2 });
  assertEquals(parseRecord('{"version":1.5}'), { kind: "corrupt" });
});
