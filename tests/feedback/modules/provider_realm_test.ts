import { assert, assertEquals, assertThrows } from "@std/assert";
import type { ProviderModule } from "../../../src/feedback/modules/provider_protocol.ts";
import { ProviderRealm } from "../../../src/feedback/modules/provider_realm.ts";
import { translateModule } from "../../../src/feedback/modules/translate_module.ts";

/** A context as a realm is told it: only what the tests look at. */
const CONTEXT = JSON.stringify({ call: 7, state: { memory: { seen: 1 } } });

function realmOf(sources: Readonly<Record<string, string>>, timeoutMs = 2_000): ProviderRealm {
  const modules = Object.entries(sources).map(([path, source]): ProviderModule => {
    const { code, specifiers } = translateModule(source);
    return { path, code, imports: Object.fromEntries(specifiers.map((name) => [name, name])) };
  });
  return new ProviderRealm(modules, { timeoutMs });
}

function ask(source: string, timeoutMs = 2_000): { value: unknown; memory: unknown } {
  const realm = realmOf({ root: source }, timeoutMs);
  return JSON.parse(realm.ask("provide", { context: CONTEXT, timeoutMs }));
}

/** A module whose provider says what an expression comes to. */
const says = (expression: string) => `export default { provide: () => (${expression}) };`;

Deno.test("ProviderRealm asks a TypeScript provider, which keeps its notes and may take its time", () => {
  const source = `
    interface Told { readonly call: number; state: { memory: Record<string, unknown> } }
    const enumerated = enumOf<string>("calls");
    function enumOf<T>(value: T): T { return value; }
    export default {
      async provide({ call, state }: Told) {
        await null;
        state.memory.seen = call;
        return { summary: \`\${call as number} \${enumerated}\` };
      },
    } satisfies { provide(told: Told): unknown };`;
  assertEquals(ask(source), { value: { summary: "7 calls" }, memory: { seen: 7 } });
});

Deno.test("ProviderRealm asks shouldRun, and takes a provider without one for willing", () => {
  const cases = [
    { in: says("null"), want: true },
    {
      in: "export default { shouldRun: ({ call }) => call > 7, provide: () => null };",
      want: false,
    },
    { in: "export default { shouldRun: async ({ call }) => call > 6, provide() {} };", want: true },
  ];
  for (const { in: source, want } of cases) {
    const realm = realmOf({ root: source });
    const answer = realm.ask("shouldRun", { context: CONTEXT, timeoutMs: 2_000 });
    assertEquals(JSON.parse(answer).value, want, source);
  }
});

Deno.test("ProviderRealm links modules, also those that import each other", () => {
  const realm = realmOf({
    root: `import { b } from "b"; export const a = 1; export default { provide: () => b() };`,
    b: `import { a } from "root"; export const b = () => a + 1;`,
  });
  const answer = realm.ask("provide", { context: CONTEXT, timeoutMs: 2_000 });
  assertEquals(JSON.parse(answer).value, 2);
});

Deno.test("ProviderRealm has the language and nothing else", () => {
  const names = [
    ...["Deno", "process", "require", "console", "fetch", "WebSocket", "Worker", "navigator"],
    ...["postMessage", "onmessage", "self", "close", "setTimeout", "setInterval", "performance"],
    ...["queueMicrotask", "WebAssembly", "SharedArrayBuffer", "Atomics", "BroadcastChannel"],
  ];
  const { value } = ask(says(`[${names.map((name) => `typeof ${name}`)}].join()`));
  // Of these a module of the old kind has one, which loads what it imports.
  assertEquals(value, names.map((name) => name === "require" ? "function" : "undefined").join());
  assertEquals(ask(says("typeof JSON + typeof Map + typeof Intl")).value, "objectfunctionobject");
});

Deno.test("ProviderRealm makes no code from text, and so leaves no way to import()", () => {
  const makers = [
    `eval("1")`,
    `new Function("return 1")()`,
    `(() => {}).constructor("return 1")()`,
    `(async () => {}).constructor("return import('node:process')")()`,
    `globalThis.constructor.constructor("return 1")()`,
  ];
  for (const maker of makers) {
    assertThrows(() => ask(says(maker)), Error, "Code generation from strings disallowed", maker);
  }
  assertThrows(() => ask(says(`require("node:process")`)), Error, "Cannot import node:process");
  assertThrows(() => translateModule(says(`import("node:process")`)), SyntaxError, "import()");
  assertThrows(() => translateModule(says("import.meta.url")), SyntaxError, "import.meta");
  assertEquals(translateModule(`// import("x")\n${says(`"import.meta"`)}`).specifiers, []);
});

