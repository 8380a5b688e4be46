/** Whether and where telemetry is sent: the standard variables of OpenTelemetry in the shell's own environment. */

/** The signals that are sent. */
export type Signal = "traces" | "metrics";

/** Where one signal goes. */
export interface SignalSettings {
  readonly url: string;
  /** Longest export in ms, null for the default. */
  readonly timeoutMs: number | null;
}

/** Telemetry as configured. */
export interface TelemetrySettings {
  readonly traces: SignalSettings | null;
  readonly metrics: SignalSettings | null;
  /** Send command lines and ends of output too, redacted. */
  readonly content: boolean;
  /** W3C Trace Context of the caller, not checked yet. */
  readonly parent: { readonly traceparent: string; readonly tracestate: string | null } | null;
  /** Attributes of the resource as the user wrote them. */
  readonly resource: Readonly<Record<string, string>>;
  /** Say what could not be sent. */
  readonly reports: boolean;
  /** Why a signal that is configured is not sent, in words. */
  readonly problems: readonly string[];
}

/** Shorter values of headers name a tenant or a dataset, and would hide ordinary words. */
const MIN_SECRET = 8;

type Environment = Readonly<Record<string, string | undefined>>;

/** Longest value of an attribute of the resource, in characters. */
const MAX_VALUE = 1_024;
/** Attributes of the resource. */
const MAX_ATTRIBUTES = 64;

/** OpenTelemetry: only "true", in any case, is true; an empty value is no value. */
function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === "true";
}

function firstOf(environment: Environment, names: readonly string[]): string | null {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value) return value;
  }
  return null;
}

function urlOf(text: string): URL | null {
  const url = URL.parse(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : null;
}

function timeoutOf(environment: Environment, prefix: string): number | null {
  const text = firstOf(environment, [`${prefix}_TIMEOUT`, "OTEL_EXPORTER_OTLP_TIMEOUT"]);
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** The endpoint of one signal, a problem in words, or null when none is configured. */
function signalOf(environment: Environment, signal: Signal): SignalSettings | string | null {
  const upper = signal.toUpperCase();
  const prefix = `OTEL_EXPORTER_OTLP_${upper}`;
  const exporters = (firstOf(environment, [`OTEL_${upper}_EXPORTER`]) ?? "otlp").split(",");
  if (!exporters.map((name) => name.trim()).includes("otlp")) return null;
  // OTLP exporter specification: the URL of a signal is used as it is, to the common one the signal's path is added.
  const own = firstOf(environment, [`${prefix}_ENDPOINT`]);
  const common = firstOf(environment, ["OTEL_EXPORTER_OTLP_ENDPOINT"]);
  if (own === null && common === null) return null;
  const protocol = firstOf(environment, [`${prefix}_PROTOCOL`, "OTEL_EXPORTER_OTLP_PROTOCOL"]);
  if (protocol === "grpc") return `Cannot send ${signal} by "grpc": OTLP over HTTP is supported`;
  const base = urlOf(own ?? common ?? "");
  if (base === null) return `Cannot send ${signal}: the endpoint is no http or https URL`;
  const url = own === null ? `${base.href.replace(/\/$/, "")}/v1/${signal}` : base.href;
  return { url, timeoutMs: timeoutOf(environment, prefix) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `OTEL_RESOURCE_ATTRIBUTES`: pairs as in W3C Baggage; `OTEL_SERVICE_NAME` wins over a pair. */
function resourceOf(environment: Environment): Readonly<Record<string, string>> {
  const pairs = (environment.OTEL_RESOURCE_ATTRIBUTES ?? "").split(",").slice(0, MAX_ATTRIBUTES)
    .flatMap((pair): [string, string][] => {
      const at = pair.indexOf("=");
      const name = pair.slice(0, at).trim();
      return at < 1 || name === "" ? [] : [[name, decoded(pair.slice(at + 1).trim())]];
    });
  const service = firstOf(environment, ["OTEL_SERVICE_NAME"]);
  const all = service === null ? pairs : [...pairs, ["service.name", service] as const];
  return Object.fromEntries(all.map(([name, value]) => [name, value.slice(0, MAX_VALUE)]));
}

/**
 * Read the settings. Null, and so no telemetry, unless an endpoint is configured: `OTEL_EXPORTER_OTLP_ENDPOINT` or one
 * of its two signals'. What cannot be used never keeps a command from running, so it is a problem to report, not an
 * error.
 */
export function telemetrySettings(environment: Environment): TelemetrySettings | null {
  if (isTrue(environment.OTEL_SDK_DISABLED)) return null;
  const found = {
    traces: signalOf(environment, "traces"),
    metrics: signalOf(environment, "metrics"),
  };
  if (found.traces === null && found.metrics === null) return null;
  const usable = (one: SignalSettings | string | null) => typeof one === "string" ? null : one;
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = environment;
  return {
    traces: usable(found.traces),
    metrics: usable(found.metrics),
    content: isTrue(environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT),
    parent: traceparent ? { traceparent, tracestate: tracestate || null } : null,
    resource: resourceOf(environment),
    reports: (firstOf(environment, ["OTEL_LOG_LEVEL"]) ?? "none").toLowerCase() !== "none",
    problems: [found.traces, found.metrics].filter((one) => typeof one === "string"),
  };
}

/**
 * What `OTEL_EXPORTER_OTLP_HEADERS` and its kin hold: keys of a collector, so secrets whatever their names are. Each
 * value is given as it was written and as it is sent.
 */
export function telemetrySecrets(environment: Environment): { name: string; value: string }[] {
  return Object.entries(environment)
    .filter(([name]) => /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS$/.test(name))
    .flatMap(([name, text]) =>
      (text ?? "").split(",").flatMap((pair) => {
        const written = pair.slice(pair.indexOf("=") + 1).trim();
        // `Bearer TOKEN`: the word before the blank is no secret.
        const sent = decoded(written).replace(/^\w+\s+/, "");
        return [...new Set([written, sent])].filter((value) => value.length >= MIN_SECRET)
          .map((value) => ({ name, value }));
      })
    );
}
