/** Connections in memory for the tests of this directory. */
import { Deadline, EgressStream } from "../../../src/sandbox/egress/egress_stream.ts";

/** What a stream was given, as one string of bytes. */
export interface FakeStream {
  readonly stream: EgressStream;
  written(): string;
}

/** A stream that delivers pieces one read at a time, as far as the buffers let it, and then ends. */
export function fakeStream(pieces: readonly string[]): FakeStream {
  const left = pieces.map((piece) => Uint8Array.from(piece, (char) => char.charCodeAt(0)));
  let written = "";
  const conn = {
    setNoDelay() {},
    read(buffer: Uint8Array): Promise<number | null> {
      const next = left.shift();
      if (next === undefined) return Promise.resolve(null);
      const count = Math.min(next.length, buffer.length);
      buffer.set(next.subarray(0, count));
      if (count < next.length) left.unshift(next.subarray(count));
      return Promise.resolve(count);
    },
    write(bytes: Uint8Array): Promise<number> {
      // Half of it, as a full socket does.
      const count = Math.ceil(bytes.length / 2);
      written += String.fromCharCode(...bytes.subarray(0, count));
      return Promise.resolve(count);
    },
    closeWrite: () => Promise.resolve(),
    close() {},
  };
  const stream = new EgressStream(conn as unknown as Deno.TcpConn, new Deadline());
  return { stream, written: () => written };
}

/** A text in pieces that are cut at random places; none is empty. */
export function cutAt(text: string, places: readonly number[]): readonly string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  const cuts = [0, ...at, text.length];
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end)).filter(Boolean);
}
