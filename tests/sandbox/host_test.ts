import { assert, assertEquals } from "@std/assert";
import { isReadable, probeHost } from "../../src/sandbox/host.ts";
import { TempTree } from "./temp_tree.ts";

Deno.test("probeHost says what the kernel says", () => {
  const host = probeHost();
  assertEquals([host.kernel, host.uid], [Deno.osRelease(), Deno.uid()!]);
  assertEquals(host.architecture, Deno.build.arch as typeof host.architecture);
  assert(Number.isInteger(host.landlockAbi) && host.landlockAbi >= 0);
});

Deno.test("probeHost pretends an older ABI and never a newer one", () => {
  const { landlockAbi } = probeHost();
  for (const pretended of [0, 1, 3, landlockAbi]) {
    assertEquals(probeHost(pretended).landlockAbi, Math.min(pretended, landlockAbi));
  }
  assertEquals([probeHost(99).landlockAbi, probeHost(-1).landlockAbi], [landlockAbi, 0]);
});

Deno.test("isReadable opens the path", () => {
  using tree = new TempTree({ file: "" });
  assertEquals([isReadable(tree.at("file")), isReadable(tree.at("absent"))], [true, false]);
});
