import { assertEquals } from "@std/assert";
import { telemetrySecrets, telemetrySettings } from "../../src/telemetry/telemetry_settings.ts";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HOST = "http://collector:4318";

Deno.test("telemetrySettings is null unless an endpoint is configured", () => {
  const off: Record<string, string>[] = [
    {},
    { [ENDPOINT]: "" },
    { [ENDPOINT]: "  " },
    { [ENDPOINT]: HOST, OTEL_SDK_DISABLED: "true" },
    { [ENDPOINT]: HOST, OTEL_SDK_DISABLED: " True " },
    { [ENDPOINT]: HOST, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" },
    { OTEL_EXPORTER_OTLP_HEADERS: "a=b", OTEL_TRACES_EXPORTER: "otlp" },
    { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: HOST },
  ];
  for (const environment of off) assertEquals(telemetrySettings(environment), null);
  const on = telemetrySettings({ [ENDPOINT]: HOST, OTEL_SDK_DISABLED: "1" });
  assertEquals(on?.traces?.url, `${HOST}/v1/traces`);
  assertEquals([on?.content, on?.reports, on?.parent], [false, false, null]);
});

Deno.test("telemetrySettings makes each signal's URL as the OTLP specification says", () => {
  const table: { in: Record<string, string>; want: (string | undefined)[] }[] = [
    { in: { [ENDPOINT]: HOST }, want: [`${HOST}/v1/traces`, `${HOST}/v1/metrics`] },
    { in: { [ENDPOINT]: `${HOST}/` }, want: [`${HOST}/v1/traces`, `${HOST}/v1/metrics`] },
    {
      in: { [ENDPOINT]: "https://h/otlp" },
      want: ["https://h/otlp/v1/traces", "https://h/otlp/v1/metrics"],
    },
    {
      in: { [ENDPOINT]: HOST, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/mine" },
      want: ["https://t/mine", `${HOST}/v1/metrics`],
    },
    {
      in: { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://m/" },
      want: [undefined, "https://m/"],
    },
    {
      in: { [ENDPOINT]: HOST, OTEL_METRICS_EXPORTER: "none" },
      want: [`${HOST}/v1/traces`, undefined],
    },
    {
      in: { [ENDPOINT]: HOST, OTEL_TRACES_EXPORTER: "console, otlp" },
      want: [`${HOST}/v1/traces`, `${HOST}/v1/metrics`],
    },
  ];
  for (const { in: environment, want } of table) {
    const settings = telemetrySettings(environment);
    assertEquals([settings?.traces?.url, settings?.metrics?.url], want);
  }
});

Deno.test("telemetrySettings tells what it cannot use, without the value", () => {
  const table: { in: Record<string, string>; want: string[] }[] = [
    {
      in: { [ENDPOINT]: "collector:4317" },
      want: ["traces", "metrics"].map((signal) =>
        `Cannot send ${signal}: the endpoint is no http or https URL`
      ),
    },
    {
      in: {
        [ENDPOINT]: HOST,
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc",
      },
      want: ['Cannot send traces by "grpc": OTLP over HTTP is supported'],
    },
    { in: { [ENDPOINT]: HOST, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, want: [] },
  ];
  for (const { in: environment, want } of table) {
    assertEquals(telemetrySettings(environment)?.problems, want);
  }
});

Deno.test("telemetrySettings reads timeouts, capture, parent, resource and reports", () => {
  const settings = telemetrySettings({
    [ENDPOINT]: HOST,
    OTEL_EXPORTER_OTLP_TIMEOUT: "1500",
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "soon",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "True",
    OTEL_LOG_LEVEL: "error",
    TRACEPARENT: "00-x",
    TRACESTATE: "",
    OTEL_RESOURCE_ATTRIBUTES: "a=1, b = %C3%A4 ,=x,broken,c=%zz,service.name=other",
    OTEL_SERVICE_NAME: "shell",
  });
  assertEquals(settings?.traces?.timeoutMs, 1500);
  assertEquals(settings?.metrics?.timeoutMs, null);
  assertEquals(settings?.content, true);
  assertEquals(settings?.reports, true);
  assertEquals(settings?.parent, { traceparent: "00-x", tracestate: null });
  assertEquals(settings?.resource, { a: "1", b: "ä", c: "%zz", "service.name": "shell" });
  for (const [level, want] of [["none", false], ["NONE", false], ["", false], ["debug", true]]) {
    const reports = telemetrySettings({ [ENDPOINT]: HOST, OTEL_LOG_LEVEL: String(level) })?.reports;
    assertEquals(reports, want);
  }
  const capture = (text: string) =>
    telemetrySettings({
      [ENDPOINT]: HOST,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: text,
    })?.content;
  for (const text of ["", "1", "yes", "false", "SPAN_ONLY"]) assertEquals(capture(text), false);
});

Deno.test("telemetrySecrets gives values of headers as written and as sent", () => {
  const secrets = telemetrySecrets({
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=acme,authorization=Bearer%20abcd%2Fefgh",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "key = 0123456789",
    OTEL_EXPORTER_OTLP_ENDPOINT: HOST,
  });
  assertEquals(secrets.map(({ value }) => value), [
    "Bearer%20abcd%2Fefgh",
    "abcd/efgh",
    "0123456789",
  ]);
});
