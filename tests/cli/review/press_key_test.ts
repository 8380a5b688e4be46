import { assertEquals, assertStringIncludes } from "@std/assert";
import { keyNames, KEYS } from "../../../src/cli/review/key_table.ts";
import { currentEntry, viewOf } from "../../../src/cli/review/review_state.ts";
import { ended, listed, pressed, read, screenOf } from "./entries.ts";

const [a, b, c, d] = [
  ended("a", 0),
  ended("b", 1, { parent_command_id: "d" }),
  ended("c", 0),
  ended("d", 2, { parent_command_id: "gone" }),
];
const state = read(a, b, c, d);

Deno.test("keyNames() takes characters that arrive together one by one", () => {
  const cases = [
    { in: ["j", {}], want: ["j"] },
    { in: ["jjq", {}], want: ["j", "j", "q"] },
    { in: ["", { upArrow: true }], want: ["up"] },
    { in: ["make\r", {}], want: ["m", "a", "k", "e", "return"] },
    { in: ["j", { ctrl: true }], want: [] },
    { in: ["j", { meta: true }], want: ["escape", "j"] },
    { in: ["", { escape: true, meta: true }], want: ["escape"] },
  ] as const;
  for (const { in: [input, flags], want } of cases) assertEquals(keyNames(input, flags), want);
});

Deno.test("KEYS has each key once", () => {
  const keys = KEYS.flatMap((row) => row.keys);
  assertEquals(new Set(keys).size, keys.length);
});

Deno.test("pressKey() moves in the list and stays within it", () => {
  const cases = [
    { in: [], want: "b" },
    { in: ["j"], want: "c" },
    { in: ["k", "k", "k"], want: "a" },
    { in: ["G"], want: "d" },
    { in: ["G", "down"], want: "d" },
    { in: ["G", "g"], want: "a" },
    { in: ["pagedown"], want: "d" },
    { in: ["pagedown", "b"], want: "a" },
    { in: ["n"], want: "d" },
    { in: ["n", "N"], want: "b" },
    { in: ["n", "n"], want: "d" },
    { in: ["x"], want: "b" },
  ];
  for (const { in: keys, want } of cases) {
    assertEquals(currentEntry(pressed(state, keys).state)?.command_id, want, keys.join(" "));
  }
  assertEquals(pressed(state, ["n", "n"]).state.message, "no further failure");
  for (const { keys: [key = ""] } of KEYS) pressed(read(), [key, key]);
});

Deno.test("pressKey() filters while a text is typed", () => {
  const typed = pressed(state, ["/", ..."echo h"]).state;
  assertEquals([typed.filter.text, typed.prompt, listed(typed)], ["echo h", "echo h", "a b c d"]);
  const none = pressed(typed, ["q", "\x07"]);
  assertEquals([none.effect, none.state.filter.text, listed(none.state)], [null, "echo hq", ""]);
  const back = pressed(none.state, ["backspace"]).state;
  assertEquals(listed(back), "a b c d");
  assertEquals(pressed(back, ["return"]).state.prompt, null);
  assertEquals(pressed(back, ["return"]).state.filter.text, "echo h");
  assertEquals(pressed(back, ["escape"]).state.filter.text, "");
  assertEquals(pressed(back, ["return", "s", "escape"]).state.filter, { status: "all", text: "" });
});

Deno.test("pressKey() opens views and closes them in turn", () => {
  const cases = [
    { in: ["return"], want: ["detail"] },
    { in: ["return", "o"], want: ["detail", "output"] },
    { in: ["return", "c", "return"], want: ["chain", "detail"] },
    { in: ["return", "o", "escape"], want: ["detail"] },
    { in: ["?", "left"], want: [] },
    { in: ["?", "c", "c", "?"], want: ["chain", "help"] },
    { in: ["o", "tab"], want: ["output"] },
  ];
  for (const { in: keys, want } of cases) {
    assertEquals(pressed(state, keys).state.views.map(({ kind }) => kind), want, keys.join(" "));
  }
});

Deno.test("pressKey() shows all attempts of a chain and opens the one that is chosen", () => {
  const chain = pressed(state, ["c"]).state;
  const text = screenOf(chain).join("\n");
  assertStringIncludes(text, " 2 attempts, the last failed with exit status 1");
  assertStringIncludes(text, "no longer in the journal: gone");
  const view = viewOf(pressed(chain, ["k", "return"]).state);
  assertEquals(view?.kind === "detail" && view.entry.command_id, "d");
  const none = read(ended("n", null));
  assertStringIncludes(screenOf(pressed(none, ["c"]).state).join("\n"), "has no exit status");
  const loop = read(ended("l", 0, { parent_command_id: "l" }));
  assertStringIncludes(screenOf(pressed(loop, ["c"]).state).join("\n"), "form a circle");
});

Deno.test("pressKey() opens the stream that has output, and says when there is none", () => {
  const [out, err] = [{ stdout: 5, stderr: 0 }, { stdout: 0, stderr: 5 }].map((bytes) =>
    viewOf(pressed(read(ended("a", 0, { bytes })), ["o"]).state)
  );
  assertEquals([out, err].map((view) => view?.kind === "output" && view.stream), [
    "stdout",
    "stderr",
  ]);
  const none = pressed(read(ended("a", 0, { output_id: null })), ["o"]).state;
  assertEquals([none.views, none.message], [[], "it has no kept output"]);
});

Deno.test("pressKey() pages through kept output to its last page", () => {
  const long = read(
    ended("a", 0, { lines: { stdout: 1_000, stderr: 0 }, bytes: { stdout: 9_000, stderr: 0 } }),
  );
  const cases = [
    { in: [], want: 1 },
    { in: ["j", "j"], want: 3 },
    { in: [" "], want: 22 },
    { in: ["G"], want: 980 },
    { in: ["G", "g"], want: 1 },
    { in: ["k"], want: 1 },
  ];
  for (const { in: keys, want } of cases) {
    const view = viewOf(pressed(long, ["o", ...keys]).state);
    assertEquals(view?.kind === "output" && view.top, want, keys.join(" "));
  }
});

Deno.test("pressKey() asks to copy an id and to quit, and for nothing else", () => {
  assertEquals(pressed(state, ["y"]).effect, { kind: "copy", id: "b" });
  assertEquals(pressed(state, ["return", "y"]).state.message, "copied b");
  assertEquals(pressed(state, ["c", "k", "y"]).effect, { kind: "copy", id: "d" });
  assertEquals(pressed(read(), ["y"]).effect, null);
  assertEquals(pressed(state, ["return", "q"]).effect, { kind: "quit" });
  assertEquals(pressed(state, ["j"]).effect, null);
});
