import { assertEquals } from "@std/assert";
import { calledModules } from "../../tools/profile_start.ts";

Deno.test("calledModules() weighs functions by their own text, without that of functions inside", () => {
  const modules = [{ module: "a", offset: 0 }, { module: "b", offset: 100 }];
  const functions = [
    { start: 0, end: 100, called: true },
    { start: 10, end: 70, called: false },
    { start: 100, end: 200, called: false },
    { start: 110, end: 180, called: true },
  ];
  assertEquals(calledModules(functions, { modules, share: 0.5 }), ["b"]);
  assertEquals(calledModules(functions, { modules, share: 0.4 }), ["a", "b"]);
});
