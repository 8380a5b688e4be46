import { assertEquals } from "@std/assert";
import { type HashBytes, strayName } from "../../../src/sandbox/protect/git_index.ts";

const encoder = new TextEncoder();

/** Options of an index that is made up. */
interface Made {
  readonly version?: 2 | 3 | 4;
  readonly hash?: HashBytes;
  readonly count?: number;
  /** Entries that git reads as a block of their own (`IEOT`), by the index of the first and how many. */
  readonly blocks?: readonly (readonly [first: number, count: number])[];
  /** Behind the entries, where only a table of blocks leads. */
  readonly hidden?: string;
}

function entry(
  name: Uint8Array,
  options: { version: number; hash: number; kept: number; full: number },
): Uint8Array {
  const { version, hash, kept, full } = options;
  const extended = version === 3 ? 2 : 0;
  const head = 40 + hash + 2 + extended;
  const strip = version === 4 ? [kept] : [];
  const size = version === 4 ? head + 1 + name.length + 1 : (head + name.length + 8) & ~7;
  const bytes = new Uint8Array(size);
  const flags = Math.min(full, 0xfff) | (extended ? 0x4000 : 0);
  bytes.set([flags >> 8, flags & 255], 40 + hash);
  bytes.set(strip, head);
  bytes.set(name, head + strip.length);
  return bytes;
}

/** Version 4 strips `kept[i]` bytes of the name before. */
function made(names: readonly string[], options: Made = {}): Uint8Array {
  const { version = 2, hash = 20, count = names.length, blocks = [], hidden } = options;
  const parts: Uint8Array[] = [];
  const offsets: number[] = [];
  let at = 12;
  let before = "";
  for (const name of names) {
    let shared = 0;
    while (version === 4 && shared < name.length && name[shared] === before[shared]) shared++;
    const bytes = entry(encoder.encode(name.slice(shared)), {
      version,
      hash,
      kept: before.length - shared,
      full: name.length,
    });
    offsets.push(at);
    parts.push(bytes);
    at += bytes.length;
    before = name;
  }
  const end = at;
  const table = hidden === undefined ? blocks.map(([first, size]) => [offsets[first]!, size]) : [];
  const ieot = new Uint8Array(12 + 8 * (hidden === undefined ? table.length : 1));
  const secret = hidden === undefined
    ? new Uint8Array()
    : entry(encoder.encode(hidden), { version, hash, kept: 0, full: hidden.length });
  // In an extension of a name that git passes over.
  const wrap = new Uint8Array(hidden === undefined ? 0 : 8);
  if (hidden !== undefined) {
    table.push([end + ieot.length + wrap.length, 1]);
    wrap.set(encoder.encode("XXXX"));
    new DataView(wrap.buffer).setUint32(4, secret.length);
  }
  const view = new DataView(ieot.buffer);
  ieot.set(encoder.encode("IEOT"));
  view.setUint32(4, ieot.length - 8);
  view.setUint32(8, 1);
  table.forEach(([offset, size], index) => {
    view.setUint32(12 + 8 * index, offset!);
    view.setUint32(16 + 8 * index, size!);
  });
  const eoie = new Uint8Array(12 + hash);
  eoie.set(encoder.encode("EOIE"));
  new DataView(eoie.buffer).setUint32(4, 4 + hash);
  new DataView(eoie.buffer).setUint32(8, end);
  const head = new Uint8Array(12);
  head.set(encoder.encode("DIRC"));
  new DataView(head.buffer).setUint32(4, version);
  new DataView(head.buffer).setUint32(8, count);
  const extensions = table.length > 0 ? [ieot, wrap, secret, eoie] : [];
  const all = [head, ...parts, ...extensions, new Uint8Array(hash)];
  return new Uint8Array(all.flatMap((part) => [...part]));
}

const VERSIONS = [2, 3, 4] as const;

Deno.test("strayName finds what leads out of the working tree or into .git, in every version", () => {
  const cases = [
    { in: [], want: null },
    { in: ["a", "b/c", "b/cd"], want: null },
    { in: [".gitignore", ".github/x", "a.git/b", "a/.gitmodules", "..a/b", "a../b"], want: null },
    { in: ["a/b/"], want: null },
    { in: [".git/config"], want: ".git/config" },
    { in: ["a", "b/.git/hooks/x"], want: "b/.git/hooks/x" },
    { in: ["b/.GiT/x"], want: "b/.GiT/x" },
    { in: [".git"], want: ".git" },
    { in: ["a", "b/.git"], want: "b/.git" },
    { in: ["../x"], want: "../x" },
    { in: ["a/../../x"], want: "a/../../x" },
    { in: ["a/.."], want: "a/.." },
    { in: ["/etc/x"], want: "/etc/x" },
    { in: ["x".repeat(4096)], want: null },
    { in: ["x".repeat(4097)], want: "a path that is too long" },
    { in: ["a/b.git/x", "a/.git/x"], want: "a/.git/x" },
    { in: ["a/.gitx", "a/.git"], want: "a/.git" },
    { in: ["b/.gi", "b/.git/x"], want: "b/.git/x" },
    { in: [".git\0ignored"], want: ".git" },
  ];
  for (const version of VERSIONS) {
    for (const hash of [20, 32] as const) {
      for (const { in: names, want } of cases) {
        if (version === 4 && names.some((name) => name.length > 120)) continue;
        const found = strayName(made(names, { version, hash }), hash);
        assertEquals(
          found,
          want,
          `version ${version}, ${hash} bytes: ${names.join().slice(0, 40)}`,
        );
      }
    }
  }
});

Deno.test("strayName reads what git reads by several threads as well", () => {
  for (const version of VERSIONS) {
    const hidden = strayName(made(["a"], { version, hidden: ".git/config" }), 20);
    assertEquals(hidden, ".git/config");
    assertEquals(strayName(made(["a", "ab"], { version, blocks: [[0, 1], [1, 1]] }), 20), null);
  }
  // A block begins without the name before it.
  const names = ["a", "a/etc/x"];
  assertEquals(strayName(made(names, { version: 4, blocks: [[0, 1], [1, 1]] }), 20), "/etc/x");
  const many = Array.from({ length: 9 }, (): [number, number] => [0, 1]);
  assertEquals(
    strayName(made(["a", "b"], { blocks: many }), 20),
    "a table of blocks that are none",
  );
});

Deno.test("strayName leaves to git what git refuses, and ends", () => {
  const whole = made(["a", ".git/x"]);
  for (let length = 0; length < 100; length++) {
    assertEquals(strayName(whole.slice(0, length), 20), null);
  }
  for (const count of [3, 1000, 0xffffffff]) {
    assertEquals(strayName(made(["a", "b"], { count }), 20), null);
  }
  const other = made([".git/x"]);
  other[0] = 0;
  assertEquals(strayName(other, 20), null);
  const newer = made([".git/x"]);
  newer[7] = 5;
  assertEquals(strayName(newer, 20), null);
});
