import { assert, assertEquals } from "@std/assert";
import { Telemetry } from "../../src/telemetry/telemetry.ts";
import { telemetrySettings } from "../../src/telemetry/telemetry_settings.ts";
import { sample } from "../record/sample.ts";
import { Receiver } from "./receiver.ts";

const RECORD = { ...sample(), prev: null };

function telemetry(environment: Record<string, string>): Telemetry {
  const settings = telemetrySettings(environment);
  assert(settings !== null);
  const redact = (text: string) => text.replaceAll("hidden", "[REDACTED]");
  // A test's first worker is type-checked while it is waited for.
  return new Telemetry(settings, { lasting: true, redact, closeMs: 60_000 });
}

Deno.test("Telemetry sends each command once, and none after its end", async () => {
  await using receiver = new Receiver();
  const one = telemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: "hidden name",
    TRACEPARENT: "00-not-a-parent-01",
  });
  one.command(RECORD);
  one.begin();
  one.begin();
  one.command({ ...RECORD, command_id: "c0000001" });
  one.command({ ...RECORD, command_id: "c0000002", parent_command_id: "c0000001" });
  const closing = one.close();
  one.begin();
  one.command({ ...RECORD, command_id: "c0000003" });
  await Promise.all([closing, one.close()]);
  const spans = receiver.spans();
  assertEquals(spans.map(({ attributes }) => attributes["debrief.command.id"]), [
    "c0000001",
    "c0000002",
  ]);
  assertEquals(spans.map(({ parentSpanId }) => parentSpanId), [undefined, undefined]);
  assertEquals(spans[1]?.links.map(({ spanId }) => spanId), [spans[0]?.spanId]);
  assertEquals(spans[0]?.resource["service.name"], "[REDACTED] name");
  const points = receiver.points().filter(({ metric }) => metric === "debrief.commands");
  assertEquals(points.map(({ value }) => value), [2]);
  assertEquals(one.problems, []);
});

Deno.test("Telemetry starts nothing and waits for nothing when no command ran", async () => {
  await using receiver = new Receiver("is silent");
  const idle = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  await idle.close();
  const begun = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  begun.begin();
  await begun.close();
  assertEquals(receiver.requests.length, 0);
});

Deno.test("Telemetry follows a parent that is not sampled", async () => {
  await using receiver = new Receiver();
  const one = telemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    TRACEPARENT: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
  });
  one.begin();
  one.command(RECORD);
  await one.close();
  assertEquals(receiver.spans(), []);
  assertEquals(receiver.points().length > 0, true);
});

Deno.test("Telemetry tells what could not be sent only when it is asked to, redacted", async () => {
  await using receiver = new Receiver("fails");
  const url = receiver.url;
  for (const [level, want] of [["", 0], ["warn", 2]] as const) {
    const one = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_LOG_LEVEL: level });
    one.begin();
    one.command(RECORD);
    await one.close();
    assertEquals(one.problems.length, want);
    for (const text of one.problems) assert(/^Cannot send (?:traces|metrics): /.test(text), text);
  }
});

Deno.test("Telemetry.ports are those of its endpoints", () => {
  const table = [
    { in: "http://localhost:4318", want: [4318] },
    { in: "https://collector/otlp", want: [443] },
    { in: "http://[::1]", want: [80] },
  ];
  for (const { in: endpoint, want } of table) {
    assertEquals([...telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).ports], want);
  }
});
