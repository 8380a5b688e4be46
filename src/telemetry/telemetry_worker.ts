/// <reference lib="deno.worker" />
/** The thread that sends telemetry. Messages are handled one after the other, `close` last. */
import { CommandExporter } from "./command_exporter.ts";
import type { TelemetryOrder, TelemetryReply } from "./telemetry_protocol.ts";

let exporter: CommandExporter | null = null;

self.onmessage = async ({ data }: MessageEvent<TelemetryOrder>) => {
  switch (data.kind) {
    case "start":
      exporter = new CommandExporter(data.settings);
      break;
    case "command":
      exporter?.record(data.span);
      break;
    case "close": {
      const problems = await exporter?.close() ?? [];
      self.postMessage({ kind: "closed", problems } satisfies TelemetryReply);
    }
  }
};
