/** Anthropic's Messages protocol, as far as an agent with tools needs it (docs.anthropic.com/en/api/messages-streaming). */
import { type Fields, fields, list, type Protocol, type StreamEvent } from "./dialogue.ts";
import { textOf, type Turn, word } from "./dialogue.ts";

const USAGE = { input_tokens: 1, output_tokens: 1 };

function content(turn: Turn, id: string): readonly Fields[] {
  if (turn.kind === "text") return [{ type: "text", text: turn.text }];
  return turn.calls.map(({ name, input }, index) => ({
    type: "tool_use",
    id: `toolu_${id}_${index}`,
    name,
    input,
  }));
}

function end(turn: Turn): string {
  return turn.kind === "text" ? "end_turn" : "tool_use";
}

function message(turn: Turn, id: string) {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: content(turn, id),
    stop_reason: end(turn),
    stop_sequence: null,
    usage: USAGE,
  };
}

function partEvents(part: Fields, index: number): readonly StreamEvent[] {
  const begun = part.type === "text" ? { ...part, text: "" } : { ...part, input: {} };
  const delta = part.type === "text"
    ? { type: "text_delta", text: part.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(part.input) };
  return [
    { type: "content_block_start", index, content_block: begun },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ].map((data) => ({ event: data.type, data }));
}

/** The Messages protocol. */
export const MESSAGES: Protocol = {
  name: "messages",
  read: (body) => ({
    tools: list(body.tools).map(({ name }) => ({ name: word(name) })),
    results: list(body.messages)
      .flatMap((message) => list(message.content))
      .filter(({ type }) => type === "tool_result")
      .map((result) => textOf(fields(result).content)),
  }),
  whole: message,
  events: (turn, id) => [
    {
      event: "message_start",
      data: {
        type: "message_start",
        message: { ...message(turn, id), content: [], stop_reason: null },
      },
    },
    ...content(turn, id).flatMap(partEvents),
    {
      event: "message_delta",
      data: {
        type: "message_delta",
        delta: { stop_reason: end(turn), stop_sequence: null },
        usage: USAGE,
      },
    },
    { event: "message_stop", data: { type: "message_stop" } },
  ],
};
