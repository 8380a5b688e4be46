import { assert, assertEquals } from "@std/assert";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { readRequest } from "../../src/cli/serve/stdio_request.ts";
import { StdioConnection } from "../cli/serve/stdio_client.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";

const path = new URL("../../docs/protocol.schema.json", import.meta.url);
const schema = JSON.parse(Deno.readTextFileSync(path));

/** What an independent validator says of a value, by the published schema. */
function validatorOf(definition: "request" | "event"): (value: unknown) => string | null {
  const { $defs, $schema } = schema;
  const wanted = { $schema, $ref: `#/$defs/${definition}`, $defs };
  const validate = new AjvJsonSchemaValidator().getValidator(wanted);
  return (value) => validate(value).errorMessage ?? null;
}

jailTest("docs/protocol.schema.json describes every event that a server writes", async () => {
  await using stdio = new StdioConnection();
  await stdio.send(
    { type: "run", id: "a", command: "echo x; echo y >&2; echo z > /etc/nosuch; seq 9000" },
    { type: "run", id: "b", command: "printf 'x? '; read x", background: true },
    { type: "status", id: "c" },
    { type: "aims", id: "d", goal: "g", deadline: "2h", budget: "9k" },
    { type: "nonsense" },
  );
  await stdio.event({ type: "waiting", id: "b" });
  await stdio.event({ type: "ended", id: "a" });
  await stdio.send(
    { type: "jobs", id: "e", target: "a" },
    { type: "output", id: "f", target: "a", tail: 3 },
    { type: "write_stdin", id: "g", target: "b", text: "part" },
    { type: "close_stdin", id: "h", target: "b" },
    { type: "run", id: "i", command: "sleep 300", background: true },
    { type: "kill", id: "j", target: "i" },
    { type: "run", id: "k", command: "sleep 300", background: true },
    { type: "cancel", id: "l", target: "k" },
  );
  assertEquals(await stdio.end(), 0);
  const problem = validatorOf("event");
  const kinds = new Set<string>();
  for (const event of stdio.events) {
    kinds.add(event.of ?? event.type);
    assertEquals(problem(event), null, JSON.stringify(event));
  }
  assertEquals(kinds.size, 7 + 8, [...kinds].join());
  assert(problem({ type: "started", id: "a" }) !== null);
});

Deno.test("docs/protocol.schema.json and readRequest() take and refuse the same requests", () => {
  const problem = validatorOf("request");
  const id = "1";
  const cases: readonly { in: Record<string, unknown>; want: boolean }[] = [
    { in: { type: "run", id, command: "ls" }, want: true },
    { in: { type: "run", id, argv: ["ls"], cwd: "/", env: { A: "b" }, stdin: "x" }, want: true },
    { in: { type: "run", id, command: "ls", timeoutMs: 5, background: true }, want: true },
    { in: { type: "run", id, command: "ls", more: 1 }, want: false },
    { in: { type: "run", id, command: 7 }, want: false },
    { in: { type: "run", id, argv: [] }, want: false },
    { in: { type: "run", id, command: "ls", env: { A: 1 } }, want: false },
    { in: { type: "run", id, command: "ls", timeoutMs: 0 }, want: false },
    { in: { type: "run", id, command: "ls", timeoutMs: 1.5 }, want: false },
    { in: { type: "run", id, command: "ls", parent: "x" }, want: false },
    { in: { type: "run", id: "", command: "ls" }, want: false },
    { in: { type: "run", command: "ls" }, want: false },
    { in: { type: "kill", id, target: "1", signal: "TERM" }, want: true },
    { in: { type: "kill", id, target: "1", signal: "STOP" }, want: false },
    { in: { type: "output", id, target: "1", from: 1, grep: "x" }, want: true },
    { in: { type: "output", id, target: "1", from: 0 }, want: false },
    { in: { type: "jobs", id }, want: true },
    { in: { type: "status", id }, want: true },
    { in: { type: "halt", id }, want: false },
  ];
  for (const { in: request, want } of cases) {
    const text = JSON.stringify(request);
    const read = readRequest({ kind: "line", text });
    assertEquals([problem(request) === null, read.kind === "request"], [want, want], text);
  }
});
