import { assertEquals, assertStrictEquals } from "@std/assert";
import { parseArgs } from "@std/cli";
import { parseArgs as parseArgsOfSubpath, type ParseOptions } from "@std/cli/parse-args";

const CASES: { args: string[]; options?: ParseOptions; want: Record<string, unknown> }[] = [
  { args: ["--foo", "--bar=baz", "./x.txt"], want: { foo: true, bar: "baz", _: ["./x.txt"] } },
  { args: ["--port", "555", "-n", "5", "7"], want: { port: 555, n: 5, _: [7] } },
  { args: ["-x", "0x10", "-y", "10f"], want: { x: 16, y: "10f", _: [] } },
  { args: ["-abc"], want: { a: true, b: true, c: true, _: [] } },
  { args: ["-n5", "-f=abc=def"], want: { n: 5, f: "abc=def", _: [] } },
  { args: ["-xyz/foo/bar"], want: { x: true, y: true, z: "/foo/bar", _: [] } },
  { args: ["-cats", "woo"], want: { c: true, a: true, t: true, s: "woo", _: [] } },
  { args: ["-f-", "-"], want: { f: "-", _: ["-"] } },
  { args: ["-n", "-"], want: { n: "-", _: [] } },
  { args: ["-e=="], want: { e: "=", _: [] } },
  { args: ["--s=X\nX", "-v", "a", "-v", "b"], want: { s: "X\nX", v: "b", _: [] } },
  { args: ["--a.b", "22", "--a.c"], want: { a: { b: 22, c: true }, _: [] } },
  { args: ["a", "--", "--b", "c"], want: { _: ["a", "--b", "c"] } },
  { args: ["a", "--", "--b"], options: { "--": true }, want: { _: ["a"], "--": ["--b"] } },
  { args: ["a"], options: { "--": true }, want: { _: ["a"], "--": [] } },
  {
    args: ["--force", "run", "--x"],
    options: { stopEarly: true, boolean: ["force", "q"] },
    want: { force: true, q: false, _: ["run", "--x"] },
  },
  {
    args: ["moo", "--honk", "cow", "-p", "55", "--tacos=good"],
    options: { boolean: true },
    want: { honk: true, tacos: "good", p: 55, _: ["moo", "cow"] },
  },
  {
    args: ["--verbose", "false", "moo", "-t", "true"],
    options: { boolean: ["t", "verbose"], default: { verbose: true } },
    want: { verbose: false, t: true, _: ["moo"] },
  },
  { args: ["--b=false"], options: { boolean: "b" }, want: { b: false, _: [] } },
  { args: ["-b", "-"], options: { boolean: "b" }, want: { b: true, _: ["-"] } },
  { args: ["-t", "123"], options: { boolean: ["t"] }, want: { t: true, _: [123] } },
  {
    args: ["-h", "derp"],
    options: { boolean: "herp", alias: { h: "herp" } },
    want: { h: true, herp: true, _: ["derp"] },
  },
  {
    args: ["--zm", "55"],
    options: { alias: { z: ["zm", "zoom"] } },
    want: { z: 55, zm: 55, zoom: 55, _: [] },
  },
  { args: ["--no-moo"], want: { "no-moo": true, _: [] } },
  {
    args: ["--foo", "--no-foo"],
    options: { boolean: ["foo"], negatable: ["foo"] },
    want: { foo: false, _: [] },
  },
  {
    args: ["--no-foo", "--foo"],
    options: { boolean: ["foo"], negatable: ["foo"] },
    want: { foo: true, _: [] },
  },
  { args: ["-s", "0001234"], options: { string: "s" }, want: { s: "0001234", _: [] } },
  { args: ["-art"], options: { string: ["a", "t"] }, want: { a: "", r: true, t: "", _: [] } },
  { args: ["--str"], options: { string: "str" }, want: { str: "", _: [] } },
  { args: ["1", " "], options: { string: "_" }, want: { _: ["1", " "] } },
  {
    args: ["--in", "a", "--in=b"],
    options: { string: ["in", "out"], collect: ["in", "out"] },
    want: { in: ["a", "b"], out: [], _: [] },
  },
  {
    args: [],
    options: { default: { "a.b": 11 }, alias: { "a.b": "c" } },
    want: { a: { b: 11 }, c: 11, _: [] },
  },
  { args: [], options: { string: "s", boolean: "b" }, want: { b: false, _: [] } },
];

Deno.test("parseArgs() reads flags as documented", () => {
  for (const { args, options, want } of CASES) {
    assertEquals({ ...parseArgs(args, options) }, want, JSON.stringify({ args, options }));
  }
});

Deno.test("parseArgs() calls unknown with what no option names and drops it on false", () => {
  const calls: unknown[][] = [];
  const result = parseArgs(["-v", "--x=1", "pos", "--y", "z"], {
    boolean: "v",
    unknown: (arg, key, value) => {
      calls.push([arg, key, value]);
      return arg === "pos";
    },
  });
  assertEquals({ ...result }, { v: true, _: ["pos"] });
  assertEquals(calls, [["--x=1", "x", "1"], ["pos", undefined, undefined], ["--y", "y", "z"]]);
});

Deno.test("parseArgs() does not reach a prototype", () => {
  parseArgs(["--__proto__.polluted", "yes", "--constructor.prototype.polluted=yes"]);
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("parseArgs() types the flags that its options name", () => {
  const args = parseArgs(["-v", "--tag=a", "--name", "n"], {
    boolean: ["v"],
    string: ["name", "tag"],
    collect: ["tag"],
    "--": true,
  });
  const verbose: boolean = args.v;
  const name: string | undefined = args.name;
  const tags: string[] = args.tag;
  const rest: string[] = args["--"];
  assertEquals({ verbose, name, tags, rest }, { verbose: true, name: "n", tags: ["a"], rest: [] });
});

Deno.test("@std/cli/parse-args exports the parseArgs() of @std/cli", () => {
  assertStrictEquals(parseArgsOfSubpath, parseArgs);
});
