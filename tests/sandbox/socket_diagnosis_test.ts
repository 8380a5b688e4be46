/** What the kernel says of listening sockets, and that nothing malformed passes for "nobody listens". */
import { assert, assertEquals } from "@std/assert";
import { AF } from "../../src/sandbox/linux/uapi.ts";
import {
  diagnoseListening,
  type DiagnosisPart,
  parseDiagnosis,
} from "../../src/sandbox/socket_diagnosis.ts";

const HEADER_BYTES = 16;

function message(
  kind: number,
  body: Uint8Array,
  { flags = 0, length = HEADER_BYTES + body.length } = {},
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  view.setUint16(4, kind, true);
  view.setUint16(6, flags, true);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

function listener(port: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(72);
  const view = new DataView(body.buffer);
  view.setUint8(0, AF.INET);
  view.setUint16(4, port, false);
  body.set([127, 0, 0, 1], 8);
  view.setUint32(68, 4711, true);
  return body;
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const DONE = message(3, new Uint8Array(4));

Deno.test("parseDiagnosis reads sockets up to the end of the answer, and fails on anything else", () => {
  const one = message(20, listener(80));
  const cases: readonly {
    readonly in: Uint8Array<ArrayBuffer>;
    readonly want: { readonly ports: number[]; readonly state: DiagnosisPart["state"] };
  }[] = [
    { in: join(one, one), want: { ports: [80, 80], state: "more" } },
    { in: join(one, DONE), want: { ports: [80], state: "done" } },
    { in: DONE, want: { ports: [], state: "done" } },
    // -ENOENT: no such module.
    { in: message(3, new Uint8Array([254, 255, 255, 255])), want: { ports: [], state: "failed" } },
    { in: message(2, new Uint8Array(20)), want: { ports: [], state: "failed" } },
    { in: join(one, message(20, new Uint8Array(8))), want: { ports: [80], state: "failed" } },
    {
      in: message(20, listener(80), { flags: 0x10 }),
      want: { ports: [], state: "failed" },
    },
    { in: message(20, listener(80), { length: 0 }), want: { ports: [], state: "failed" } },
    { in: message(20, listener(80), { length: 4000 }), want: { ports: [], state: "failed" } },
    { in: one.slice(0, 9), want: { ports: [], state: "failed" } },
  ];
  for (const { in: bytes, want } of cases) {
    const { sockets, state } = parseDiagnosis(bytes);
    assertEquals({ ports: sockets.map(({ port }) => port), state }, want);
  }
  const [first] = parseDiagnosis(one).sockets;
  assertEquals(first, { host: new Uint8Array([127, 0, 0, 1]), port: 80, inode: "4711" });
});

Deno.test({
  name: "diagnoseListening finds a socket of this process on its port as long as it listens",
  // A kernel without the module says nothing; the tables of proc(5) are read then.
  ignore: diagnoseListening(AF.INET, 1) === null && Deno.env.get("REQUIRE_SANDBOX") !== "1",
  fn: () => {
    // Another one must not be in the answer: what it takes would grow with all that listens.
    using _other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = server.addr as Deno.NetAddr;
    const onPort = () => diagnoseListening(AF.INET, port);
    const found = onPort();
    server.close();
    assertEquals(found?.map(({ host, port }) => [...host, port]), [[127, 0, 0, 1, port]]);
    assert(/^\d+$/.test(found?.[0]?.inode ?? ""));
    assertEquals(onPort(), []);
  },
});
