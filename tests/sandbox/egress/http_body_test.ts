import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../../../src/sandbox/egress/egress_stream.ts";
import { copyBody } from "../../../src/sandbox/egress/http_body.ts";
import type { Framing } from "../../../src/sandbox/egress/http_head.ts";
import { cutAt, fakeStream } from "./fake_conn.ts";

async function copied(pieces: readonly string[], framing: Framing, plain = true): Promise<string> {
  const [from, to] = [fakeStream(pieces), fakeStream([])];
  await copyBody(from.stream, to.stream, { framing, plain });
  return to.written();
}

const chunked = { kind: "chunked" } as const;

Deno.test("copyBody() takes chunks apart and leaves out what they carry besides", async () => {
  const text = "3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\nrest";
  assertEquals(await copied([text], chunked), "abcde");
  assertEquals(await copied([text], chunked, false), "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  assertEquals(await copied(["abcrest"], { kind: "length", bytes: 3 }), "abc");
  assertEquals(await copied(["abc", "rest"], { kind: "until-close" }), "abcrest");
  assertEquals(await copied(["abc"], { kind: "none" }), "");
});

Deno.test("copyBody() refuses malformed and truncated bodies", async () => {
  const table = [
    "",
    "3\r\nab",
    "3\r\nabc",
    "3\r\nabcd\r\n0\r\n\r\n",
    "3\nabc\r\n0\r\n\r\n",
    "0x3\r\nabc\r\n0\r\n\r\n",
    "+3\r\nabc\r\n0\r\n\r\n",
    " 3\r\nabc\r\n0\r\n\r\n",
    "-1\r\n\r\n",
    "g\r\n",
    "fffffffffffffffff\r\nabc",
    "3;a\nb\r\nabc\r\n0\r\n\r\n",
    "0\r\n",
    "0\r\nX: 1\r\n",
    `1;${"x".repeat(300)}\r\na\r\n0\r\n\r\n`,
    `0\r\n${"X: 1\r\n".repeat(3000)}\r\n`,
  ];
  for (const text of table) {
    await assertRejects(() => copied([text], chunked), ProtocolError, "", text.slice(0, 40));
  }
  await assertRejects(() => copied(["ab"], { kind: "length", bytes: 3 }), ProtocolError);
});

Deno.test("copyBody() gives the same content however the bytes arrive", async () => {
  const content = fc.array(fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 40 }));
  await fc.assert(fc.asyncProperty(content, fc.array(fc.nat()), async (chunks, places) => {
    const body = [...chunks, ""].map((chunk) =>
      chunk === "" ? "0\r\n\r\n" : `${chunk.length.toString(16)}\r\n${chunk}\r\n`
    ).join("");
    assertEquals(await copied(cutAt(body, places), chunked), chunks.join(""));
    // What goes out is again a body with this content.
    const again = await copied(cutAt(body, places), chunked, false);
    assertEquals(await copied([again], chunked), chunks.join(""));
  }));
});
