import { assertEquals } from "@std/assert";
import type { ShellState } from "../../src/session/shell_state.ts";
import { StateReader, type StateReport } from "../../src/session/state_reader.ts";
import { testPolicy } from "./test_policy.ts";

const BEFORE: ShellState = {
  cwd: "/work",
  environment: { HOME: "/home/u" },
  functions: new Map([["old", "old () \n{ \n    :\n}"]]),
  aliases: new Map([["ll", "ls -l"]]),
};

/** Read a report that arrives in pieces of `size` bytes, in one buffer that is used again. */
function read(
  fields: readonly string[],
  { size = 65_536, policy = testPolicy() } = {},
): StateReport {
  const reader = new StateReader();
  const bytes = new TextEncoder().encode(fields.map((field) => `${field}\0`).join(""));
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    reader.push(buffer.subarray(0, piece.length));
  }
  return reader.finish(BEFORE, policy);
}

function functionText(name: string, body: string): string {
  return `${name} () \n{ \n    ${body}\n}`;
}

Deno.test("StateReader keeps every value as it was, however the bytes arrive", () => {
  const value = "a'b\"c\\d\n$(id)\t\u00e9\u{1f600}\ufeff=";
  for (const size of [1, 2, 3, 7, 4096]) {
    const { state, finished, dropped } = read(
      ["C/a b/\u00e9\n", `VX=${value}`, `Aq=${value}`, "E"],
      { size },
    );
    assertEquals(state?.cwd, "/a b/\u00e9");
    assertEquals(state?.environment, { X: value });
    assertEquals([...state!.aliases], [["q", value]]);
    assertEquals({ finished, dropped }, { finished: true, dropped: null });
  }
});

Deno.test("StateReader tells a command that came to its end from one that left", () => {
  const cases = [
    { in: ["C/a\n", "E"], want: { kept: true, finished: true } },
    { in: ["C/a\n"], want: { kept: true, finished: false } },
    { in: ["E"], want: { kept: false, finished: true } },
    { in: [], want: { kept: false, finished: false } },
    { in: ["VX=1"], want: { kept: false, finished: false } },
  ];
  for (const { in: fields, want } of cases) {
    const { state, finished } = read(fields);
    assertEquals({ kept: state !== null, finished }, want, JSON.stringify(fields));
  }
});

Deno.test("StateReader ignores a field that is cut off", () => {
  const reader = new StateReader();
  reader.push(new TextEncoder().encode("C/a\n\0VX=1\0VY=cut"));
  assertEquals(reader.finish(BEFORE, testPolicy()).state?.environment, { X: "1" });
});

Deno.test("StateReader takes no directory that is not absolute", () => {
  for (const field of ["Crel\n", "C\n", "C..", "C./x", "C"]) {
    assertEquals(read([field, "C/a\n", field, "E"]).state?.cwd, "/a", field);
    assertEquals(read([field, "E"]).state, null, field);
  }
});

Deno.test("StateReader keeps the variables that the policy lets a command have", async (t) => {
  const cases = [
    { in: "PLAIN=1", want: true },
    { in: "PATH=/x", want: true },
    { in: "PAGER=less", want: true },
    { in: "EMPTY=", want: true },
    { in: "LD_PRELOAD=/x.so", want: false },
    { in: "LD_LIBRARY_PATH=/x", want: false },
    { in: "BASH_ENV=/x", want: false },
    { in: "ENV=/x", want: false },
    { in: "PROMPT_COMMAND=id", want: false },
    { in: "PS4=$(id)", want: false },
    { in: "NODE_OPTIONS=--require /x", want: false },
    { in: "GIT_SSH_COMMAND=id", want: false },
    { in: "GIT_CONFIG_KEY_0=core.pager", want: false },
    { in: "BASH_FUNC_ls%%=() { id; }", want: false },
    { in: "DENIED=1", want: false },
    { in: "SHLVL=7", want: false },
    { in: "PWD=/x", want: false },
    { in: "_=/x", want: false },
    { in: "1X=1", want: false },
    { in: "A B=1", want: false },
    { in: "=1", want: false },
    { in: "NOVALUE", want: false },
  ];
  const policy = testPolicy({ env: { allow: ["HOME"], deny: ["DENIED"] } });
  for (const { in: entry, want } of cases) {
    await t.step(entry, () => {
      const name = entry.split("=")[0]!;
      const { environment } = read(["C/a\n", `V${entry}`, "E"], { policy }).state!;
      assertEquals(Object.hasOwn(environment, name), want);
    });
  }
});

Deno.test("StateReader keeps a variable such as NODE_OPTIONS where a rule names it", () => {
  const policy = testPolicy({ env: ["NODE_OPTIONS"] });
  assertEquals(read(["C/a\n", "VNODE_OPTIONS=x", "E"], { policy }).state?.environment, {
    NODE_OPTIONS: "x",
  });
});

Deno.test("StateReader drops a variable with which nothing could be started, and says so", () => {
  const most = 131_072 - "BIG=".length - 1;
  assertEquals(read(["C/a\n", `VBIG=${"x".repeat(most)}`, "E"]).dropped, null);
  const { state, dropped } = read(["C/a\n", `VBIG=${"x".repeat(most + 1)}`, "VX=1", "E"]);
  assertEquals(state?.environment, { X: "1" });
  assertEquals(dropped, "variable BIG is longer than 131071 bytes");
});

