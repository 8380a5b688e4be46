/** The cost of one command: bare, and through a whole session with jail, record and rendered block. */
import type { CommandText } from "../src/session/decide.ts";
import { compare } from "./compare.ts";
import type { BenchOptions, Section } from "./section.ts";
import { openSession, runIn } from "./session.ts";

/** Name of the row that the target is about. */
export const IN_SESSION = "bash -c true, in a session";

/** Measure. The shell's commands are new texts, so that nothing is remembered from the one before. */
export async function* benchCommand({ rounds }: BenchOptions): AsyncGenerator<Section> {
  const home = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.mkdirSync(`${home}/project/.git`, { recursive: true });
  const [single, stateful] = [openSession(home, false), openSession(home, true)];
  let count = 0;
  const script = (): CommandText => ({ kind: "script", source: `: ${count++}` });
  try {
    const rows = await compare([
      {
        name: "bash -c true, bare",
        run: async () => {
          await new Deno.Command("bash", { args: ["--norc", "-c", `: ${count++}`] }).output();
        },
      },
      { name: IN_SESSION, run: () => runIn(single, script()) },
      { name: "the same, shell state kept", run: () => runIn(stateful, script()) },
      {
        name: "/bin/true without a shell, in a session",
        run: () => runIn(single, { kind: "argv", argv: ["/bin/true"] }),
      },
    ], { rounds: rounds(1000), warmUp: 20 });
    yield { title: "One command, with jail, record and block", rows };
  } finally {
    await single.close();
    await stateful.close();
    Deno.removeSync(home, { recursive: true });
  }
}
