import { assertEquals, assertObjectMatch, assertThrows } from "@std/assert";
import { PolicyError } from "../../src/errors.ts";
import { DEFAULT_LIMITS, tighterLimits } from "../../src/policy/limits.ts";
import { PolicyDirectory, policyOf } from "./fixture.ts";

Deno.test("limits replace the inherited ones, each with its place", () => {
  using directory = new PolicyDirectory({
    "base.jsonc": '{\n"limits": {\n"memory": "1G",\n"processes": 10,\n"idle": "10s" } }',
    "p.jsonc": '{ "extends": "./base.jsonc",\n"limits": { "memory": "50%", "idle": "none" } }',
  });
  const { limits } = directory.load("p.jsonc");
  assertObjectMatch(limits, { memoryBytes: 0, memoryPercent: 50, processes: 10, idleMs: 0 });
  const places = Object.entries(limits.sources).map(([name, at]) =>
    `${name} ${at?.replace(/.*\//, "")}`
  );
  assertEquals(places.sort(), ["idle p.jsonc:2", "memory p.jsonc:2", "processes base.jsonc:4"]);
});

Deno.test("tighterLimits() takes the lower of each, where 0 is no bound", () => {
  const limits = { ...DEFAULT_LIMITS, memoryPercent: 0 };
  const outer = { ...limits, memoryBytes: 5, openFiles: 0, sources: { memory: "o:1" } };
  const inner = {
    ...limits,
    memoryBytes: 9,
    openFiles: 7,
    sources: { memory: "i:1", openFiles: "i:2" },
  };
  assertObjectMatch(tighterLimits(outer, inner), {
    memoryBytes: 5,
    openFiles: 7,
    sources: { memory: "o:1", openFiles: "i:2" },
  });
});

Deno.test("limits that mean nothing are refused", () => {
  for (
    const limits of [{ memory: "much" }, { fileSize: "10%" }, { processes: -1 }, { idle: true }]
  ) {
    assertThrows(() => policyOf({ limits } as never), PolicyError);
  }
});
