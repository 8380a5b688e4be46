/** Cold start of the executable against a compiled program that does nothing, bash, and other sandboxes. */
import { compare } from "./compare.ts";
import { findPeers } from "./peers.ts";
import { compilePeer, EXECUTABLE, makePlace, program } from "./programs.ts";
import type { BenchOptions, Section } from "./section.ts";

/** Name of the row that the targets are about. */
export const COLD = "debrief -c true";

/** Measure; the first row is the compiled hello world. */
export async function* benchStart({ peers, rounds }: BenchOptions): AsyncGenerator<Section> {
  const place = makePlace();
  try {
    const hello = await compilePeer(place.home, `console.log("hello")`);
    const others = await findPeers(place, { fetch: peers });
    const rows = await compare([
      program("a compiled program that prints a line", [hello], place),
      program("bash -c true", ["/bin/bash", "-c", "true"], place),
      ...others.contenders,
      program("debrief --version", [EXECUTABLE, "--version"], place),
      program(COLD, [EXECUTABLE, "-c", "true"], place),
    ], { rounds: rounds(40), warmUp: 3 });
    yield { title: "Cold start", rows, notes: others.missing };
  } finally {
    Deno.removeSync(place.home, { recursive: true });
  }
}
