/**
 * Spans and metrics for operators. A thread of its own loads OpenTelemetry's SDK and sends: whatever a collector answers
 * or does not answer, no command waits for it, and what goes wrong there ends that thread only.
 */
import type { CommandRecord } from "../record/record.ts";
import { commandSpan } from "./command_span.ts";
import type { ExportSettings, TelemetryOrder, TelemetryReply } from "./telemetry_protocol.ts";
import type { TelemetrySettings } from "./telemetry_settings.ts";

/** How long the end of a session waits at most for what is still to be sent, in ms. */
const CLOSE_MS = 2_000;

/** Longest export within a session in ms; OpenTelemetry's default. */
const EXPORT_MS = 10_000;

/**
 * Longest export of a single command in ms, unless `OTEL_EXPORTER_OTLP_TIMEOUT` says otherwise. The exporter's first
 * pause before it tries again is at least 800: within this time it tries once, so that a collector that is down delays
 * the end of a command by nothing, and a silent one by less than a second.
 */
const SINGLE_EXPORT_MS = 790;

/** Problems that are kept, and characters of each. */
const MAX_PROBLEMS = 4;
const MAX_PROBLEM = 200;

/** How telemetry is started. */
export interface TelemetryOptions {
  /** False for one command: then its end is waited for, and a second try is not worth it. */
  readonly lasting: boolean;
  /** Redacts what the user wrote, and what a collector answered. */
  readonly redact: (text: string) => string;
  /** Overrides how long `close` waits at most, in ms. */
  readonly closeMs?: number;
}

/** Telemetry of one session. */
export class Telemetry {
  readonly #settings: TelemetrySettings;
  readonly #options: TelemetryOptions;
  #worker: Worker | null = null;
  readonly #closed = Promise.withResolvers<readonly string[]>();
  #sent = false;
  #problems: readonly string[];
  #closing: Promise<void> | null = null;

  /** Nothing is started before `begin`. */
  constructor(settings: TelemetrySettings, options: TelemetryOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#problems = settings.problems;
  }

  /** Have the thread at hand when the command that begins has ended; it loads meanwhile. Never throws. */
  begin(): void {
    const { traces, metrics } = this.#settings;
    if (this.#worker !== null || this.#closing !== null || (traces ?? metrics) === null) return;
    this.#worker = this.#start();
    this.#order({ kind: "start", settings: exportSettings(this.#settings, this.#options) });
  }

  /** What could not be sent, one line each, redacted; empty unless `OTEL_LOG_LEVEL` asks for it. Complete after `close`. */
  get problems(): readonly string[] {
    if (!this.#settings.reports) return [];
    return this.#problems.slice(0, MAX_PROBLEMS).map((text) =>
      this.#options.redact(text).replaceAll(/\s+/g, " ").slice(0, MAX_PROBLEM)
    );
  }

  /** Ports that it sends to, whatever the host: names of this machine are many. */
  get ports(): ReadonlySet<number> {
    const { traces, metrics } = this.#settings;
    return new Set([traces, metrics].filter((one) => one !== null).map(({ url }) => portOf(url)));
  }

  /** Hand over a command that has ended. Never throws. */
  command(record: CommandRecord): void {
    if (this.#worker === null || this.#closing !== null) return;
    this.#sent = true;
    this.#order({ kind: "command", span: commandSpan(record, this.#settings) });
  }

  /** Send what is left, for a bounded time, and end the thread. Never throws. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    if (this.#sent) {
      this.#order({ kind: "close" });
      const late = Promise.withResolvers<readonly string[]>();
      const timer = setTimeout(
        () => late.resolve(["Cannot send telemetry: no answer in time"]),
        this.#options.closeMs ?? CLOSE_MS,
      );
      const problems = await Promise.race([this.#closed.promise, late.promise]);
      clearTimeout(timer);
      this.#problems = [...this.#problems, ...problems];
    }
    worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./telemetry_worker.ts", import.meta.url), {
      type: "module",
      name: "debrief-telemetry",
    });
    worker.onmessage = ({ data }: MessageEvent<TelemetryReply>) =>
      this.#closed.resolve(data.problems);
    worker.onerror = (event) => {
      // Otherwise the error would end the shell.
      event.preventDefault();
      this.#closed.resolve([`Cannot send telemetry: ${event.message}`]);
    };
    return worker;
  }

  #order(order: TelemetryOrder): void {
    this.#worker?.postMessage(order);
  }
}

function portOf(text: string): number {
  const { port, protocol } = new URL(text);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function exportSettings(
  { traces, metrics, parent, resource }: TelemetrySettings,
  { lasting, redact }: TelemetryOptions,
): ExportSettings {
  const asked = Math.max(traces?.timeoutMs ?? 0, metrics?.timeoutMs ?? 0);
  const [usual, most] = lasting ? [EXPORT_MS, EXPORT_MS] : [SINGLE_EXPORT_MS, CLOSE_MS];
  return {
    traces,
    metrics,
    parent,
    resource: Object.fromEntries(
      Object.entries(resource).map(([name, value]) => [redact(name), redact(value)]),
    ),
    exportMs: Math.min(asked === 0 ? usual : asked, most),
  };
}
