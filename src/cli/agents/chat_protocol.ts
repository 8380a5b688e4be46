/** OpenAI's Chat Completions protocol, as far as an agent with tools needs it (platform.openai.com/docs/api-reference/chat). */
import { fields, list, type Protocol, textOf, type Turn, word } from "./dialogue.ts";

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function message(turn: Turn, id: string) {
  if (turn.kind === "text") return { role: "assistant", content: turn.text };
  const calls = turn.calls.map(({ name, input }, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: null, tool_calls: calls };
}

function end(turn: Turn): string {
  return turn.kind === "text" ? "stop" : "tool_calls";
}

/** The Chat Completions protocol. */
export const CHAT: Protocol = {
  name: "chat",
  read: (body) => ({
    tools: list(body.tools).map((tool) => ({ name: word(fields(tool.function).name) })),
    results: list(body.messages)
      .filter(({ role }) => role === "tool")
      .map(({ content }) => textOf(content)),
  }),
  whole: (turn, id) => ({
    id: `chat_${id}`,
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [{ index: 0, message: message(turn, id), finish_reason: end(turn) }],
    usage: USAGE,
  }),
  events: (turn, id) => {
    const chunk = { id: `chat_${id}`, object: "chat.completion.chunk", created: 0 };
    const choice = (delta: unknown, finish: string | null) => ({
      data: {
        ...chunk,
        model: "scripted",
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...(finish === null ? {} : { usage: USAGE }),
      },
    });
    return [choice(message(turn, id), null), choice({}, end(turn)), { data: "[DONE]" }];
  },
};