Deno.test("ProviderRealm ends what never ends, in a statement, a promise, a pattern, a getter", () => {
  const endless = [
    `for (;;); ${says("1")}`,
    `export default { provide() { for (;;); } };`,
    `export default { async provide() { for (;;) await null; } };`,
    `export default { provide: () => /^(a+)+$/.test("a".repeat(40) + "b") };`,
    `export default { provide: () => ({ toJSON() { for (;;); } }) };`,
    `export default { provide: () => ({ get summary() { for (;;); } }) };`,
    `export default { provide() { Promise.resolve().then(() => { for (;;); }); return 1; } };`,
    `export default { get provide() { for (;;); } };`,
  ];
  for (const source of endless) {
    assertThrows(() => ask(source, 200), Error, "it took longer than 200 ms", source);
  }
  assertThrows(() => ask(says("new Promise(() => {})")), Error, "it waits for something");
});

Deno.test("ProviderRealm takes no more than an answer may have, and only data", () => {
  const cases = [
    { in: says(`"x".repeat(70_000)`), want: "it says too much" },
    { in: says("(() => { const a = {}; a.a = a; return a; })()"), want: "circular" },
    { in: says("1n"), want: "BigInt" },
    { in: `export default { provide() { throw { toString: null }; } };`, want: "cannot be shown" },
    { in: `export default { provide() { throw null; } };`, want: "null" },
    { in: `throw new Error("at once"); export {};`, want: "at once" },
    { in: "export default {};", want: 'no function "provide"' },
    { in: "export const provide = 1;", want: 'no function "provide"' },
    { in: `(function f() { f(); })(); ${says("1")}`, want: "call stack" },
    { in: "export default { provide() { return ;;", want: "" },
  ];
  for (const { in: source, want } of cases) assertThrows(() => ask(source), Error, want, source);
  assertEquals(ask(says(`"x".repeat(60_000).length`)).value, 60_000);
});

Deno.test("ProviderRealm is none the worse for a module that changes the language's own objects", () => {
  const tricks = [
    `Object.prototype.then = (resolve) => resolve("then");`,
    `JSON.stringify = () => "forged"; JSON.parse = () => ({});`,
    `Promise.prototype.then = function () { return this; };`,
    `Array.prototype[Symbol.iterator] = null;`,
    `Object.defineProperty(Object.prototype, "failure", { get: () => "forged" });`,
    `Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getThis?.());`,
    `globalThis.take = () => ({}); globalThis.ask = null;`,
    `Object.setPrototypeOf(globalThis, new Proxy({}, { get() { throw 1; } }));`,
  ];
  for (const trick of tricks) {
    try {
      const answer = ask(`${trick}\n${says(`({ summary: "said" })`)}`);
      assert(typeof answer === "object" && answer !== null, trick);
    } catch (error) {
      assert(error instanceof Error, `${trick}: what comes out is this thread's`);
    }
    // This thread's objects are as they were.
    assertEquals(JSON.parse(JSON.stringify([{ a: 1 }])), [{ a: 1 }], trick);
    assertEquals("then" in {}, false, trick);
  }
});

Deno.test("ProviderRealm awaits an answer with functions of its own, which make no code either", () => {
  const trap = says("({ then(resolve) { resolve(resolve.constructor('return 1')()); } })");
  assertThrows(() => ask(trap), Error, "Code generation from strings disallowed");
  assertEquals(ask(says("({ then(resolve) { resolve(typeof resolve); } })")).value, "function");
});

Deno.test("ProviderRealm lets no module format stacks, for which Deno hands over objects of the thread", () => {
  const code = `(site) => {
    try {
      return Object.getPrototypeOf(site).constructor.constructor("return typeof Deno")();
    } catch (error) {
      return String(error);
    }
  }`;
  const format = `(_, sites) => sites.map(${code})`;
  const places = [
    `Error.prepareStackTrace = ${format};`,
    `Object.defineProperty(Error, "prepareStackTrace", { value: ${format} });`,
    `delete Error.prepareStackTrace; Error.__proto__.prepareStackTrace = ${format};`,
    `globalThis.Error = { prepareStackTrace: ${format} };`,
    `delete globalThis.Error; globalThis.Error = { prepareStackTrace: ${format} };`,
    `Object.defineProperty(globalThis, "Error", { get: () => ({ prepareStackTrace: ${format} }) });`,
    `Object.setPrototypeOf(globalThis, { Error: { prepareStackTrace: ${format} } });`,
    `Reflect.set(globalThis, "Error", { prepareStackTrace: ${format} });`,
    `var Error = { prepareStackTrace: ${format} };`,
    `TypeError.prepareStackTrace = ${format};`,
  ];
  const own = "const { captureStackTrace } = Error; const { stringify } = JSON;";
  const say = says(
    `{ const told = {}; captureStackTrace(told); return stringify([
    told.stack, new TypeError("x").stack, new RangeError("x").stack,
  ]); }`.replace(/^/, "(() => ").replace(/$/, ")()"),
  );
  for (const place of places) {
    const source = `${own} (() => { try { (0, () => { ${place} })(); } catch {} })();\n${say}`;
    const text = String(ask(source).value);
    assert(!/object|EvalError/.test(text), `${place}: ${text}`);
    assert(text.includes("TypeError: x"), `${place}: ${text}`);
  }
});
