import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import { userPaths } from "../../src/session/session_paths.ts";
import { TestPlace } from "./test_session.ts";

Deno.test("userPaths() follows the XDG variables that are absolute", async (t) => {
  const cases = [
    {
      in: { HOME: "/nosuch/u" },
      want: {
        home: "/nosuch/u",
        state: "/nosuch/u/.local/state/debrief",
        config: "/nosuch/u/.config/debrief",
      },
    },
    {
      in: { HOME: "/nosuch/u", XDG_STATE_HOME: "/nosuch/s", XDG_CONFIG_HOME: "/nosuch/c" },
      want: { home: "/nosuch/u", state: "/nosuch/s/debrief", config: "/nosuch/c/debrief" },
    },
    {
      in: { HOME: "/nosuch/u", XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "" },
      want: {
        home: "/nosuch/u",
        state: "/nosuch/u/.local/state/debrief",
        config: "/nosuch/u/.config/debrief",
      },
    },
  ];
  for (const { in: environment, want } of cases) {
    await t.step(
      JSON.stringify(environment),
      () => assertEquals(userPaths(environment, null), want),
    );
  }
  assertEquals(userPaths({ HOME: "/nosuch/u" }, "/nosuch/j").state, "/nosuch/j");
});

Deno.test("userPaths() resolves links in what exists", () => {
  using place = new TestPlace();
  Deno.symlinkSync(place.at("home"), place.at("link"));
  assertEquals(userPaths({ HOME: place.at("link") }, null).home, place.at("home"));
  assertEquals(userPaths({ HOME: place.at("home") }, place.at("link")).state, place.at("home"));
});

Deno.test("userPaths() refuses a home that is absent or relative", () => {
  const cases = [
    { in: {}, want: "HOME is not set" },
    { in: { HOME: "" }, want: "HOME is not set" },
    { in: { HOME: "~" }, want: 'HOME is "~"' },
  ];
  for (const { in: environment, want } of cases) {
    const error = assertThrows(() => userPaths(environment, null), UsageError);
    assertEquals(
      error.message,
      `Cannot find the home directory: ${want}; set it to the absolute path of a directory of yours`,
    );
  }
});
