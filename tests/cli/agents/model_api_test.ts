/** The scripted model speaks each protocol, streaming and in one piece, and keeps what arrives. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { ModelApi, turnsInOrder } from "../../../src/cli/agents/model_api.ts";
import type { Turn } from "../../../src/cli/agents/dialogue.ts";

const CALL: Turn = { kind: "calls", calls: [{ name: "run", input: { command: "ls" } }] };

const tool = { name: "run" };

/** A request of each protocol: without a result and with one. */
const PROTOCOLS = [
  {
    path: "/v1/responses",
    tools: [tool, { type: "namespace", name: "mcp__debrief", tools: [tool] }],
    first: { input: [{ type: "message", role: "user", content: "do" }] },
    second: { input: [{ type: "function_call_output", call_id: "c", output: "listed" }] },
    called: '"arguments":"{\\"command\\":\\"ls\\"}"',
    ended: "event: response.completed",
    offered: [{ name: "run" }, { name: "run", namespace: "mcp__debrief" }],
  },
  {
    path: "/v1/chat/completions",
    tools: [{ type: "function", function: tool }],
    first: { messages: [{ role: "user", content: "do" }] },
    second: { messages: [{ role: "tool", tool_call_id: "c", content: "listed" }] },
    called: '"arguments":"{\\"command\\":\\"ls\\"}"',
    ended: "data: [DONE]",
    offered: [tool],
  },
  {
    path: "/v1/messages",
    tools: [tool],
    first: { messages: [{ role: "user", content: "do" }] },
    second: {
      messages: [{
        role: "user",
        content: [{ type: "tool_result", content: [{ type: "text", text: "listed" }] }],
      }],
    },
    called: '"partial_json":"{\\"command\\":\\"ls\\"}"',
    ended: "event: message_stop",
    offered: [tool],
  },
  {
    path: "/v1beta/models/m:streamGenerateContent",
    tools: [{ functionDeclarations: [tool] }],
    first: { contents: [{ parts: [{ text: "do" }] }] },
    second: { contents: [{ parts: [{ functionResponse: { response: { output: "listed" } } }] }] },
    called: '"args":{"command":"ls"}',
    ended: '"finishReason":"STOP"',
    offered: [tool],
  },
] as const;

async function post(url: string, body: unknown): Promise<string> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return await response.text();
}

for (const { path, tools, first, second, called, ended, offered } of PROTOCOLS) {
  Deno.test(`ModelApi follows its script in streams of ${path}`, async () => {
    await using api = new ModelApi(turnsInOrder([CALL], "finished"));
    const url = api.url + path;
    const one = await post(url, { ...first, tools, stream: true });
    assertStringIncludes(one, called);
    assertStringIncludes(one, ended);
    // A request that is repeated gets the same answer.
    assertStringIncludes(await post(url, { ...first, tools, stream: true }), called);
    const two = await post(url, { ...second, tools, stream: true });
    assertStringIncludes(two, "finished");
    assertEquals(two.includes("command"), false);
    for (const line of two.split("\n").filter((text) => text.startsWith("data: {"))) {
      JSON.parse(line.slice(6));
    }
    assertEquals(api.results, ["listed"]);
    assertEquals(api.requests.map(({ results }) => results.length), [0, 0, 1]);
    assertEquals(api.requests[0]?.tools, offered);
  });

  Deno.test(`ModelApi follows its script in one piece of ${path}`, async () => {
    await using api = new ModelApi(turnsInOrder([CALL], "finished"));
    const url = api.url + path.replace("streamG", "g");
    assertStringIncludes(await post(url, { ...first, tools }), "ls");
    assertStringIncludes(
      JSON.stringify(JSON.parse(await post(url, { ...second, tools }))),
      "finished",
    );
    assertEquals((await post(url, first)).includes("finished"), false);
  });
}

Deno.test("ModelApi answers what is of no protocol, and what is no JSON, without an error", async () => {
  await using api = new ModelApi(turnsInOrder([CALL], "finished"));
  const models = await fetch(`${api.url}/v1/models`);
  assertEquals(models.status, 200);
  await models.body?.cancel();
  const broken = await fetch(`${api.url}/v1/messages`, { method: "POST", body: "{" });
  assertEquals(broken.status, 200);
  await broken.body?.cancel();
  assertEquals(api.requests.map(({ protocol }) => protocol), [null, "messages"]);
});

Deno.test("turnsInOrder counts a turn's calls: the next comes when all have their results", () => {
  const two: Turn = { kind: "calls", calls: [...CALL.calls, ...CALL.calls] };
  const script = turnsInOrder([two, CALL], "end");
  const request = (count: number) => ({
    method: "POST",
    path: "/",
    protocol: "chat" as const,
    body: "",
    tools: [],
    results: Array.from({ length: count }, () => ""),
  });
  assertEquals([0, 1, 2, 3].map((count) => script(request(count))), [
    two,
    CALL,
    CALL,
    { kind: "text", text: "end" },
  ]);
});
