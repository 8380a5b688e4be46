/** What a scripted model reads of a request and says in its answer, whatever the protocol. */

/** A tool that the model asks the agent to call. */
export interface ToolCall {
  /** The name as the agent listed it. */
  readonly name: string;
  /** Where the agent groups its tools: the group, which is a part of the name. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One answer of the model. */
export type Turn =
  | { readonly kind: "calls"; readonly calls: readonly ToolCall[] }
  | { readonly kind: "text"; readonly text: string };

/** A tool as an agent offers it. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
}

/** What a request holds besides its wording. */
export interface Dialogue {
  readonly tools: readonly OfferedTool[];
  /** The text of every tool's result so far, in order. */
  readonly results: readonly string[];
}

/** One event of a stream: `event` is left out where the protocol has none. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** How one protocol is read and answered. */
export interface Protocol {
  readonly name: "responses" | "chat" | "messages" | "gemini";
  read(body: Fields): Dialogue;
  /** The answer in one piece. */
  whole(turn: Turn, id: string): unknown;
  /** The answer as a stream. */
  events(turn: Turn, id: string): readonly StreamEvent[];
}

/** JSON of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one where it is none. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Fields
    : {};
}

/** The value as a list of objects; an empty one where it is none. */
export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

/** The text of what may be a text, or parts that hold texts. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return list(value).map((part) => typeof part.text === "string" ? part.text : "").join("");
}

/** The value if it is a text, else an empty one. */
export function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
