/** What the jail costs a command's start, its supervised calls and real work, in a large workspace with the default policy. */
import type { CommandJail } from "../src/sandbox/jail.ts";
import { close, open, waitid } from "../src/sandbox/linux/ffi.ts";
import { posixSpawn } from "../src/sandbox/linux/posix_spawn.ts";
import { OPEN, WAIT } from "../src/sandbox/linux/uapi.ts";
import { exited } from "../src/sandbox/supervise.ts";
import type { Session } from "../src/session/session.ts";
import { compare, type Contender, type Row } from "./compare.ts";
import { makeLargeWorkspace } from "./large_workspace.ts";
import { isThere } from "./programs.ts";
import { openSession, runIn } from "./session.ts";

/** A table and its title. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** The row of a jailed start. */
export const JAILED = "/bin/true, jailed";
/** The same in a session of several commands, and for every user whom no control group of version 1 bounds. */
export const TOLD = `${JAILED}, told of before`;

const TRUE = ["/bin/true"];
const CALLS = 1000;
const LIMIT_MS = 120_000;
/** Longer ago than the time within which a further change might not show (protect.ts). */
const SETTLE_MS = 300;

/** Supervised calls in a loop, and the same loop over a call that nobody supervises. */
const LOOPS: Readonly<Record<string, string>> = {
  [`${CALLS} x access, which nobody supervises`]: `
for _ in range(${CALLS}): os.access(path, 0)`,
  [`${CALLS} x chmod`]: `
for _ in range(${CALLS}): os.chmod(path, 0o600)`,
  [`${CALLS} x connect to a server of its own`]: `
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(64)
for _ in range(${CALLS}):
    one = socket.socket(); one.connect(server.getsockname()); server.accept()[0].close(); one.close()`,
};

const REAL_WORK: Readonly<Record<string, string>> = {
  "git clone, 1,000 files": `rm -rf "$TO"; git clone -q --no-hardlinks "$FROM/repository" "$TO"`,
  "tar x, 1,000 files": `rm -rf "$TO"; mkdir "$TO"; tar xf "$FROM/files.tar" -C "$TO"`,
  "npm install of a local package": `rm -rf "$TO"; mkdir "$TO"; cd "$TO"; echo '{}' >package.json;
    npm install --offline --no-audit --no-fund --silent "$FROM/package.tgz"`,
};

/** Made once, outside of any jail. */
const MATERIAL = `set -e; mkdir -p "$FROM/repository/src" "$FROM/package"; cd "$FROM/repository"
for i in $(seq 1000); do echo "line $i" >src/f$i; done
git init -q; git add .; git -c user.name=b -c user.email=b@example.invalid commit -qm all
tar cf "$FROM/files.tar" src; cp -r src "$FROM/package/src"
echo '{"name":"local","version":"1.0.0"}' >"$FROM/package/package.json"; tar czf "$FROM/package.tgz" -C "$FROM" package`;

