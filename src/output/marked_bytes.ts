/** Bytes on their way to the screen, with the notable words in them. */
import type { Mark } from "./redact_stream.ts";

/** Bytes, and the notable words in them. */
export interface MarkedBytes {
  readonly bytes: Uint8Array;
  readonly marks: readonly Mark[];
}

/** All parts as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of parts) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

/** A stretch of bytes with its marks. */
export function part(
  bytes: Uint8Array,
  marks: readonly Mark[],
  range: { readonly from: number; readonly to: number },
): MarkedBytes {
  const { from, to } = range;
  const inside = marks.filter(({ at }) => at >= from && at < to);
  return {
    bytes: bytes.subarray(from, to),
    marks: from === 0 ? inside : inside.map(({ at, kind }) => ({ at: at - from, kind })),
  };
}

/** All parts as one, with their marks. */
export function together(parts: readonly MarkedBytes[]): MarkedBytes {
  let base = 0;
  const marks = parts.flatMap((one) => {
    const moved = one.marks.map(({ at, kind }) => ({ at: at + base, kind }));
    base += one.bytes.length;
    return moved;
  });
  return { bytes: joined(parts.map(({ bytes }) => bytes)), marks };
}
