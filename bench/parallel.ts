/** Sixty-four commands at once: as many shells, and as many processes of Debrief with a jail and a record each. */
import { compare } from "./compare.ts";
import { EXECUTABLE, makePlace, runProgram } from "./programs.ts";
import type { BenchOptions, Section } from "./section.ts";

const AT_ONCE = 64;

/** Measure. */
export async function* benchParallel({ rounds }: BenchOptions): AsyncGenerator<Section> {
  const place = makePlace();
  const together = (argv: readonly string[]) => async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, () => runProgram(argv, place)));
  };
  try {
    const rows = await compare([
      { name: `${AT_ONCE} x bash -c true`, run: together(["/bin/bash", "-c", "true"]) },
      { name: `${AT_ONCE} x debrief -c true`, run: together([EXECUTABLE, "-c", "true"]) },
    ], { rounds: rounds(10), warmUp: 1 });
    yield { title: `${AT_ONCE} commands at once`, rows };
  } finally {
    Deno.removeSync(place.home, { recursive: true });
  }
}
