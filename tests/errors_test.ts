import { assertEquals } from "@std/assert";
import { reasonOf } from "../src/errors.ts";

Deno.test("reasonOf() says a failed call in the system's words, without call and path", () => {
  const failed = (act: () => unknown) => {
    try {
      return act();
    } catch (error) {
      return reasonOf(error);
    }
  };
  const table = [
    { in: () => Deno.readTextFileSync("/nosuch"), want: "no such file or directory (ENOENT)" },
    {
      in: () => Deno.makeTempDirSync({ dir: "/nosuch" }),
      want: "no such file or directory (ENOENT)",
    },
    { in: () => Deno.readTextFileSync("/"), want: "is a directory (EISDIR)" },
    {
      in: () => Deno.writeTextFileSync("/dev/full", "x"),
      want: "no space left on device (ENOSPC)",
    },
    {
      in: () => JSON.parse("{"),
      want: "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    },
  ];
  assertEquals(reasonOf("words"), "words");
  assertEquals(table.map((row) => failed(row.in)), table.map(({ want }) => want));
});
