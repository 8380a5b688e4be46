import { assertEquals } from "@std/assert";
import { parseArgs } from "@std/cli";
import { parseArgs as same } from "@std/cli/parse-args";
import { parse } from "@std/jsonc";
import { toText } from "@std/streams";

Deno.test("x", async () => {
  const a = parseArgs(["-v", "--name=x", "y"], {
    boolean: ["v"],
    string: ["name"],
    collect: ["name"],
  });
  const n: string[] = a.name;
  const v: boolean = a.v;
  assertEquals([n, v, a._], [["x"], true, ["y"]] as unknown as typeof a._[]);
  assertEquals(same, parseArgs);
  assertEquals(parse("[1,]"), [1]);
  assertEquals(await toText(ReadableStream.from(["a"])), "a");
});
