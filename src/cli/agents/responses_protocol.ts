/** OpenAI's Responses protocol, as far as an agent with tools needs it (platform.openai.com/docs/api-reference/responses-streaming). */
import {
  type Fields,
  fields,
  list,
  type OfferedTool,
  type Protocol,
  type StreamEvent,
} from "./dialogue.ts";
import { textOf, type ToolCall, type Turn, word } from "./dialogue.ts";

function offered(tool: Fields): readonly OfferedTool[] {
  const name = word(tool.name) || word(tool.type);
  if (tool.type !== "namespace") return [{ name }];
  return list(tool.tools).map((inner) => ({ name: word(inner.name), namespace: name }));
}

function call({ name, namespace, input }: ToolCall, id: string) {
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(input),
    status: "completed",
  };
}

function items(turn: Turn, id: string): readonly Fields[] {
  if (turn.kind === "calls") return turn.calls.map((one, index) => call(one, `${id}_${index}`));
  return [{
    type: "message",
    id: `msg_${id}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: turn.text, annotations: [] }],
  }];
}

function response(turn: Turn, id: string) {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    status: "completed",
    model: "scripted",
    output: items(turn, id),
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  };
}

function itemEvents(item: Fields, index: number): readonly StreamEvent[] {
  const place = { output_index: index, item_id: item.id };
  const parts = item.type === "message"
    ? [{ type: "response.output_text.delta", content_index: 0, delta: textOf(item.content) }]
    : [
      { type: "response.function_call_arguments.delta", delta: item.arguments },
      { type: "response.function_call_arguments.done", arguments: item.arguments },
    ];
  const begun = item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" };
  return [
    {
      type: "response.output_item.added",
      output_index: index,
      item: { ...begun, status: "in_progress" },
    },
    ...parts.map((part) => ({ ...place, ...part })),
    { type: "response.output_item.done", output_index: index, item },
  ].map((data) => ({ event: data.type, data }));
}

/** The Responses protocol. */
export const RESPONSES: Protocol = {
  name: "responses",
  read: (body) => ({
    tools: list(body.tools).flatMap(offered),
    results: list(body.input)
      .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
      .map(({ output }) => textOf(output) || textOf(fields(output).content)),
  }),
  whole: response,
  events: (turn, id) => [
    {
      event: "response.created",
      data: {
        type: "response.created",
        response: { ...response(turn, id), status: "in_progress", output: [], usage: null },
      },
    },
    ...items(turn, id).flatMap(itemEvents),
    {
      event: "response.completed",
      data: { type: "response.completed", response: response(turn, id) },
    },
  ],
};
