import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { echo, echoHead, EgressPlace } from "./egress_place.ts";

Deno.test("the proxy tunnels CONNECT to what is allowed, and one side's end leaves the other open", async () => {
  await using place = new EgressPlace({ origin: echo });
  const client = await place.client();
  await client.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\nearly `);
  assertMatch(await client.until("\r\n\r\n"), /^HTTP\/1\.1 200 /);
  assertEquals(await client.exactly(6), "early ");
  await client.send("later");
  await client.conn.closeWrite();
  // The origin answers the end of the client's direction, so that end arrived and the way back is open.
  assertEquals(await client.rest(), "laterEND");
  assertEquals(place.proxy.drain(), { denials: [], notices: [] });
});

Deno.test("the proxy forwards requests in absolute form, each checked, on one client connection", async () => {
  await using place = new EgressPlace({ origin: echoHead });
  const client = await place.client();
  const request = (target: string, lines = "") =>
    client.send(
      `GET ${target} HTTP/1.1\r\nHost: other.test\r\n${place.authorization}${lines}\r\n`,
    );
  await request(
    `http://${place.origin}/path?q=1`,
    "TE: x\r\nConnection: X-A\r\nX-A: 1\r\nX-B: 2\r\n",
  );
  assertMatch(
    await client.until("\r\n\r\n"),
    /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: keep-alive\r\n/,
  );
  assertEquals(
    await client.until("\r\n\r\n"),
    `GET /path?q=1 HTTP/1.1\r\nHost: ${place.origin}\r\nX-B: 2\r\nConnection: close\r\n\r\n`,
  );
  await request("http://refused.test/");
  assertMatch(await client.until("\r\n\r\n"), /^HTTP\/1\.1 403 Forbidden/);
  assertMatch(
    await client.until("\n"),
    /^Cannot connect to "refused\.test:80": no net rule allows it \(.*p\.jsonc:\d+\); allowed is net: 127/,
  );
  await request(`http://${place.origin}?x`);
  assertMatch(await client.until("\r\n\r\n"), /^HTTP\/1\.1 200 OK/);
  assertMatch(await client.until("\r\n\r\n"), /^GET \/\?x HTTP\/1\.1\r\n/);
  assertEquals(place.reached, 2);
  const { denials } = place.proxy.drain();
  assertEquals(denials.map(({ permission, resource, by }) => [permission, resource, by]), [
    ["net", "refused.test:80", "sandbox"],
  ]);
  assertEquals(place.proxy.drain().denials, []);
});

