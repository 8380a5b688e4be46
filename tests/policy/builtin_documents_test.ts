import { assertEquals } from "@std/assert";
import {
  BUILTIN_NAMES,
  builtinDocument,
  builtinLabel,
  readBuiltin,
} from "../../src/policy/builtins.ts";
import { PolicyDocument } from "../../src/policy/document.ts";
import { validatePolicy } from "../../src/policy/problems.ts";

Deno.test("builtinDocument() is what the schema makes of the text that is shown", () => {
  for (const name of BUILTIN_NAMES) {
    const read = new PolicyDocument(readBuiltin(name), builtinLabel(name));
    const stored = builtinDocument(name);
    assertEquals(stored.value, validatePolicy(read.value).value, name);
    assertEquals(stored.stored.lines, read.stored.lines, name);
    assertEquals(stored.locate(["read", "allow", 1]), read.locate(["read", "allow", 1]));
  }
});
