import { assert, assertEquals, assertMatch } from "@std/assert";
import { moduleProvider } from "../../../src/feedback/modules/module_provider.ts";
import type { ProviderModule } from "../../../src/feedback/modules/provider_protocol.ts";
import { ProviderThread } from "../../../src/feedback/modules/provider_thread.ts";
import { withTrigger } from "../../../src/feedback/providers/builtin_providers.ts";
import { play } from "../providers/context.ts";

function providerOf(code: string, { timeoutMs = 3_000, name = "Mine" } = {}) {
  const modules: ProviderModule[] = [{ path: "/own/main.ts", code, imports: {} }];
  return moduleProvider({
    name,
    timeoutMs,
    graph: Promise.resolve({ modules, sha256: "0".repeat(64) }),
  });
}

const GOOD = `exports.default = {
  provide: ({ call, state }) => {
    state.memory.times = (state.memory.times ?? 0) + 1;
    return { summary: call + " calls, " + state.memory.times + " times." };
  },
};`;

Deno.test("moduleProvider asks a thread, keeps notes between commands, and waits for its trigger", async () => {
  const provider = withTrigger(providerOf(GOOD), { everyNCalls: 2 });
  const said = await play([provider], [{}, {}, {}, {}]);
  assertEquals(said, [
    [],
    ["[Feedback - Mine]\n2 calls, 1 times."],
    [],
    ["[Feedback - Mine]\n4 calls, 2 times."],
  ]);
});

Deno.test("moduleProvider starts each command with a fresh module", async () => {
  const code = `let count = 0;
exports.default = { provide: () => ({ summary: String(++count) }) };`;
  assertEquals(await play([providerOf(code)], [{}, {}]), [
    ["[Feedback - Mine]\n1"],
    ["[Feedback - Mine]\n1"],
  ]);
});

Deno.test("moduleProvider reports what fails in one line, and others speak all the same", async () => {
  const cases = [
    { in: "for (;;);", want: "it took longer than 300 ms" },
    { in: "exports.default = { provide() { for (;;); } };", want: "it took longer than 300 ms" },
    { in: "exports.default = { shouldRun() { for (;;); }, provide() {} };", want: "longer than" },
    { in: "exports.default = { provide() { throw new Error('no\\nway'); } };", want: "no" },
    { in: "exports.default = { provide: () => 'text' };", want: "no feedback" },
    { in: "exports.default = { provide: () => ({}) };", want: "no feedback" },
    { in: "exports.default = { provide: () => 'x'.repeat(1e6) };", want: "it says too much" },
    { in: "exports.default = { provide: () => postMessage(1) };", want: "postMessage is not" },
    { in: "exports.default = 1;", want: "provide" },
  ];
  const good = providerOf(GOOD, { name: "Good" });
  for (const { in: code, want } of cases) {
    const [texts = []] = await play([providerOf(code, { timeoutMs: 300 }), good], [{}]);
    const [line = "", ...rest] = texts;
    assert(line.startsWith("[Feedback - Mine] failed: "), `${code}: ${line}`);
    assert(line.includes(want), `${code}: ${line}`);
    assertEquals(line.split("\n").length, 1, code);
    assertEquals(rest, ["[Feedback - Good]\n1 calls, 1 times."], code);
  }
});

Deno.test("moduleProvider says nothing for null, and its cadence begins anew", async () => {
  const code = `exports.default = { provide: ({ state }) => {
  state.memory.asked = (state.memory.asked ?? 0) + 1;
  return state.memory.asked > 1 ? { summary: "asked " + state.memory.asked } : null;
} };`;
  const provider = withTrigger(providerOf(code), { everyNCalls: 2 });
  const said = await play([provider], [{}, {}, {}, {}]);
  assertEquals(said, [[], [], [], ["[Feedback - Mine]\nasked 2"]]);
});

Deno.test("moduleProvider takes notes as data: none of them becomes a prototype", async () => {
  const code = `exports.default = { provide: ({ state }) => {
  const before = JSON.stringify(state.memory);
  Object.defineProperty(state.memory, "__proto__", { value: { polluted: 1 }, enumerable: true });
  state.memory.kept = 1;
  return { summary: before };
} };`;
  const said = await play([providerOf(code)], [{}, {}]);
  assertEquals(said.flat(), ["[Feedback - Mine]\n{}", '[Feedback - Mine]\n{"kept":1}']);
  assertEquals("polluted" in {}, false);
});

Deno.test("ProviderThread is without permissions, also for its own code", async () => {
  // The thread's own realm, which no module reaches: even there nothing is granted.
  const url = new URL("./permissions_worker.ts", import.meta.url);
  const look = async (permissions: "none" | "inherit") => {
    const options = { type: "module", deno: { permissions } } as const;
    const worker = new Worker(url, options as WorkerOptions);
    try {
      return await new Promise<Record<string, string>>((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
      });
    } finally {
      worker.terminate();
    }
  };
  const free = await look("inherit");
  const confined = await look("none");
  assertEquals(Object.values(free), Object.values(free).map(() => "works"));
  for (const [name, result] of Object.entries(confined)) assertMatch(result, /^Requires/, name);
  const thread = new ProviderThread();
  const reply = await thread.order(
    { kind: "translate", path: "/x.ts", source: "export {};" },
    { reply: "translated", timeoutMs: 5_000 },
  );
  assertEquals(reply.specifiers, []);
  thread.end();
});
