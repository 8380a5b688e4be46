import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { posix } from "node:path";
import { baseName, parentOf, resolveAbsolute } from "../../src/policy/paths.ts";

const path = fc.string({ unit: fc.constantFrom("/", ".", "..", "a", "b c", "~"), maxLength: 12 });

Deno.test("resolveAbsolute() returns normalised paths and leaves them as they are", () => {
  fc.assert(fc.property(path, path, (base, rest) => {
    const result = resolveAbsolute("/" + base, rest);
    assert(result.startsWith("/") && !result.includes("//"), result);
    assert(result === "/" || !result.endsWith("/"), result);
    assert(!result.split("/").some((part) => part === "." || part === ".."), result);
    assertEquals(resolveAbsolute("/elsewhere", result), result);
  }));
});

Deno.test("resolveAbsolute(), parentOf() and baseName() agree with node:path", () => {
  fc.assert(fc.property(path, path, (base, rest) => {
    const result = resolveAbsolute("/" + base, rest);
    assertEquals(result, posix.resolve("/" + base, rest));
    assertEquals(parentOf(result), posix.dirname(result));
    assertEquals(baseName(result), posix.basename(result));
  }));
});
