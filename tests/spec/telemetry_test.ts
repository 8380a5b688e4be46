/** Telemetry of the whole program against a receiver on loopback: what is sent, and what never is. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { alnum } from "../output/rules_samples.ts";
import { runDebrief } from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { deadPort, Receiver } from "../telemetry/receiver.ts";

const CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

function endpoint(url: string): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url };
}

/** For tests of what arrives: a loaded machine gets all the time that there is. */
function patient(url: string): Record<string, string> {
  return { ...endpoint(url), OTEL_EXPORTER_OTLP_TIMEOUT: "2000" };
}

jailTest("debrief -c sends a span and metrics by the GenAI conventions", async () => {
  using place = new TestPlace();
  await using receiver = new Receiver();
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const env = {
    ...patient(receiver.url),
    TRACEPARENT: `00-${trace}-b7ad6b7169203331-01`,
    TRACESTATE: "vendor=x",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test%20bed,broken",
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=team%201",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  };
  const script = "seq 3000; cat /root/.ssh/id_ed25519 /etc/shadow; exit 3";
  const { code } = await runDebrief(["--task", "t1", "-c", script], { place, env });
  assertEquals(code, 3);
  const [record] = place.records();
  const [span, ...others] = receiver.spans();
  assert(record && span);
  assertEquals(others, []);
  assertEquals(span.name, "execute_tool debrief");
  assertEquals([span.traceId, span.parentSpanId], [trace, "b7ad6b7169203331"]);
  assertEquals(span.startTimeUnixNano, `${Date.parse(record.started_at)}000000`);
  const took = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
  assertEquals(Number(took) / 1e6, record.duration_ms);
  assertEquals(span.attributes, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "debrief",
    "gen_ai.tool.type": "function",
    "error.type": record.outcome.kind,
    "process.executable.name": "bash",
    "process.exit.code": 3,
    "debrief.command.id": record.command_id,
    "debrief.session.id": record.session_id,
    "debrief.task.id": "t1",
    "debrief.outcome": record.outcome.kind,
    "debrief.stdout.bytes": record.bytes.stdout,
    "debrief.stderr.bytes": record.bytes.stderr,
    "debrief.stdout.lines": 3000,
    "debrief.stderr.lines": record.lines.stderr,
  });
  assertEquals(span.status.code, 2);
  assertEquals(span.resource["service.name"], "debrief");
  assertEquals(span.resource["deployment.environment.name"], "test bed");
  const truncated = span.events.filter(({ name }) => name === "debrief.truncation");
  assertEquals(truncated.map(({ attributes }) => attributes["debrief.lines"]), [
    record.truncations.stdout?.lines,
  ]);
  const points = receiver.points();
  const named = (metric: string) => points.filter((point) => point.metric === metric);
  assertEquals(
    named("gen_ai.execute_tool.duration").map(({ unit, value, attributes }) => ({
      unit,
      value,
      attributes,
    })),
    [{
      unit: "s",
      value: 1,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "debrief",
        "gen_ai.tool.type": "function",
        "error.type": record.outcome.kind,
      },
    }],
  );
  assertEquals(named("debrief.commands").map(({ value }) => value), [1]);
  // 1 is DELTA: a sum that each process begins anew would say nothing.
  assertEquals(points.every(({ temporality }) => temporality === 1), true);
  for (const { headers } of receiver.requests) assertEquals(headers.get("x-tenant"), "team 1");
});

