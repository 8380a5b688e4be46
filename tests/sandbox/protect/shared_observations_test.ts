import { assertEquals, assertThrows } from "@std/assert";
import { SystemCallError } from "../../../src/errors.ts";
import type { Observation } from "../../../src/sandbox/protect/observation.ts";
import {
  type OtherObservation,
  SharedObservations,
} from "../../../src/sandbox/protect/shared_observations.ts";
import { TempTree } from "../temp_tree.ts";

function observation(name: string): Observation {
  const none = { roots: [], hooks: [], gitDirectories: new Map(), entries: new Map() };
  return { ...none, excepted: [name] };
}

/** Begins, and says what others have told. */
function begin(shared: SharedObservations, name: string): readonly string[] {
  let seen: readonly OtherObservation[] = [];
  shared.begin((others) => {
    seen = others;
    return observation(name);
  });
  return seen.map(({ observation: { excepted }, busy }) => `${excepted}${busy ? "" : " rests"}`);
}

function names(tree: TempTree): readonly string[] {
  return [...Deno.readDirSync(tree.at("shared"))].map(({ name }) => name).sort();
}

Deno.test("SharedObservations tells who lives, oldest first, and nothing of who is gone", () => {
  using tree = new TempTree({ file: "" });
  const open = () => new SharedObservations(tree.at("shared"));
  const [a, b, c] = [open(), open(), open()];
  assertEquals(names(tree), ["order"]);
  assertEquals(begin(a, "a"), []);
  assertEquals(begin(b, "b"), ["a"]);
  assertEquals(begin(c, "c"), ["a", "b"]);
  a.rest();
  assertEquals([a.isBusy, b.isBusy], [false, true]);
  assertEquals(begin(b, "b again"), ["a rests", "c"]);
  // A new look is the youngest.
  assertEquals(begin(a, "a again"), ["c", "b again"]);
  c.close();
  assertEquals(begin(b, "b"), ["a again"]);
  for (const one of [a, b]) one.close();
  assertEquals(names(tree), ["order"]);
});

Deno.test("SharedObservations removes what a killed session has left, and keeps its files to the user", () => {
  using tree = new TempTree({ file: "" });
  const shared = new SharedObservations(tree.at("shared"));
  assertEquals(begin(shared, "a"), []);
  assertEquals(Deno.statSync(tree.at("shared")).mode! & 0o777, 0o700);
  for (const name of names(tree)) {
    assertEquals(Deno.statSync(tree.at(`shared/${name}`)).mode! & 0o777, 0o600, name);
  }
  const left = "000000000007-busy";
  Deno.copyFileSync(tree.at("shared/000000000001-busy"), tree.at(`shared/${left}`));
  tree.add("shared/000000000008-idle", "cut o");
  tree.add("shared/of-another-version", "x");
  const second = new SharedObservations(tree.at("shared"));
  assertEquals(begin(second, "b"), ["a"]);
  assertEquals(names(tree), [
    "000000000001-busy",
    "000000000009-busy",
    "of-another-version",
    "order",
  ]);
  for (const one of [shared, second]) one.close();
});

Deno.test("SharedObservations says when others cannot be told, or what they tell is unreadable", () => {
  using tree = new TempTree({ file: "" });
  for (const place of ["file", "nosuch/shared"]) {
    assertThrows(() => new SharedObservations(tree.at(place)), SystemCallError);
  }
  const [a, b] = [1, 2].map(() => new SharedObservations(tree.at("shared"))) as [
    SharedObservations,
    SharedObservations,
  ];
  begin(a, "a");
  // Empty is what a full disk leaves.
  for (const unreadable of ["{", ""]) {
    tree.add("shared/000000000001-busy", unreadable);
    assertThrows(() => begin(b, "b"), SyntaxError);
  }
  // The lock is free again.
  assertEquals(begin(a, "a again"), []);
  assertEquals(begin(b, "b"), ["a again"]);
  for (const one of [a, b]) one.close();
});

Deno.test("SharedObservations writes only what is new, and is the youngest with each look", () => {
  using tree = new TempTree({ file: "" });
  const [a, b] = [
    new SharedObservations(tree.at("shared")),
    new SharedObservations(tree.at("shared")),
  ];
  const inode = (name: string) => Deno.statSync(tree.at(`shared/${name}`)).ino;
  begin(a, "a");
  const first = inode("000000000001-busy");
  a.rest();
  assertEquals(begin(a, "a"), []);
  assertEquals(inode("000000000001-busy"), first);
  begin(b, "b");
  assertEquals(begin(a, "a"), ["b"]);
  assertEquals(names(tree), ["000000000002-busy", "000000000003-busy", "order"]);
  assertEquals(inode("000000000003-busy"), first);
  assertEquals(begin(b, "b"), ["a"]);
  a.rest();
  begin(a, "a has seen more");
  assertEquals(begin(b, "b"), ["a has seen more"]);
  for (const one of [a, b]) one.close();
});
