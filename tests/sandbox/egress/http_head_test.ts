import { assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../../../src/sandbox/egress/egress_stream.ts";
import {
  endToEnd,
  type Field,
  formatHead,
  parseRequestHead,
  parseResponseHead,
  requestFraming,
  responseFraming,
} from "../../../src/sandbox/egress/http_head.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const request = (text: string) => parseRequestHead(bytesOf(text));
const GET = "GET http://a/ HTTP/1.1\r\n";

Deno.test("parseRequestHead() reads what the grammar allows", () => {
  assertEquals(request(`${GET}Host: a\r\nX-Empty:\r\nX:\t v w \t\r\nY: \xe9\r\n\r\n`), {
    method: "GET",
    target: "http://a/",
    minor: 1,
    fields: [["Host", "a"], ["X-Empty", ""], ["X", "v w"], ["Y", "\xe9"]],
  });
  assertEquals(request("CONNECT a:1 HTTP/1.0\r\n\r\n").fields, []);
});

Deno.test("parseRequestHead() refuses what parsers read differently", () => {
  const table = [
    "GET  http://a/ HTTP/1.1\r\n\r\n",
    " GET http://a/ HTTP/1.1\r\n\r\n",
    "GET http://a/ HTTP/1.1 \r\n\r\n",
    "GET http://a/ HTTP/1.2\r\n\r\n",
    "GET http://a/ HTTP/2.0\r\n\r\n",
    "GET http://a/ http/1.1\r\n\r\n",
    "GET http://a/\r\n\r\n",
    "GET http://a/\thttp://b/ HTTP/1.1\r\n\r\n",
    "GET http://a/\x00 HTTP/1.1\r\n\r\n",
    "GET http://\xe9/ HTTP/1.1\r\n\r\n",
    "G@T http://a/ HTTP/1.1\r\n\r\n",
    "\r\nGET http://a/ HTTP/1.1\r\n\r\n",
    `${GET}Host : a\r\n\r\n`,
    `${GET} Host: a\r\n\r\n`,
    `${GET}Host: a\r\n folded\r\n\r\n`,
    `${GET}Host\r\n\r\n`,
    `${GET}: a\r\n\r\n`,
    `${GET}H\x00st: a\r\n\r\n`,
    `${GET}Host: a\x00b\r\n\r\n`,
    `${GET}Host: a\nContent-Length: 5\r\n\r\n`,
    `${GET}Host: a\rContent-Length: 5\r\n\r\n`,
    `GET http://a/ HTTP/1.1\nHost: a\r\n\r\n`,
    `${GET}Host: a\x0bb\r\n\r\n`,
    GET + "A: b\r\n".repeat(300) + "\r\n",
  ];
  for (const text of table) assertThrows(() => request(text), ProtocolError, "", text);
});

Deno.test("requestFraming() refuses every way to frame a body twice", () => {
  const framing = (lines: string, first = GET) => requestFraming(request(`${first}${lines}\r\n`));
  assertEquals(framing(""), { kind: "none" });
  assertEquals(framing("Content-Length: 5\r\n"), { kind: "length", bytes: 5 });
  assertEquals(framing("Transfer-Encoding: Chunked\r\n"), { kind: "chunked" });
  const table = [
    "Content-Length: 5\r\nContent-Length: 5\r\n",
    "Content-Length: 5\r\ncontent-length: 6\r\n",
    "Content-Length: 5, 5\r\n",
    "Content-Length: +5\r\n",
    "Content-Length: -5\r\n",
    "Content-Length: 0x5\r\n",
    "Content-Length: 5 5\r\n",
    "Content-Length:\r\n",
    "Content-Length: 9999999999999999\r\n",
    "Content-Length: \xa05\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "Transfer-Encoding: chunked, identity\r\n",
    "Transfer-Encoding: identity\r\n",
    "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding: \x0bchunked\r\n",
    "Transfer-Encoding:\r\n",
  ];
  for (const lines of table) assertThrows(() => framing(lines), ProtocolError, "", lines);
  assertThrows(() => framing("Transfer-Encoding: chunked\r\n", "GET http://a/ HTTP/1.0\r\n"));
});

Deno.test("responseFraming() knows the responses that have no body", () => {
  const response = (text: string) => parseResponseHead(bytesOf(`${text}\r\n\r\n`));
  const table = [
    { in: "HTTP/1.1 200 OK", method: "GET", want: "until-close" },
    { in: "HTTP/1.1 200", method: "GET", want: "until-close" },
    { in: "HTTP/1.1 200 OK\r\nContent-Length: 3", method: "GET", want: "length" },
    { in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", method: "GET", want: "chunked" },
    { in: "HTTP/1.1 200 OK\r\nContent-Length: 3", method: "HEAD", want: "none" },
    { in: "HTTP/1.1 204 No Content", method: "GET", want: "none" },
    { in: "HTTP/1.1 304 Not Modified\r\nContent-Length: 3", method: "GET", want: "none" },
    { in: "HTTP/1.1 100 Continue", method: "POST", want: "none" },
  ];
  for (const { in: text, method, want } of table) {
    assertEquals(responseFraming(response(text), method).kind, want, text);
  }
  for (const text of ["HTTP/1.1 20 OK", "HTTP/1.1 600 No", "HTTP/3 200 OK", "ICY 200 OK"]) {
    assertThrows(() => response(text), ProtocolError, "", text);
  }
});

Deno.test("endToEnd() drops what is for the neighbour only, also what Connection names", () => {
  const fields: Field[] = [
    ["Connection", "close, X-Mine"],
    ["Keep-Alive", "1"],
    ["Proxy-Authorization", "Basic x"],
    ["proxy-connection", "keep-alive"],
    ["TE", "trailers"],
    ["Upgrade", "h2c"],
    ["x-mine", "1"],
    ["Accept", "a"],
    ["accept", "b"],
  ];
  assertEquals(endToEnd(fields, ["host"]), [["Accept", "a"], ["accept", "b"]]);
});

Deno.test("parseRequestHead() and parseResponseHead() end on any bytes, with a head or a ProtocolError", () => {
  const word = fc.constantFrom(
    ..."GET CONNECT http://a/ a:1 HTTP/1.1 HTTP/1.0 200 OK Host: Content-Length: 5 chunked : \r \n \r\n"
      .split(" "),
    " ",
    "\r\n",
    "\0",
    "\t",
    "\xff",
  );
  const text = fc.array(fc.oneof(word, fc.string({ unit: "binary-ascii" })), { maxLength: 12 });
  fc.assert(
    fc.property(text, (parts) => {
      const bytes = bytesOf(`${parts.join("")}\r\n\r\n`);
      for (const parse of [parseRequestHead, parseResponseHead]) {
        try {
          const head = parse(bytes);
          const again = "method" in head
            ? parse(formatHead(`${head.method} ${head.target} HTTP/1.${head.minor}`, head.fields))
            : parse(formatHead(`HTTP/1.${head.minor} ${head.status} ${head.reason}`, head.fields));
          assertEquals(again, head);
        } catch (error) {
          assertInstanceOf(error, ProtocolError);
        }
      }
    }),
    { numRuns: 500 },
  );
});
