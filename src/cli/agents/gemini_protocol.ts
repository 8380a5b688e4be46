/** Gemini's generateContent protocol, as far as an agent with tools needs it (ai.google.dev/api/generate-content). */
import { fields, list, type Protocol, type Turn, word } from "./dialogue.ts";

function answer(turn: Turn, id: string) {
  const parts = turn.kind === "text"
    ? [{ text: turn.text }]
    : turn.calls.map(({ name, input }, index) => ({
      functionCall: { id: `call_${id}_${index}`, name, args: input },
    }));
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
    responseId: id,
  };
}

/** A result is an object whose fields the tool chooses; its texts are what the model reads. */
function resultText(response: unknown): string {
  return Object.values(fields(response)).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value)
  ).join("\n");
}

/** The generateContent protocol. */
export const GEMINI: Protocol = {
  name: "gemini",
  read: (body) => ({
    tools: list(body.tools)
      .flatMap(({ functionDeclarations }) => list(functionDeclarations))
      .map(({ name }) => ({ name: word(name) })),
    results: list(body.contents)
      .flatMap(({ parts }) => list(parts))
      .filter((part) => "functionResponse" in part)
      .map((part) => resultText(fields(part.functionResponse).response)),
  }),
  whole: answer,
  events: (turn, id) => [{ data: answer(turn, id) }],
};
