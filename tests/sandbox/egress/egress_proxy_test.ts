import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { echo, echoHead, EgressPlace } from "./egress_place.ts";

const socks = (host: string, port: number) =>
  `\x05\x01\x00\x03${String.fromCharCode(host.length)}${host}` +
  String.fromCharCode(port >> 8, port & 255);

function login(place: EgressPlace, token = place.proxy.token): string {
  return `\x05\x01\x02\x01\x07debrief${String.fromCharCode(token.length)}${token}`;
}

Deno.test("the proxy speaks SOCKS5 with names and with addresses of both kinds", async () => {
  await using place = new EgressPlace({
    origin: echo,
    net: (port) => [`name.test:${port}`, `127.0.0.1:${port}`],
    resolve: (name) => Promise.resolve(name === "name.test" ? ["127.0.0.1"] : []),
  });
  const port = String.fromCharCode(place.originPort >> 8, place.originPort & 255);
  const requests = [
    socks("name.test", place.originPort),
    socks("NAME.test.", place.originPort),
    socks("127.1", place.originPort),
    `\x05\x01\x00\x01\x7f\x00\x00\x01${port}`,
    `\x05\x01\x00\x04${"\0".repeat(10)}\xff\xff\x7f\x00\x00\x01${port}`,
  ];
  for (const request of requests) {
    const got = await place.exchange(`${login(place)}${request}payload`);
    assertEquals(got, "\x05\x02\x01\x00\x05\x00\x00\x01\0\0\0\0\0\0payloadEND");
  }
  assertEquals(place.reached, requests.length);
});

Deno.test("the proxy refuses over SOCKS with the code that says why", async () => {
  await using place = new EgressPlace({
    origin: echo,
    net: () => ["*.test", "127.0.0.1:1"],
    resolve: (name) =>
      name === "private.test"
        ? Promise.resolve(["10.0.0.1"])
        : Promise.reject(new Error("the name does not resolve (ENOTFOUND)")),
  });
  const table = [
    { in: socks("refused.example", 443), want: 2 },
    { in: socks("allowed.test\0.refused.example", 443), want: 2 },
    { in: socks("\xff\xfe.test", 443), want: 2 },
    { in: socks("", 443), want: 2 },
    { in: socks("private.test", 443), want: 2 },
    { in: socks("unknown.test", 443), want: 4 },
    { in: socks("127.0.0.1", 1), want: 5 },
    { in: socks("a.test", 0), want: 1 },
    { in: "\x05\x02\x00\x01\x7f\0\0\x01\0\x01", want: 7 },
    { in: "\x05\x03\x00\x01\x7f\0\0\x01\0\x01", want: 7 },
    { in: "\x05\x01\x00\x02\x7f\0\0\x01\0\x01", want: 8 },
    { in: "\x05\x01\x01\x01\x7f\0\0\x01\0\x01", want: 1 },
    { in: "\x04\x01\x00\x01\x7f\0\0\x01\0\x01", want: 1 },
  ];
  for (const { in: request, want } of table) {
    const got = await place.exchange(login(place) + request);
    assertEquals(got, `\x05\x02\x01\x00\x05${String.fromCharCode(want)}\0\x01\0\0\0\0\0\0`);
  }
  const { denials, notices } = place.proxy.drain();
  assertEquals(denials.map(({ resource, rule }) => [resource, rule]), [
    ["refused.example:443", "no net rule allows it"],
    [
      "allowed.test\\x00.refused.example:443",
      "no net rule allows it (not a host name or address)",
    ],
    ["\\xfffd\\xfffd.test:443", "no net rule allows it (not a host name or address)"],
    [":443", "no net rule allows it (not a host name or address)"],
    [
      "private.test:443",
      "no net rule allows it (resolves to 10.0.0.1 (private use), which must be listed itself)",
    ],
  ]);
  assertEquals(notices.length, 2);
  assertMatch(
    notices[0] ?? "",
    /^Cannot connect to "unknown\.test:443": the name does not resolve \(ENOTFOUND\)$/,
  );
});

Deno.test("the proxy lets nobody in over SOCKS without the token", async () => {
  await using place = new EgressPlace({ origin: echo });
  const request = socks("127.0.0.1", place.originPort);
  const table = [
    { in: "\x05\x01\x00", want: "\x05\xff" },
    { in: "\x05\x00", want: "\x05\xff" },
    { in: login(place, "0".repeat(64)), want: "\x05\x02\x01\x01" },
    { in: login(place, ""), want: "\x05\x02\x01\x01" },
    { in: `\x05\x02\x00\x02\x02\x07debrief`, want: "\x05\x02" },
  ];
  for (const { in: start, want } of table) {
    assertEquals(await place.exchange(start + request), want);
  }
  assertEquals(place.reached, 0);
});

Deno.test("the proxy carries 50 MB each way with flat memory", async () => {
  await using place = new EgressPlace({ origin: echo });
  const client = await place.client();
  await client.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  await client.until("\r\n\r\n");
  const piece = new Uint8Array(1 << 16).fill(0x61);
  const pieces = 800;
  const writing = (async () => {
    for (let index = 0; index < pieces; index++) {
      for (let at = 0; at < piece.length;) at += await client.conn.write(piece.subarray(at));
    }
    await client.conn.closeWrite();
  })();
  const before = Deno.memoryUsage().rss;
  let [received, highest] = [0, 0];
  const buffer = new Uint8Array(1 << 16);
  for (let count = await client.conn.read(buffer); count; count = await client.conn.read(buffer)) {
    received += count;
    highest = Math.max(highest, Deno.memoryUsage().rss);
  }
  await writing;
  assertEquals(received, pieces * piece.length + "END".length);
  assert(highest - before < 40 * 1024 * 1024, `${highest - before} bytes more`);
});

