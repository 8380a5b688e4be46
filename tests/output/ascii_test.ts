import { assertEquals } from "@std/assert";
import { byteTable } from "../../src/output/ascii.ts";

Deno.test("byteTable() accepts the bytes that an expression with the class accepts", () => {
  const classes = ["A-Za-z0-9", "0-9a-f-", "A-Za-z0-9+/=", "A-Za-z0-9_.~%+/=-", "A-Z2-7", "x", "-"];
  for (const characters of classes) {
    const expression = new RegExp(`^[${characters}]$`);
    const want = Array.from({ length: 256 }, (_, byte) => {
      return expression.test(String.fromCharCode(byte)) ? 1 : 0;
    });
    assertEquals([...byteTable(characters)], want, characters);
  }
});
