import { assert, assertEquals } from "@std/assert";
import { open, read } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import { PipedInput } from "../../src/sandbox/piped_input.ts";
import { openDescriptors } from "./open_descriptors.ts";
import { TempTree } from "./temp_tree.ts";

/** As large as a pipe, and more. */
const SIZES = [0, 1, 65_536, 300_000];

Deno.test("PipedInput hands over a whole file, and ends when nobody reads it", async () => {
  const before = openDescriptors();
  for (const size of SIZES) {
    using tree = new TempTree({ file: "x".repeat(size) });
    const input = new PipedInput(open(tree.at("file"), OPEN.RDONLY));
    const buffer = new Uint8Array(50_000);
    let length = 0;
    for (let count = 1; count > 0; length += count) {
      // The copy goes on in between.
      await new Promise((resolve) => setTimeout(resolve, 0));
      count = read(input.fd, buffer);
    }
    assertEquals(length, size);
    await input.close();
    const unread = new PipedInput(open(tree.at("file"), OPEN.RDONLY));
    await unread.close();
  }
  assert(openDescriptors() <= before, `${openDescriptors()} descriptors are open`);
});
