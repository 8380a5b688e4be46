/** Metrics of commands: how long they took, how they ended, what was refused and hidden. */
import { type Attributes, type Counter, type Histogram, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporalityPreference,
  OTLPMetricExporter,
} from "@opentelemetry/exporter-metrics-otlp-http";
import type { Resource } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { ATTRIBUTE, METRIC, TOOL } from "./attribute_names.ts";
import type { CommandSpan } from "./command_span.ts";
import type { ExportProblems } from "./export_problems.ts";
import type { ExportSettings } from "./telemetry_protocol.ts";

/** Time between exports within a session in ms; OpenTelemetry's default. */
const INTERVAL_MS = 60_000;

/** Upper bounds of the histogram in seconds, those of the GenAI conventions for durations. */
const BUCKETS = [
  0.01,
  0.02,
  0.04,
  0.08,
  0.16,
  0.32,
  0.64,
  1.28,
  2.56,
  5.12,
  10.24,
  20.48,
  40.96,
  81.92,
];

/** Set by the user, it wins over Debrief's choice. */
const TEMPORALITY = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

/** Sends metrics. */
export class CommandMetrics {
  readonly #provider: MeterProvider;
  readonly #duration: Histogram;
  readonly #commands: Counter;
  readonly #denials: Counter;
  readonly #redactions: Counter;

  constructor(
    { metrics, exportMs }: ExportSettings,
    { resource, problems }: { readonly resource: Resource; readonly problems: ExportProblems },
  ) {
    const exporter = new OTLPMetricExporter({
      url: metrics?.url,
      timeoutMillis: exportMs,
      // A process per command: of sums that begin anew with each, a collector could make nothing.
      temporalityPreference: Deno.env.get(TEMPORALITY)
        ? undefined
        : AggregationTemporalityPreference.DELTA,
    });
    this.#provider = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: problems.watch("metrics", exporter),
          exportIntervalMillis: INTERVAL_MS,
          exportTimeoutMillis: exportMs,
        }),
      ],
    });
    const meter = this.#provider.getMeter(TOOL);
    this.#duration = meter.createHistogram(METRIC.duration, {
      unit: "s",
      description: "The duration of a single tool execution.",
      advice: { explicitBucketBoundaries: BUCKETS },
    });
    const counter = (name: string, unit: string, description: string) =>
      meter.createCounter(name, { unit, description, valueType: ValueType.INT });
    this.#commands = counter(METRIC.commands, "{command}", "Commands by outcome.");
    this.#denials = counter(METRIC.denials, "{denial}", "What was refused, by permission.");
    this.#redactions = counter(METRIC.redactions, "{value}", "Values that were hidden in output.");
  }

  /** Count a command. */
  record(span: CommandSpan): void {
    this.#duration.record(span.durationMs / 1000, span.dimensions as Attributes);
    this.#commands.add(1, { [ATTRIBUTE.outcome]: span.outcome });
    for (const denial of span.denials) this.#denials.add(1, denial as Attributes);
    if (span.redactions > 0) this.#redactions.add(span.redactions);
  }

  /** Send what is left. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }
}