Deno.test("the proxy stops reading from an origin whose client does not read", async () => {
  let sent = 0;
  await using place = new EgressPlace({
    origin: async (conn) => {
      const piece = new Uint8Array(1 << 16);
      for (;;) sent += await conn.write(piece);
    },
  });
  const client = await place.client();
  await client.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  await client.until("\r\n\r\n");
  for (let last = -1; last !== sent;) {
    last = sent;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  // What the system buffers on three sockets, and no more.
  assert(sent < 64 * 1024 * 1024, `${sent} bytes`);
});

Deno.test("the proxy gives up on clients that are slow to say what they want", async () => {
  await using place = new EgressPlace({
    origin: echo,
    limits: { headMs: 300, connections: 2, idleMs: 600_000 },
  });
  const slow = [await place.client(), await place.client()];
  await slow[0]!.send("GET http://a/ HTTP/1.1\r\nX: ");
  await slow[1]!.send("\x05\x01");
  const dripping = setInterval(() => slow[0]!.send("x").catch(() => {}), 20);
  // The third one waits for a place, and gets one because the first two lose theirs.
  const got = place.exchange(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  assertMatch(await got, /^HTTP\/1\.1 200 /);
  assertEquals([await slow[0]!.rest(), await slow[1]!.rest()], ["", ""]);
  clearInterval(dripping);
});

Deno.test("the proxy gives places to clients with the token, whoever else holds them", async () => {
  await using place = new EgressPlace({
    origin: echo,
    limits: { headMs: 600_000, connections: 3, idleMs: 600_000 },
  });
  const [, refused] = [await place.client(), await place.client()];
  await refused.send("GET http://a/ HTTP/1.1\r\n\r\n");
  assertMatch(await refused.until("wrong\n"), /^HTTP\/1\.1 407 /);
  const known = await place.client();
  await known.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  assertMatch(await known.until("\r\n\r\n"), /^HTTP\/1\.1 200 /);
  const got = place.exchange(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  // Only a hang reaches the other one.
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve("no place was given"), 20_000);
  assertMatch(await Promise.race([got, late.promise]), /^HTTP\/1\.1 200 /);
  clearTimeout(timer);
  await known.send("still there");
  assertEquals(await known.until("there"), "still there");
});

Deno.test("the proxy keeps no connection open for a client without the token", async () => {
  await using place = new EgressPlace({
    origin: echo,
    limits: { headMs: 300, idleMs: 600_000 },
  });
  const client = await place.client();
  await client.send("GET http://a/ HTTP/1.1\r\n\r\n");
  assertMatch(await client.until("wrong\n"), /^HTTP\/1\.1 407 /);
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve("it is still open"), 20_000);
  assertEquals(await Promise.race([client.rest(), late.promise]), "");
  clearTimeout(timer);
});

Deno.test("the proxy closes a tunnel in which nothing happens", async () => {
  await using place = new EgressPlace({ origin: echo, limits: { idleMs: 300 } });
  const client = await place.client();
  await client.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  await client.until("\r\n\r\n");
  assertEquals(await client.rest(), "");
});

Deno.test("the proxy ends with its connections when it is closed, also with those that wait for a name", async () => {
  const place = new EgressPlace({
    origin: echo,
    net: (port) => [`127.0.0.1:${port}`, "slow.test"],
    resolve: () => new Promise(() => {}),
  });
  const [tunnelled, waiting] = [await place.client(), await place.client()];
  await tunnelled.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  await tunnelled.until("\r\n\r\n");
  await waiting.send(`CONNECT slow.test:1 HTTP/1.1\r\n${place.authorization}\r\n`);
  await place[Symbol.asyncDispose]();
  assertEquals([await tunnelled.rest(), await waiting.rest()], ["", ""]);
  await place.proxy.close();
});

Deno.test("the proxy survives any bytes and dials nothing for them", async () => {
  await using place = new EgressPlace({
    origin: echoHead,
    limits: { headMs: 500 },
    net: () => ["*.test"],
    resolve: () => Promise.resolve(["127.0.0.1", "10.0.0.1", "::1"]),
  });
  const piece = fc.oneof(
    fc.constantFrom(
      login(place),
      socks("a.test", 80),
      socks("127.0.0.1", place.originPort),
      `CONNECT ${place.origin} HTTP/1.1\r\n`,
      "GET http://a.test/ HTTP/1.1\r\n",
      place.authorization,
      "Content-Length: 3\r\n",
      "Transfer-Encoding: chunked\r\n",
      "\r\n",
      "3\r\nabc\r\n",
      "\x05",
      "\x00",
    ),
    fc.string({ unit: "binary-ascii", maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      await place.exchange(pieces.join(""));
      assertEquals(place.reached, 0);
    }),
    { numRuns: 150 },
  );
  const client = await place.client();
  await client.send(`CONNECT a.test:1 HTTP/1.1\r\n${place.authorization}\r\n`);
  assertMatch(await client.until("\r\n\r\n"), /^HTTP\/1\.1 403 /);
});
