import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readRequest } from "../../../src/cli/serve/stdio_request.ts";
import { ERROR_CODES } from "../../../src/protocol/events.ts";

const NAMES = ["type", "id", "command", "argv", "env", "target", "from", "text", "__proto__", "x"];
const WORDS = ["run", "cancel", "kill", "output", "jobs", "status", "toString", "1", "c1", ""];

/** Requests with something about them, objects that are nearly requests, and anything else that is JSON. */
const values = fc.oneof(
  fc.record({
    type: fc.constantFrom("run", "jobs", "status", "kill"),
    id: fc.string({ maxLength: 3 }),
    command: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.oneof(fc.constantFrom(...WORDS), fc.integer(), fc.jsonValue(), fc.constant(["ls"])),
  ),
  fc.jsonValue(),
);

Deno.test("readRequest() takes a line or names what is wrong with it, whatever it is", () => {
  let taken = 0;
  fc.assert(
    fc.property(values, (value) => {
      const read = readRequest({ kind: "line", text: JSON.stringify(value) });
      if (read.kind === "request") {
        taken++;
        assert(Object.hasOwn(value as object, "id"));
      } else {
        assert(ERROR_CODES.includes(read.code));
        assert(read.message.length < 1_000, read.message);
      }
    }),
    { numRuns: 3_000 },
  );
  assert(taken > 0);
});

Deno.test("readRequest() reads no line however deeply it is nested, and goes on", () => {
  const deep = "[".repeat(1 << 21);
  const close = "]".repeat(1 << 21);
  const cases = [
    { in: deep, want: "bad-json" },
    { in: deep + close, want: "unknown-type" },
    { in: `{"type":"run","id":"1","command":${deep}${close}}`, want: "bad-request" },
    { in: `{"type":"run","id":"1","argv":["a"],"env":{"A":${deep}${close}}}`, want: "bad-request" },
  ];
  for (const { in: text, want } of cases) {
    const read = readRequest({ kind: "line", text });
    assertEquals(read.kind === "bad" ? read.code : null, want);
  }
});
