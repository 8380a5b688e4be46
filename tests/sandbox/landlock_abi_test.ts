import { assert, assertEquals } from "@std/assert";
import { handledFs, NEWEST_ABI } from "../../src/sandbox/landlock.ts";
import {
  ABI_TABLE,
  describeMissing,
  missingAbi,
  REQUIRED_ABI,
} from "../../src/sandbox/landlock_abi.ts";

Deno.test("ABI_TABLE lists every ABI up to the newest that is handled, in order", () => {
  assertEquals(
    ABI_TABLE.map(({ abi }) => abi),
    Array.from({ length: NEWEST_ABI }, (_, index) => index + 1),
  );
  for (const { abi, substitute, without } of ABI_TABLE) {
    // What nothing stands in for must be unsupported without it.
    assertEquals(substitute === null, without.some((name) => name !== "devices"), `ABI ${abi}`);
  }
});

Deno.test("ABI_TABLE names file rights where a ruleset handles new ones", () => {
  for (const { abi, brings } of ABI_TABLE) {
    const more = handledFs(abi) !== handledFs(abi - 1);
    assertEquals(more, /FILE|REFER|TRUNCATE|IOCTL_DEV/.test(brings), `ABI ${abi}`);
  }
});

Deno.test("missingAbi finds the first row that a kernel lacks", () => {
  assertEquals(REQUIRED_ABI, 6);
  const cases = [
    { in: ["read", 0], want: 1 },
    { in: ["read", 1], want: undefined },
    { in: ["write", 0], want: 1 },
    { in: ["write", 2], want: 3 },
    { in: ["write", 3], want: undefined },
    { in: ["devices", 4], want: 5 },
    { in: ["signals", 5], want: 6 },
    { in: ["signals", 6], want: undefined },
    { in: ["net", 0], want: undefined },
  ] as const;
  for (const { in: [name, abi], want } of cases) {
    assertEquals(missingAbi(name, abi)?.abi, want, `${name} on ${abi}`);
  }
  const row = missingAbi("signals", 5);
  assert(row);
  assertEquals(
    describeMissing(row, { kernel: "6.11.0", landlockAbi: 5 }),
    "kernel 6.11.0 has Landlock ABI 5, 6 (Linux 6.12: SCOPE_SIGNAL, SCOPE_ABSTRACT_UNIX_SOCKET) is needed",
  );
});
