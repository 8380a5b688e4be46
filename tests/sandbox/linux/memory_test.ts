import { assertEquals, assertThrows } from "@std/assert";
import { stringArray, stringBlock } from "../../../src/sandbox/linux/memory.ts";

/** What the kernel would find at the addresses. */
function stringsAt(pointers: BigUint64Array): readonly string[] {
  return [...pointers.subarray(0, -1)].map((at) =>
    new Deno.UnsafePointerView(Deno.UnsafePointer.create(at)!).getCString()
  );
}

Deno.test("stringArray leads to each string and ends with a null address", () => {
  for (const items of [[], [""], ["", "", ""], ["a=1", "", "\u00e9=\u{1f600}", "x".repeat(9999)]]) {
    const { pointers, bytes } = stringArray(stringBlock(items));
    assertEquals([stringsAt(pointers), pointers.at(-1)], [items, 0n]);
    bytes.fill(0);
  }
});

Deno.test("stringBlock refuses what would not arrive as it is", () => {
  for (const items of [["a\0b"], ["x", "\ud83d"], ["\ud83d", "\ude00"]]) {
    assertThrows(() => stringBlock(items), TypeError, "Cannot pass text");
  }
});
