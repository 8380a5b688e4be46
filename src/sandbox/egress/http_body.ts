/** Bodies on their way through the proxy. A chunked one is taken apart and put together again, without what chunks may carry besides. */
import { type EgressStream, ProtocolError } from "./egress_stream.ts";
import type { Framing } from "./http_head.ts";

/** A line with a chunk's size and its extensions, in bytes. */
const MAX_SIZE_LINE = 256;
/** Fields after the last chunk, in bytes; they are dropped. */
const MAX_TRAILER = 8 * 1024;

const encoder = new TextEncoder();

/**
 * Copies a body. With `plain` a chunked one arrives as its bare content, for a receiver that knows no chunks.
 *
 * @throws {ProtocolError} when it is malformed or ends too early.
 */
export async function copyBody(
  from: EgressStream,
  to: EgressStream,
  { framing, plain }: { readonly framing: Framing; readonly plain: boolean },
): Promise<void> {
  switch (framing.kind) {
    case "none":
      return;
    case "length":
      return await copyExactly(from, to, { bytes: framing.bytes, chunked: false });
    case "chunked":
      return await copyChunks(from, to, plain);
    case "until-close":
      for (let piece = await from.some(); piece !== null; piece = await from.some()) {
        await to.write(piece);
      }
  }
}

async function copyExactly(
  from: EgressStream,
  to: EgressStream,
  options: { readonly bytes: number; readonly chunked: boolean },
): Promise<void> {
  for (let left = options.bytes; left > 0;) {
    const piece = await from.some(left);
    if (piece === null) throw new ProtocolError("the body ended too early");
    left -= piece.length;
    await to.write(options.chunked ? chunkOf(piece) : piece);
  }
}

async function copyChunks(from: EgressStream, to: EgressStream, plain: boolean): Promise<void> {
  for (;;) {
    const size = await readSize(from);
    if (size === 0) break;
    await copyExactly(from, to, { bytes: size, chunked: !plain });
    if (await lineOf(from, 2) !== "") throw new ProtocolError("a chunk longer than its size");
  }
  for (let left = MAX_TRAILER; left > 0;) {
    const line = await lineOf(from, left);
    if (line === "") {
      if (!plain) await to.write(encoder.encode("0\r\n\r\n"));
      return;
    }
    left -= line.length + 2;
  }
  throw new ProtocolError(`more than ${MAX_TRAILER} bytes after the last chunk`);
}

async function readSize(from: EgressStream): Promise<number> {
  const size = /^([0-9A-Fa-f]{1,12})(?:[\t ]*;[\t\x20-\x7e]*)?$/.exec(
    await lineOf(from, MAX_SIZE_LINE),
  )?.[1];
  if (size === undefined) throw new ProtocolError("no usable chunk size");
  return parseInt(size, 16);
}

/** A line without its end. A line feed alone ends none. */
async function lineOf(from: EgressStream, max: number): Promise<string> {
  const bytes = await from.through("\r\n", max);
  return Array.from(bytes.subarray(0, -2), (byte) => String.fromCharCode(byte)).join("");
}

function chunkOf(piece: Uint8Array): Uint8Array {
  const size = encoder.encode(`${piece.length.toString(16)}\r\n`);
  const chunk = new Uint8Array(size.length + piece.length + 2);
  chunk.set(size);
  chunk.set(piece, size.length);
  chunk.set([0x0d, 0x0a], size.length + piece.length);
  return chunk;
}
