/** Bytes both ways between two connections until both have ended. */
import type { EgressStream } from "./egress_stream.ts";

/** Copies both ways; the end of one direction is passed on and leaves the other open. Both are closed afterwards. */
export async function tunnel(one: EgressStream, other: EgressStream): Promise<void> {
  try {
    await Promise.all([pump(one, other), pump(other, one)]);
  } finally {
    one.close();
    other.close();
  }
}

async function pump(from: EgressStream, to: EgressStream): Promise<void> {
  try {
    for (let piece = await from.some(); piece !== null; piece = await from.some()) {
      await to.write(piece);
    }
    await to.closeWrite();
  } catch (error) {
    // What one side does not take, the other need not send.
    from.close();
    to.close();
    throw error;
  }
}
