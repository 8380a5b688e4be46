import { assertEquals } from "@std/assert";
import { BUILTINS, KEYWORDS, POSIX_BUILTINS } from "../../src/command/builtins.ts";
import { bashOutput } from "./bash.ts";

function listed(flag: string): string[] {
  return new TextDecoder().decode(bashOutput(`compgen ${flag}`)).trim().split("\n").sort();
}

Deno.test("BUILTINS has the builtins of the bash at hand", () => {
  assertEquals([...BUILTINS].sort(), listed("-b"));
});

Deno.test("KEYWORDS has the reserved words of the bash at hand", () => {
  assertEquals([...KEYWORDS].sort(), listed("-k"));
});

Deno.test("POSIX_BUILTINS has builtins of bash only", () => {
  assertEquals([...POSIX_BUILTINS].filter((name) => !BUILTINS.has(name)), []);
});
