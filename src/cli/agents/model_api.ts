/** A model API on loopback that follows a script: real agents run against it without a model. */
import { CHAT } from "./chat_protocol.ts";
import { type Dialogue, fields, type Protocol, type StreamEvent, type Turn } from "./dialogue.ts";
import { GEMINI } from "./gemini_protocol.ts";
import { MESSAGES } from "./messages_protocol.ts";
import { RESPONSES } from "./responses_protocol.ts";

/** One request as it arrived. */
export interface ModelRequest extends Dialogue {
  readonly method: string;
  readonly path: string;
  /** Null where the request is of no protocol: a list of models, telemetry. */
  readonly protocol: Protocol["name"] | null;
  /** The whole body as text. */
  readonly body: string;
}

/** What the model says to a request that offers tools. */
export type Script = (request: ModelRequest) => Turn;

/** Bytes of a request that are read; agents send a few hundred KiB. */
const REQUEST_BYTES = 32 * 1024 * 1024;

/** What a request without tools gets: agents ask for titles and summaries on the side. */
const ASIDE: Turn = { kind: "text", text: "ok" };

const PATHS: readonly (readonly [RegExp, Protocol])[] = [
  [/\/responses$/, RESPONSES],
  [/\/chat\/completions$/, CHAT],
  [/\/messages$/, MESSAGES],
  [/:(?:stream)?[gG]enerateContent$/, GEMINI],
];

function sse(events: readonly StreamEvent[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const chunks = events.map(({ event, data }) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return encoder.encode(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  });
  return ReadableStream.from(chunks);
}

function parsed(body: string): ReturnType<typeof fields> {
  try {
    return fields(JSON.parse(body));
  } catch {
    return {};
  }
}

/**
 * A model that answers from a script, over plain HTTP on 127.0.0.1, in the protocols of OpenAI
 * (Responses, Chat Completions), Anthropic (Messages) and Gemini (generateContent).
 *
 * All that arrives is kept: what a model would have read is there to be looked at.
 */
export class ModelApi implements AsyncDisposable {
  /** Every request, oldest first. */
  readonly requests: ModelRequest[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #script: Script;
  #answers = 0;

  constructor(script: Script) {
    this.#script = script;
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** The longest list of results that a request held, so what a model has read in the end. */
  get results(): readonly string[] {
    return this.requests.reduce<readonly string[]>(
      (longest, { results }) => results.length >= longest.length ? results : longest,
      [],
    );
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const length = Number(request.headers.get("content-length") ?? 0);
    if (length > REQUEST_BYTES) return new Response(null, { status: 413 });
    const body = await request.text();
    const protocol = PATHS.find(([path]) => path.test(url.pathname))?.[1] ?? null;
    const content = parsed(body);
    const dialogue = protocol?.read(content) ?? { tools: [], results: [] };
    const kept: ModelRequest = {
      method: request.method,
      path: url.pathname,
      protocol: protocol?.name ?? null,
      body,
      ...dialogue,
    };
    this.requests.push(kept);
    if (protocol === null) return Response.json({ object: "list", data: [], models: [] });
    const turn = kept.tools.length === 0 ? ASIDE : this.#script(kept);
    const id = String(++this.#answers);
    const streams = content.stream === true || url.pathname.endsWith(":streamGenerateContent");
    if (!streams) return Response.json(protocol.whole(turn, id));
    return new Response(sse(protocol.events(turn, id)), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/**
 * A script of turns: how many results a request holds says which turn is next, so that a repeated
 * request gets the same answer.
 */
export function turnsInOrder(turns: readonly Turn[], last: string): Script {
  return ({ results }) => {
    let seen = 0;
    for (const turn of turns) {
      if (seen >= results.length) return turn;
      seen += turn.kind === "calls" ? turn.calls.length : 0;
    }
    return { kind: "text", text: last };
  };
}