interface Place {
  readonly jail: CommandJail;
  readonly idle: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function statusOf(pid: number): void {
  const end = waitid(WAIT.P_PID, pid, 0);
  // Whoever waited has reaped it.
  if (typeof end === "object") throw new Error(`Cannot measure: process ${pid} was not reaped`);
}

async function bare(argv: readonly string[], { idle, cwd, env }: Place): Promise<void> {
  const fds = [idle, idle, idle];
  const pid = posixSpawn({ path: argv[0]!, argv, env, cwd, fds });
  if (pid < 0) throw new Error(`Cannot measure "${argv[0]}": errno ${-pid}`);
  await exited(pid, LIMIT_MS);
  statusOf(pid);
}

async function jailed(argv: readonly string[], { jail, idle, cwd, env }: Place): Promise<void> {
  const reply = await jail.spawn({ argv, searchPath: "", env, cwd, fds: [idle, idle, idle] });
  if (reply.kind !== "spawned") throw new Error(`Cannot measure: ${JSON.stringify(reply)}`);
  await exited(reply.pid, LIMIT_MS);
  statusOf(reply.pid);
}

async function command(argv: readonly string[], { cwd, env }: Place): Promise<void> {
  const [path = "", ...args] = argv;
  const options = { args, cwd, env, clearEnv: true, stdin: "null", stdout: "null" } as const;
  const { success } = await new Deno.Command(path, { ...options, stderr: "null" }).output();
  if (!success) throw new Error(`Cannot measure "${argv.join(" ")}"`);
}

async function startRows(
  session: Session,
  { place, stateful }: { readonly place: Place; readonly stateful: Session },
): Promise<readonly Row[]> {
  const bwrap = ["/usr/bin/bwrap", "--ro-bind", "/", "/", ...TRUE];
  const told = { ...place, jail: await stateful.context.jail.current() };
  let count = 0;
  const contenders: Contender[] = [
    { name: "/bin/true, bare posix_spawn", run: () => bare(TRUE, place) },
    { name: "/bin/true, bare Deno.Command", run: () => command(TRUE, place) },
    { name: JAILED, run: () => jailed(TRUE, place) },
    { name: TOLD, run: () => jailed(TRUE, told) },
    {
      name: "/bin/true, a session's whole command",
      // Never the same one: what is repeated is looked at for a loop.
      run: () => runIn(session, { kind: "argv", argv: [...TRUE, String(count++)] }),
    },
    ...(isThere(bwrap[0]!)
      ? [{ name: "/bin/true, bwrap --ro-bind / /", run: () => bare(bwrap, place) }]
      : []),
  ];
  return await compare(contenders, { rounds: 200, warmUp: 20 });
}

async function pairs(
  scripts: Readonly<Record<string, readonly string[]>>,
  options: { readonly place: Place; readonly rounds: number },
): Promise<readonly Row[]> {
  const { place, rounds } = options;
  const rows: Row[] = [];
  for (const [name, argv] of Object.entries(scripts)) {
    // Once with its status: what fails in the jail would be fast.
    await command(argv, place);
    rows.push(
      ...await compare([
        { name: `${name}, bare`, run: () => bare(argv, place) },
        { name: `${name}, jailed`, run: () => jailed(argv, place) },
      ], { rounds, warmUp: 1 }),
    );
  }
  return rows;
}

/** Measure; each table when it is there, because real work takes minutes on a busy machine. */
export async function* benchJail(): AsyncGenerator<Table> {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-bench-" }));
  const cwd = `${home}/project`;
  Deno.mkdirSync(cwd);
  makeLargeWorkspace(cwd);
  await new Promise((settled) => setTimeout(settled, SETTLE_MS));
  const [session, stateful] = [openSession(home, false), openSession(home, true)];
  const idle = open("/dev/null", OPEN.RDWR);
  const { state, jail } = session.context;
  const env = { ...state.environment, PATH: "/usr/bin:/bin", FROM: `${cwd}/from`, TO: `${cwd}/to` };
  try {
    const place = { jail: await jail.current(), idle, cwd, env };
    await bare(["/bin/bash", "-c", MATERIAL], place);
    const loops = Object.entries(LOOPS).map(([name, loop]) => {
      const script = `import os, socket\npath = "loop"\nopen(path, "w").close()${loop}\n`;
      return [name, ["/usr/bin/python3", "-c", script]] as const;
    });
    const work = Object.entries(REAL_WORK).map(([name, script]) =>
      [name, ["/bin/bash", "-c", `set -e; ${script}`]] as const
    );
    const hasPython = isThere("/usr/bin/python3");
    yield { title: "A start", rows: await startRows(session, { place, stateful }) };
    yield {
      title: hasPython ? "Supervised calls" : "Supervised calls: not measured, no /usr/bin/python3",
      rows: hasPython ? await pairs(Object.fromEntries(loops), { place, rounds: 15 }) : [],
    };
    yield { title: "Real work", rows: await pairs(Object.fromEntries(work), { place, rounds: 7 }) };
  } finally {
    await session.close();
    await stateful.close();
    close(idle);
    Deno.removeSync(home, { recursive: true });
  }
}