jailTest("debrief sends nothing unless the shell's own environment says where to", async () => {
  using place = new TestPlace();
  await using receiver = new Receiver();
  const on = endpoint(receiver.url);
  const inside = [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url}`,
    "export OTEL_SDK_DISABLED=false",
    "true",
    "",
  ].join("\n");
  const cases: { env: Record<string, string>; args: string[]; stdin?: string }[] = [
    { env: {}, args: ["-c", `OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url} true`] },
    { env: {}, args: [], stdin: inside },
    { env: { ...on, OTEL_SDK_DISABLED: "TRUE" }, args: ["-c", "true"] },
    { env: { ...on, DEBRIEF_DEPTH: "1" }, args: ["-c", "true"] },
    { env: { ...on, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, args: ["-c", "true"] },
    { env: endpoint("unix:/nowhere"), args: ["-c", "true"] },
    { env: on, args: ["log"] },
    { env: on, args: ["policy", "explain", "true"] },
  ];
  for (const { env, args, stdin } of cases) {
    const { code } = await runDebrief(args, { place, env, stdin });
    assertEquals([code, receiver.requests.length], [0, 0], JSON.stringify({ env, args }));
  }
  // The control: one signal alone, to a URL of its own.
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_TIMEOUT: "2000",
  };
  await runDebrief(["-c", "true"], { place, env });
  assertEquals(receiver.requests.map(({ path }) => path), ["/v1/traces"]);
});

jailTest("debrief's session sends a span for each command and links a retry", async () => {
  using place = new TestPlace();
  await using receiver = new Receiver();
  const stdin = "ls nowhere\nls nowhere -l\nfalse | true\n(((\n";
  await runDebrief([], { place, env: patient(receiver.url), stdin });
  const records = place.records();
  const spans = receiver.spans();
  assertEquals(
    spans.map(({ attributes }) => attributes["debrief.command.id"]),
    records.map(({ command_id }) => command_id),
  );
  assertEquals(records.length, 4);
  assertEquals(records[1]?.parent_command_id, records[0]?.command_id);
  assertEquals(spans[1]?.links.map(({ spanId }) => spanId), [spans[0]?.spanId]);
  assertEquals(spans.map(({ attributes }) => attributes["error.type"]), [
    ...records.slice(0, 2).map(({ outcome }) => outcome.kind),
    undefined,
    "syntax-error",
  ]);
  const commands = receiver.points().filter(({ metric }) => metric === "debrief.commands");
  assertEquals(commands.reduce((sum, { value }) => sum + value, 0), 4);
});

jailTest(
  "debrief sends no secret, with content capture or without, and content only with it",
  async () => {
    const token = (seed: number) => "gh" + "p_" + alnum(36, seed);
    const places = [
      "argument",
      "stdout",
      "stderr",
      "note",
      "directory",
      "task",
      "program",
      "error",
    ];
    const secrets = Object.fromEntries(places.map((name, index) => [name, token(700 + index)]));
    const headers = alnum(30, 800);
    const named = alnum(30, 801);
    for (const content of [false, true]) {
      using place = new TestPlace();
      await using receiver = new Receiver();
      const env = {
        ...patient(receiver.url),
        [CAPTURE]: String(content),
        OTEL_EXPORTER_OTLP_HEADERS: `x-any=${headers}`,
        OTEL_RESOURCE_ATTRIBUTES: `team=${named}`,
        DEPLOY_TOKEN: named,
      };
      const cwd = place.at(`work/${secrets.directory}`);
      Deno.mkdirSync(cwd);
      const run = (...args: string[]) => runDebrief(args, { place, env, cwd });
      const script = `echo marker-word ${secrets.stdout} ${headers} ${named}; ` +
        `echo ${secrets.stderr} >&2; cat /root/${secrets.error}; exit 3`;
      await run("--note", `wants ${secrets.note}`, "--task", secrets.task!, "-c", script);
      await run("--", "echo", secrets.argument!);
      await run("--", secrets.program!);
      await run("-c", `echo ${secrets.error} | (`);
      await run(
        "--policy",
        "readonly",
        "-c",
        `curl ${secrets.error}.example; touch ${secrets.error}`,
      );
      assertEquals(receiver.spans().length, 5);
      const bodies = receiver.requests.map(({ text }) => text).join("\n");
      for (
        const [name, value] of [...Object.entries(secrets), ["header", headers], ["env", named]]
      ) {
        assert(!bodies.includes(value!.slice(6, 22)), `${name}, content ${content}`);
      }
      // The controls: the header itself is sent, the searched text would be found, and content is there or not.
      assert(receiver.text.includes(headers));
      assertEquals(bodies.includes("marker-word"), content);
      assertEquals(bodies.includes("gen_ai.tool.call.arguments"), content);
      assertEquals(bodies.includes("gen_ai.tool.call.result"), content);
      assertEquals(bodies.includes(place.at("work")), content);
      assertEquals(bodies.includes("[REDACTED:github-token#"), true);
      assertEquals(bodies.includes("wants "), content);
    }
  },
);

jailTest("debrief trusts the certificate that OTEL_EXPORTER_OTLP_CERTIFICATE names", async () => {
  using place = new TestPlace();
  const openssl = async (line: string) => {
    const output = await new Deno.Command("/usr/bin/openssl", {
      args: line.split(" "),
      cwd: place.at("outside"),
      stdin: "null",
    }).output();
    assert(output.success, new TextDecoder().decode(output.stderr));
  };
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  place.write("outside/leaf.cnf", "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n");
  await openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -days 2 -subj /CN=debrief-test`);
  await openssl(`req ${key} -keyout leaf.key -out leaf.csr -subj /CN=localhost`);
  await openssl(
    "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out leaf.pem -extfile leaf.cnf",
  );
  const read = (name: string) => Deno.readTextFileSync(place.at(`outside/${name}`));
  await using receiver = new Receiver("accepts", { cert: read("leaf.pem"), key: read("leaf.key") });
  const env = patient(receiver.url);
  await runDebrief(["-c", "true"], { place, env });
  assertEquals(receiver.requests.length, 0);
  const trusting = { ...env, OTEL_EXPORTER_OTLP_CERTIFICATE: place.at("outside/ca.pem") };
  await runDebrief(["-c", "true"], { place, env: trusting });
  assertEquals(receiver.spans().length, 1);
}, { programs: ["openssl"] });

jailTest("a command cannot listen where debrief sends telemetry to", async () => {
  using place = new TestPlace();
  const port = deadPort();
  const listen = ["import socket", "s = socket.socket()", `s.bind(("127.0.0.1", ${port}))`];
  const args = ["--", "/usr/bin/python3", "-c", [...listen, "s.listen()"].join("\n")];
  const control = await runDebrief(args, { place });
  assertEquals(control.code, 0, control.stderr);
  const { code, stderr } = await runDebrief(args, {
    place,
    env: endpoint(`http://localhost:${port}`),
  });
  assertEquals(code, 1);
  assertMatch(stderr, /Address already in use/);
}, { programs: ["python3"] });
