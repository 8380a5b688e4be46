/** The cost of one command: bare, and through a whole session with jail, record and block. */
import type { CommandText } from "../src/session/decide.ts";
import { compare, type Row } from "./compare.ts";
import { openSession, runIn } from "./session.ts";

/** Measure. Every command is a new text, so that nothing is remembered from the one before. */
export async function benchCommand(): Promise<readonly Row[]> {
  const home = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.mkdirSync(`${home}/project/.git`, { recursive: true });
  const [single, stateful] = [openSession(home, false), openSession(home, true)];
  let count = 0;
  const script = (): CommandText => ({ kind: "script", source: `: ${count++}` });
  try {
    return await compare([
      {
        name: "bash -c, bare",
        run: async () => {
          await new Deno.Command("bash", { args: ["--norc", "-c", `: ${count++}`] }).output();
        },
      },
      { name: "bash -c, jailed and recorded", run: () => runIn(single, script()) },
      {
        name: "bash -c, jailed and recorded, shell state kept",
        run: () => runIn(stateful, script()),
      },
      {
        name: "/bin/true without a shell, jailed and recorded",
        run: () => runIn(single, { kind: "argv", argv: ["/bin/true"] }),
      },
    ], { rounds: 200, warmUp: 20 });
  } finally {
    await single.close();
    await stateful.close();
    Deno.removeSync(home, { recursive: true });
  }
}