Deno.test("StateReader takes for a function only what is the definition of one", async (t) => {
  const cases = [
    { in: ["f", functionText("f", ":")], want: true },
    { in: ["f", functionText("f", "cat <<E\n$(id)\nE\n")], want: true },
    { in: ["f", functionText("f", ":") + " > /tmp/x 2>&1"], want: true },
    { in: ["a-b", "function a-b () \n{ \n    :\n}"], want: true },
    { in: ["\u00e9", functionText("\u00e9", ":")], want: true },
    { in: ["printf", functionText("printf", "echo mine")], want: true },
    { in: ["exit", functionText("exit", "echo stay")], want: true },
    { in: ["f", functionText("g", ":")], want: false },
    { in: ["f", "id"], want: false },
    { in: ["f", `${functionText("f", ":")}; id`], want: false },
    { in: ["f", `${functionText("f", ":")}\nid`], want: false },
    { in: ["f", `${functionText("f", ":")} & id`], want: false },
    { in: ["f", `${functionText("f", ":")} | id`], want: false },
    { in: ["f", `id; ${functionText("f", ":")}`], want: false },
    { in: ["f", `X=$(id) ${functionText("f", ":")}`], want: false },
    { in: ["f", `${functionText("f", ":")} <<E\n$(id)\nE\nid`], want: false },
    { in: ["f", "f () \n{ \n    echo 'open\n}"], want: false },
    { in: ["f", ""], want: false },
    { in: ["f;id", "f;id () { :; }"], want: false },
  ] as const;
  for (const { in: [name, text], want } of cases) {
    await t.step(JSON.stringify(text), () => {
      const { state, dropped } = read(["C/a\n", `F${name}\n${text}`, "E"]);
      assertEquals([...state!.functions], want ? [[name, text]] : []);
      assertEquals(
        dropped,
        want ? null : `function ${name}: it is not the definition of a function`,
      );
    });
  }
});

Deno.test("StateReader keeps no function that would stand in for what hands the state over", () => {
  const { state, dropped } = read(["C/a\n", `Fbuiltin\n${functionText("builtin", ":")}`, "E"]);
  assertEquals(state?.functions.size, 0);
  assertEquals(dropped, "function builtin: a function of this name cannot be kept");
});

Deno.test("StateReader keeps no alias that hides a keyword", () => {
  for (const name of ["if", "for", "{", "!", "[[", "time", "function", "done"]) {
    const { state, dropped } = read(["C/a\n", `A${name}=id; ${name}`, "All=ls", "E"]);
    assertEquals([...state!.aliases], [["ll", "ls"]], name);
    assertEquals(dropped, `alias ${name}: it hides a keyword`);
  }
});

Deno.test("StateReader keeps the earlier functions and aliases when the new ones are too long for an argument", () => {
  // Every apostrophe costs two bytes in the quoted form: the bound is on what is really passed on.
  const fields = [
    "C/a\n",
    `Ff\n${functionText("f", `: "${"'".repeat(31_000)}"`)}`,
    "Aa=b",
    "VX=1",
    "E",
  ];
  const { state, dropped } = read(fields);
  assertEquals(state?.functions, BEFORE.functions);
  assertEquals(state?.aliases, BEFORE.aliases);
  assertEquals(state?.environment, { X: "1" });
  assertEquals(dropped, "functions and aliases are longer than 60000 bytes");
});

Deno.test("StateReader keeps at most 1 MiB, and the session goes on with the state before", () => {
  const entries = Array.from({ length: 10 }, (_, index) => `VX${index}=${"x".repeat(100_000)}`);
  const fits = read(["C/a\n", ...entries, "E"]);
  assertEquals(Object.keys(fits.state!.environment).length, 10);
  const { state, finished, dropped } = read(["C/a\n", ...entries, ...entries, "E"]);
  assertEquals({ state, finished }, { state: null, finished: true });
  assertEquals(dropped?.endsWith("bytes is larger than 1048576"), true);
});

Deno.test("StateReader keeps no more than later commands can be given in time, and says so briefly", () => {
  const many = (count: number, field: (index: number) => string) =>
    read(["C/a\n", ...Array.from({ length: count }, (_, index) => field(index)), "E"]);
  const variables = many(2001, (index) => `VX${index}=1`);
  assertEquals([variables.state!.environment.X5, variables.finished], [undefined, true]);
  assertEquals(variables.dropped, "there are more than 2000 variables");
  assertEquals(Object.keys(many(2000, (index) => `VX${index}=1`).state!.environment).length, 2000);
  const functions = many(1001, (index) => `Ff${index}\nf${index} () \n{ \n    :\n}\n`);
  assertEquals(functions.state!.functions.has("f5"), false);
  assertEquals(functions.dropped, "there are more than 1000 functions");
  const names = many(50, (index) => `F${"n".repeat(5000)}${index}\nid`);
  assertEquals(names.dropped!.length < 2000, true);
  assertEquals(names.dropped!.endsWith("; and 42 more"), true);
});
