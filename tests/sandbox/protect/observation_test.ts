import { assertEquals, assertThrows } from "@std/assert";
import type { FileState } from "../../../src/sandbox/protect/file_state.ts";
import {
  decodeObservation,
  encodeObservation,
  type Observation,
} from "../../../src/sandbox/protect/observation.ts";
import type { ProtectedEntry } from "../../../src/sandbox/protect/protected_entry.ts";

const file = (...bytes: number[]): FileState => ({
  kind: "file",
  mode: 0o755,
  uid: 1,
  gid: 2,
  bytes: Uint8Array.from(bytes),
});

function observation(...entries: readonly ProtectedEntry[]): Observation {
  return {
    roots: [{ path: "/w\xff", walked: true }, { path: "/", walked: false }],
    excepted: ["/w/é"],
    hooks: [".husky/_"],
    gitDirectories: new Map([["/w/.git", "1:2:3"]]),
    entries: new Map(entries.map((entry) => [entry.path, entry])),
  };
}

Deno.test("decodeObservation() gives back what encodeObservation() has taken", () => {
  const absent = { kind: "absent" } as const;
  const directory: FileState = {
    kind: "directory",
    mode: 0o700,
    uid: 3,
    gid: 4,
    entries: new Map<string, FileState>([
      ["new\nline", file(10, 0, 255)],
      ["\xfe", { kind: "link", target: "../\xff" }],
      ["empty", file()],
      ["inner", { kind: "directory", mode: 0o755, uid: 0, gid: 0, entries: new Map() }],
    ]),
  };
  const entries: readonly ProtectedEntry[] = [
    { kind: "hooks", path: "/w/.git/hooks", holder: "/w/.git", state: directory },
    { kind: "config", path: "/w/.git/config", holder: "/w/.git", state: file(1, 2, 3) },
    { kind: "tree", path: "/w/.envrc", holder: "/w", state: absent },
    { kind: "tree", path: "/v/.envrc", holder: "/v", state: absent },
    { kind: "tree", path: "/w/ci", holder: "/w/ci", state: absent },
    { kind: "tree", path: "/.envrc", holder: "/", state: absent },
  ];
  const one = observation(...entries);
  assertEquals(decodeObservation(encodeObservation(one)), one);
  assertEquals(decodeObservation(encodeObservation(observation())), observation());
});

Deno.test("encodeObservation() leaves out what nobody can put back", () => {
  const states: readonly FileState[] = [
    { kind: "unknown", reason: "x" },
    { kind: "blocked", at: "a" },
  ];
  for (const state of states) {
    const one = observation({ kind: "tree", path: "/w/a", holder: "/w", state });
    assertEquals(decodeObservation(encodeObservation(one)).entries.size, 0);
  }
});

Deno.test("encodeObservation() writes the names that many directories share once", () => {
  const many = (count: number) =>
    observation(
      ...Array.from({ length: count * 100 }, (_, index): ProtectedEntry => ({
        kind: "tree",
        path: `/w/${index % count}/.protected-name-${Math.floor(index / count)}`,
        holder: `/w/${index % count}`,
        state: { kind: "absent" },
      })),
    );
  const [small, large] = [many(1), many(50)].map((one) => encodeObservation(one).length);
  assertEquals(large! < 2 * small!, true, `${small} and ${large} bytes`);
});

Deno.test("decodeObservation() refuses what is cut off", () => {
  const bytes = encodeObservation(observation());
  for (const length of [0, 1, bytes.length - 2]) {
    assertThrows(() => decodeObservation(bytes.slice(0, length)), SyntaxError);
  }
});
