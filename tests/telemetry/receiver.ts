/** An OTLP/HTTP receiver on loopback that decodes what comes, and answers well or badly. */

/** How it answers. */
export type Manner =
  | "accepts"
  | "fails"
  | "is busy"
  | "is silent"
  | "talks without end"
  | "redirects"
  | "talks nonsense";

/** One request. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  /** The body, decompressed. */
  readonly text: string;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly arrayValue?: { readonly values: readonly Value[] };
}
type KeyValues = readonly { readonly key: string; readonly value: Value }[];

/** Attributes by name. */
export type Plain = Readonly<Record<string, unknown>>;

/** A span with plain attributes. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly links: readonly { readonly spanId: string }[];
  readonly attributes: Plain;
  readonly events: readonly { readonly name: string; readonly attributes: Plain }[];
  readonly resource: Plain;
}

/** A metric's data point with plain attributes. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly value: number;
  readonly temporality: number;
  readonly attributes: Plain;
}

function plainValue({ stringValue, intValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(plainValue);
  return stringValue ?? Number(intValue);
}

function plain(attributes: KeyValues): Plain {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

/** More than any client should read. */
const ENDLESS = 64;
const MEGABYTE = new Uint8Array(1 << 20).fill(0x20);

/** The receiver. */
export class Receiver {
  readonly requests: Received[] = [];
  readonly #manner: Manner;
  readonly #close: () => Promise<void>;
  readonly #pending = Promise.withResolvers<void>();
  readonly port: number;
  readonly #scheme: string;

  constructor(manner: Manner = "accepts", tls: { cert: string; key: string } | null = null) {
    this.#manner = manner;
    this.#scheme = tls === null ? "http" : "https";
    if (manner === "talks nonsense") {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const done = this.#talkNonsense(listener);
      this.port = listener.addr.port;
      this.#close = async () => {
        listener.close();
        await done;
      };
      return;
    }
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...tls };
    const server = Deno.serve(options, (request) => this.#answer(request));
    this.port = server.addr.port;
    this.#close = () => server.shutdown();
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** All that was sent, headers included. */
  get text(): string {
    return this.requests.map(({ headers, text }) => JSON.stringify([...headers]) + text).join("\n");
  }

  spans(): readonly ReceivedSpan[] {
    return this.#bodies("/v1/traces").flatMap(({ resourceSpans }) =>
      // deno-lint-ignore no-explicit-any
      resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
        // deno-lint-ignore no-explicit-any
        scopeSpans.flatMap(({ spans }: any) =>
          // deno-lint-ignore no-explicit-any
          spans.map((span: any) => ({
            ...span,
            attributes: plain(span.attributes),
            resource: plain(resource.attributes),
            // deno-lint-ignore no-explicit-any
            events: span.events.map((event: any) => ({
              name: event.name,
              attributes: plain(event.attributes),
            })),
          }))
        )
      )
    );
  }

  points(): readonly ReceivedPoint[] {
    return this.#bodies("/v1/metrics").flatMap(({ resourceMetrics }) =>
      // deno-lint-ignore no-explicit-any
      resourceMetrics.flatMap(({ scopeMetrics }: any) =>
        // deno-lint-ignore no-explicit-any
        scopeMetrics.flatMap(({ metrics }: any) =>
          // deno-lint-ignore no-explicit-any
          metrics.flatMap(({ name, unit, sum, histogram }: any) =>
            // deno-lint-ignore no-explicit-any
            (sum ?? histogram).dataPoints.map((point: any) => ({
              metric: name,
              unit,
              value: Number(point.asInt ?? point.count),
              temporality: (sum ?? histogram).aggregationTemporality,
              attributes: plain(point.attributes),
            }))
          )
        )
      )
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pending.resolve();
    await this.#close();
  }

  // deno-lint-ignore no-explicit-any
  #bodies(path: string): any[] {
    return this.requests.filter((request) => request.path === path)
      .map(({ text }) => JSON.parse(text));
  }

  async #answer(request: Request): Promise<Response> {
    const isZipped = request.headers.get("content-encoding") === "gzip";
    const bytes = isZipped
      ? request.body!.pipeThrough(new DecompressionStream("gzip"))
      : request.body;
    const text = await new Response(bytes).text();
    const { pathname } = new URL(request.url);
    this.requests.push({ path: pathname, headers: request.headers, text });
    switch (this.#manner) {
      case "fails":
        return new Response("broken", { status: 500 });
      case "is busy":
        return new Response("", { status: 503 });
      case "redirects":
        return new Response("", { status: 307, headers: { location: "http://127.0.0.1:1/" } });
      case "is silent":
        await this.#pending.promise;
        return new Response("{}");
      case "talks without end":
        return new Response(endless());
      default:
        return Response.json({});
    }
  }

  async #talkNonsense(listener: Deno.Listener): Promise<void> {
    for await (const connection of listener) {
      const bytes = new TextEncoder().encode("\0HTTP/9 what\r\n\xff\r\n\r\n");
      await connection.read(new Uint8Array(1024)).catch(() => null);
      await connection.write(bytes).catch(() => 0);
      this.requests.push({ path: "", headers: new Headers(), text: "" });
      try {
        connection.close();
      } catch {
        // The other side was first.
      }
    }
  }
}

function endless(): ReadableStream<Uint8Array> {
  let left = ENDLESS;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(MEGABYTE);
      else controller.close();
    },
  });
}

/** A port on loopback where nobody listens. */
export function deadPort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
