/** Commands as OpenTelemetry's SDK sends them: a span and data points each, batched, OTLP over HTTP as JSON. */
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { OPERATION, SERVICE_NAME, TOOL } from "./attribute_names.ts";
import { CommandMetrics } from "./command_metrics.ts";
import type { CommandSpan } from "./command_span.ts";
import { ExportProblems } from "./export_problems.ts";
import type { ExportSettings } from "./telemetry_protocol.ts";

/** Spans that wait at most; a collector that is down costs what comes after them, not memory. */
const MAX_QUEUE = 512;
const MAX_BATCH = 128;
/** Time between exports within a session in ms; the SDK's default. */
const DELAY_MS = 5_000;
/** Earlier commands that a retry can be linked to. */
const MAX_LINKS = 200;

/** Sends commands. */
export class CommandExporter {
  readonly #traces: TracerProvider | null;
  readonly #metrics: CommandMetrics | null;
  readonly #parent: Context;
  readonly #problems = new ExportProblems();
  /** Spans of earlier commands, oldest first. */
  readonly #earlier = new Map<string, SpanContext>();

  constructor(settings: ExportSettings) {
    const resource = resourceOf(settings);
    this.#parent = parentOf(settings);
    this.#traces = settings.traces === null ? null : new TracerProvider({
      resource,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.#problems.watch(
            "traces",
            new OTLPTraceExporter({ url: settings.traces.url, timeoutMillis: settings.exportMs }),
          ),
          maxQueueSize: MAX_QUEUE,
          maxExportBatchSize: MAX_BATCH,
          scheduledDelayMillis: DELAY_MS,
          exportTimeoutMillis: settings.exportMs,
        }),
      ],
    });
    this.#metrics = settings.metrics === null
      ? null
      : new CommandMetrics(settings, { resource, problems: this.#problems });
  }

  /** Take a command to be sent. */
  record(span: CommandSpan): void {
    this.#metrics?.record(span);
    const tracer = this.#traces?.getTracer(TOOL);
    if (tracer === undefined) return;
    const endMs = span.startMs + span.durationMs;
    const made = tracer.startSpan(`${OPERATION} ${TOOL}`, {
      kind: SpanKind.INTERNAL,
      startTime: span.startMs,
      attributes: span.attributes as Attributes,
      links: this.#linksOf(span),
    }, this.#parent);
    for (const { name, attributes } of span.events) {
      made.addEvent(name, attributes as Attributes, endMs);
    }
    if (span.failure !== null) {
      made.setStatus({ code: SpanStatusCode.ERROR, message: span.failure || undefined });
    }
    made.end(endMs);
    this.#remember(span.commandId, made.spanContext());
  }

  /** Send all that is left; returns what could not be sent, in words. */
  async close(): Promise<readonly string[]> {
    await Promise.allSettled([this.#traces?.shutdown(), this.#metrics?.close()]);
    return this.#problems.list();
  }

  #linksOf({ parentId }: CommandSpan): Link[] {
    const context = this.#earlier.get(parentId ?? "");
    return context === undefined ? [] : [{ context }];
  }

  #remember(commandId: string, context: SpanContext): void {
    this.#earlier.set(commandId, context);
    const [oldest] = this.#earlier.keys();
    if (this.#earlier.size > MAX_LINKS && oldest !== undefined) this.#earlier.delete(oldest);
  }
}

/** No detector of the SDK's looks at the process: its command line is the user's. */
function resourceOf({ resource }: ExportSettings): Resource {
  return defaultResource().merge(resourceFromAttributes({
    [SERVICE_NAME]: TOOL,
    ...resource,
  }));
}

function parentOf({ parent }: ExportSettings): Context {
  if (parent === null) return ROOT_CONTEXT;
  const { traceparent, tracestate } = parent;
  const carrier = { traceparent, ...(tracestate === null ? {} : { tracestate }) };
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
}