Deno.test("the proxy forwards bodies by length and in chunks", async () => {
  await using place = new EgressPlace({ origin: echoHead });
  const client = await place.client();
  const post = `POST http://${place.origin}/ HTTP/1.1\r\n${place.authorization}`;
  await client.send(`${post}Content-Length: 5\r\n\r\nhello`);
  await client.until("\r\n\r\n");
  assertStringIncludes(await client.until("hello"), "Content-Length: 5\r\n");
  await client.send(`${post}Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX: 1\r\n\r\n`);
  await client.until("\r\n\r\n");
  const echoed = await client.until("0\r\n\r\n");
  assertStringIncludes(echoed, "Transfer-Encoding: chunked\r\n");
  assertStringIncludes(echoed, "\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
});

Deno.test("the proxy passes responses of every framing, and says where one breaks off", async () => {
  const table = [
    {
      in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a\r\nabc\r\n0\r\n\r\n",
      want: /Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n3\r\nabc\r\n0\r\n\r\n$/,
    },
    {
      in: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
      want: /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nx$/,
    },
    { in: "HTTP/1.1 200 OK\r\n\r\nuntil close", want: /Connection: close\r\n\r\nuntil close$/ },
    {
      in: "HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n",
      want: /204 No\r\nConnection: keep-alive\r\n\r\n$/,
    },
    {
      in: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
      want: /Content-Length: 9\r\n[^]*short$/,
    },
    { in: "HTTP/1.1 101 Up\r\n\r\n", want: /^HTTP\/1\.1 502 / },
    {
      in: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      want: /^HTTP\/1\.1 502 /,
    },
    { in: "SSH-2.0-x\r\n\r\n", want: /^HTTP\/1\.1 502 / },
    { in: "", want: /^HTTP\/1\.1 502 / },
  ];
  for (const { in: answer, want } of table) {
    await using place = new EgressPlace({
      origin: async (conn) => {
        await conn.read(new Uint8Array(65_536));
        await conn.write(new TextEncoder().encode(answer));
      },
    });
    const got = await place.exchange(
      `GET http://${place.origin}/ HTTP/1.1\r\n${place.authorization}\r\n`,
    );
    assertMatch(got, want, answer);
  }
});

Deno.test("the proxy takes nothing without the session's token", async () => {
  await using place = new EgressPlace({ origin: echoHead });
  const wrong = [
    "",
    "Proxy-Authorization: Basic\r\n",
    `Proxy-Authorization: Basic ${btoa("debrief:wrong")}\r\n`,
    `Proxy-Authorization: Bearer ${place.proxy.token}\r\n`,
    `Authorization: Basic ${btoa(`debrief:${place.proxy.token}`)}\r\n`,
    place.authorization + place.authorization,
  ];
  for (const lines of wrong) {
    for (const target of [`GET http://${place.origin}/`, `CONNECT ${place.origin}`]) {
      const got = await place.exchange(`${target} HTTP/1.1\r\n${lines}\r\n`);
      assertMatch(got, /^HTTP\/1\.1 407 [^]*Proxy-Authenticate: Basic/, target + lines);
    }
  }
  assertEquals(place.reached, 0);
  // Clients that ask first and show the token then do so on the same connection.
  const client = await place.client();
  await client.send(`CONNECT ${place.origin} HTTP/1.1\r\n\r\n`);
  await client.until("wrong\n");
  await client.send(`CONNECT ${place.origin} HTTP/1.1\r\n${place.authorization}\r\n`);
  assertMatch(await client.until("\r\n\r\n"), /^HTTP\/1\.1 200 /);
});

Deno.test("the proxy answers what it could misread with 400, and no byte of it reaches an origin", async () => {
  await using place = new EgressPlace({ origin: echoHead });
  const { origin, authorization } = place;
  const targets = [
    "/path",
    "*",
    `https://${origin}/`,
    `ftp://${origin}/`,
    `http://user@${origin}/`,
    `http://${origin}\\@refused.test/`,
    `http://${origin}/#x`,
    `http:///${origin}`,
    `http:${origin}/`,
    `http://127.0.0.1:0/`,
    `http://127.0.0.1:99999/`,
    `http://127.0.0.1:/`,
    `http://[::1/`,
    "http://",
  ];
  for (const target of targets) {
    const got = await place.exchange(`GET ${target} HTTP/1.1\r\n${authorization}\r\n`);
    assertMatch(got, /^HTTP\/1\.1 400 /, target);
  }
  const get = `POST http://${origin}/ HTTP/1.1\r\n${authorization}`;
  const requests = [
    `${get}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${get}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    `${get}Transfer-Encoding: x\r\n\r\n`,
    `${get}Host: a\r\nHost: b\r\n\r\n`,
    `${get}X:\nContent-Length: 1\r\n\r\na`,
    `CONNECT ${origin} HTTP/1.1\r\n${authorization}Content-Length: 1\r\n\r\na`,
    `CONNECT 127.0.0.1 HTTP/1.1\r\n${authorization}\r\n`,
    `CONNECT http://${origin}/ HTTP/1.1\r\n${authorization}\r\n`,
    `GET http://${origin}/ HTTP/1.1\r\nX: ${"x".repeat(40_000)}\r\n\r\n`,
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  ];
  for (const request of requests) {
    assertMatch(await place.exchange(request), /^HTTP\/1\.1 400 /, request.slice(0, 200));
  }
  assertEquals([place.reached, place.proxy.drain().denials], [0, []]);
});

Deno.test("the proxy takes a second request for one of its own, never for a part of the first", async () => {
  await using place = new EgressPlace({ origin: echoHead });
  const second = "GET http://refused.test/ HTTP/1.1\r\n\r\n";
  const got = await place.exchange(
    `POST http://${place.origin}/ HTTP/1.1\r\n${place.authorization}Content-Length: 2\r\n\r\nab${second}`,
  );
  assertEquals(place.reached, 1);
  assertStringIncludes(got, "\r\n\r\nab");
  // Without the token of its own it is refused, and what the origin saw ends with the body.
  assertMatch(got, /abHTTP\/1\.1 407 /);
});

Deno.test("the proxy lets no malformed body become a request that looks complete", async () => {
  let seen = "";
  await using place = new EgressPlace({
    origin: async (conn) => {
      const buffer = new Uint8Array(65_536);
      for (let count = await conn.read(buffer); count !== null; count = await conn.read(buffer)) {
        seen += new TextDecoder().decode(buffer.subarray(0, count));
      }
    },
  });
  const post = `POST http://${place.origin}/ HTTP/1.1\r\n${place.authorization}`;
  const got = await place.exchange(`${post}Transfer-Encoding: chunked\r\n\r\n2\r\nabXX0\r\n\r\n`);
  assertEquals([got.includes("200"), seen.endsWith("0\r\n\r\n")], [false, false]);
});
