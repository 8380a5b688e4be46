import { assertEquals, assertMatch } from "@std/assert";
import { parseSize, problemOfSize, type Size, sizeText } from "../../src/policy/size.ts";

Deno.test("parseSize() reads bytes, powers of 1024 and shares", () => {
  const table: readonly { in: number | string; want: Size | null }[] = [
    { in: 0, want: { kind: "bytes", bytes: 0 } },
    { in: "none", want: { kind: "bytes", bytes: 0 } },
    { in: 4096, want: { kind: "bytes", bytes: 4096 } },
    { in: "4096", want: { kind: "bytes", bytes: 4096 } },
    { in: "512M", want: { kind: "bytes", bytes: 512 * 1024 ** 2 } },
    { in: "2G", want: { kind: "bytes", bytes: 2 * 1024 ** 3 } },
    { in: "75%", want: { kind: "share", percent: 75 } },
    ...[-1, 1.5, NaN, Infinity, "", "M", "1.5G", "0%", "101%", "1 G", "1g", "9999999T", "-1"].map((
      text,
    ) => ({ in: text, want: null })),
  ];
  for (const { in: value, want } of table) assertEquals(parseSize(value), want, String(value));
});

Deno.test("problemOfSize() accepts a share only where there is one", () => {
  assertEquals(problemOfSize("75%", true), null);
  assertMatch(problemOfSize("75%", false) ?? "", /^Cannot use "75%" as an amount: .* or "4G";/);
  assertEquals(problemOfSize("1G", false), null);
});

Deno.test("sizeText() is exact", () => {
  assertEquals([512 * 1024 ** 2, 1024 ** 3, 1536 * 1024 ** 2, 1000, 1024].map(sizeText), [
    "512 MB",
    "1 GB",
    "1536 MB",
    "1000 bytes",
    "1 KB",
  ]);
});
