import { assert, assertEquals } from "@std/assert";
import { interpretersOf } from "../../src/sandbox/interpreters.ts";
import { TempTree } from "./temp_tree.ts";

/** A 64-bit ELF file whose loader's name stands at the given place. */
function elf(options: { loader: string; at: number; count?: number; length?: number }): Uint8Array {
  const { loader, at, count = 1, length = loader.length + 1 } = options;
  const bytes = new Uint8Array(at + loader.length + 1);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  view.setBigUint64(32, 64n, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, count, true);
  view.setUint32(64, 3, true);
  view.setBigUint64(72, BigInt(at), true);
  view.setBigUint64(96, BigInt(length), true);
  bytes.set(new TextEncoder().encode(loader), at);
  return bytes;
}

function named(tree: TempTree): readonly string[] {
  return interpretersOf(tree.at("file")).map((one) => one.kind === "file" ? one.path : one.name);
}

Deno.test("interpretersOf reads what a #! line names", () => {
  const cases = [
    { in: "#!/bin/sh\n", want: ["/bin/sh"] },
    { in: "#! /bin/sh -e\nid", want: ["/bin/sh"] },
    { in: "#!/usr/bin/env python3\n", want: ["/usr/bin/env", "python3"] },
    { in: "#!/usr/bin/env -S A=1 node --flag\n", want: ["/usr/bin/env", "node"] },
    { in: "#!/usr/bin/env /opt/x\n", want: ["/usr/bin/env", "/opt/x"] },
    { in: "#!/usr/bin/env\n", want: ["/usr/bin/env"] },
    { in: "#!sh\n", want: [] },
    { in: "#!\n", want: [] },
    { in: `#!/${"x".repeat(1000)}\n`, want: [`/${"x".repeat(253)}`] },
    { in: "echo\n", want: [] },
    { in: "", want: [] },
  ];
  for (const { in: text, want } of cases) {
    using tree = new TempTree({ file: text });
    assertEquals(named(tree), want, text);
  }
});

Deno.test("interpretersOf reads an ELF file's loader, also one that stands far behind", () => {
  for (const at of [120, 4000, 4096, 70_000]) {
    using tree = new TempTree({});
    Deno.writeFileSync(tree.at("file"), elf({ loader: "/lib/ld.so", at }));
    assertEquals(named(tree), ["/lib/ld.so"], String(at));
  }
});

Deno.test("interpretersOf finds nothing in broken ELF files, and reads no more than a name", () => {
  const whole = elf({ loader: "/lib/ld.so", at: 120 });
  const cases = [
    whole.subarray(0, 40),
    whole.subarray(0, 100),
    elf({ loader: "ld.so", at: 120 }),
    elf({ loader: "/lib/ld.so", at: 120, length: 1 << 30 }),
    elf({ loader: "/lib/ld.so", at: 120, count: 0 }),
  ];
  for (const [index, bytes] of cases.entries()) {
    using tree = new TempTree({});
    Deno.writeFileSync(tree.at("file"), bytes);
    assertEquals(named(tree), [], String(index));
  }
});

Deno.test("interpretersOf names the loader of a program of this host", () => {
  const found = interpretersOf(Deno.realPathSync("/bin/bash"));
  assert(found.every((one) => one.kind === "file" && Deno.statSync(one.path).isFile));
});
