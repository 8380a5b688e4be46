/** Messages between the shell's main thread and the thread that sends telemetry. */
import type { CommandSpan } from "./command_span.ts";
import type { TelemetrySettings } from "./telemetry_settings.ts";

/** What the sending thread is started with. */
export interface ExportSettings extends Pick<TelemetrySettings, "traces" | "metrics" | "parent"> {
  /** Redacted. */
  readonly resource: Readonly<Record<string, string>>;
  /** Longest export in ms, with all tries. */
  readonly exportMs: number;
}

/** From the main thread. */
export type TelemetryOrder =
  | { readonly kind: "start"; readonly settings: ExportSettings }
  | { readonly kind: "command"; readonly span: CommandSpan }
  /** Send what is left, then answer. */
  | { readonly kind: "close" };

/** The answer to `close`: what could not be sent, in words. */
export interface TelemetryReply {
  readonly kind: "closed";
  readonly problems: readonly string[];
}
