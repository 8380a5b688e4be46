/** The cost of one command: bare, and through a whole session with jail, record and block. */
import { Session } from "../src/session/session.ts";
import type { CommandText } from "../src/session/decide.ts";
import { compare, type Row } from "./compare.ts";

function open(home: string, keepsState: boolean): Session {
  return Session.open({
    environment: { HOME: home, PATH: "/usr/bin:/bin" },
    cwd: `${home}/project`,
    policy: null,
    trustPolicy: false,
    journal: `${home}/state`,
    workspace: null,
    timeoutMs: null,
    task: null,
    passThrough: false,
    ansi: false,
    keepsState,
  });
}

async function run(session: Session, text: CommandText): Promise<void> {
  let status = -1;
  await session.run({ text, stdin: 0 }, (event) => {
    if (event.kind === "finished") status = event.exitStatus;
  });
  if (status !== 0) throw new Error(`Cannot measure: status ${status}`);
}

/** Measure. Every command is a new text, so that nothing is remembered from the one before. */
export async function benchCommand(): Promise<readonly Row[]> {
  const home = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.mkdirSync(`${home}/project/.git`, { recursive: true });
  const [single, stateful] = [open(home, false), open(home, true)];
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
      { name: "bash -c, jailed and recorded", run: () => run(single, script()) },
      {
        name: "bash -c, jailed and recorded, shell state kept",
        run: () => run(stateful, script()),
      },
      {
        name: "/bin/true without a shell, jailed and recorded",
        run: () => run(single, { kind: "argv", argv: ["/bin/true"] }),
      },
    ], { rounds: 200, warmUp: 20 });
  } finally {
    await single.close();
    await stateful.close();
    Deno.removeSync(home, { recursive: true });
  }
}
