/** Debrief beside real bash: the same words, the same output on both streams, the same status. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  debriefWords,
  processEnvironment,
  type Result,
  type RunOptions,
} from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { FILES, type Invocation, INVOCATIONS } from "./invocations.ts";

const BINARY = Deno.env.get("DEBRIEF_BINARY") ?? "";
/** Started at once: each of them waits most of its time. */
const PARALLEL = 4;

async function run(
  words: readonly string[],
  { stdin = "", place, env }: RunOptions,
): Promise<Result> {
  const [name, ...args] = words;
  const child = new Deno.Command(name!, {
    args,
    cwd: place.at("work"),
    clearEnv: true,
    env: processEnvironment({ place, env: { DEBRIEF_BLOCK: "off", ...env } }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  await new Blob([stdin]).stream().pipeTo(child.stdin).catch(() => {});
  const { code, stdout, stderr } = await output;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

function newPlace(): TestPlace {
  const place = new TestPlace();
  for (const [name, text] of Object.entries(FILES)) place.write(`work/${name}`, text);
  return place;
}

/** Real bash, by the name by which it is looked up, so that it says the same of itself. */
function bash(args: readonly string[]): readonly string[] {
  return ["env", "bash", ...args];
}

async function compare(
  invocation: Invocation,
  words: readonly string[],
  place: TestPlace,
): Promise<string | null> {
  const { args, stdin = "" } = invocation;
  const [want, got] = await Promise.all([
    run(bash(args), { stdin, place }),
    run([...words, ...args], { stdin, place }),
  ]);
  const [wanted, given] = [want, got].map((result) => JSON.stringify(result));
  return wanted === given ? null : `${JSON.stringify(args)}\nbash    ${wanted}\ndebrief ${given}`;
}

async function compareAll(
  invocations: readonly Invocation[],
  words: readonly string[],
): Promise<void> {
  const place = newPlace();
  try {
    const differences: string[] = [];
    const left = [...invocations];
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const difference = await compare(next, words, place);
        if (difference !== null) differences.push(difference);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    assertEquals(differences.join("\n\n"), "");
  } finally {
    place[Symbol.dispose]();
  }
}

// The executable is compared under a shell's name below, with all of the table.
if (!BINARY) {
  jailTest("debrief does with a shell's words what bash does", async () => {
    await compareAll(INVOCATIONS.filter(({ named }) => !named), debriefWords([]));
  });
}

function linkTest(name: string, run: (link: (name: string) => string) => Promise<void>): void {
  const fn = async () => {
    const directory = Deno.makeTempDirSync({ prefix: "debrief-links-" });
    try {
      Deno.chmodSync(directory, 0o755);
      await run((name) => {
        Deno.symlinkSync(Deno.realPathSync(BINARY), `${directory}/${name}`);
        return `${directory}/${name}`;
      });
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  };
  if (BINARY) jailTest(name, fn);
  else Deno.test({ name: `${name} (ignored: DEBRIEF_BINARY is not set)`, ignore: true, fn });
}

linkTest("a link called bash does what bash does", async (link) => {
  await compareAll(INVOCATIONS, [link("bash")]);
});

linkTest("links called sh and zsh take a shell's words, and no commands", async (link) => {
  using place = newPlace();
  place.write("work/log", "echo a script\n");
  for (const name of ["sh", "zsh"]) {
    const got = await run([link(name), "log"], { place });
    assertEquals([got.code, got.stdout], [0, "a script\n"]);
  }
  const posix = await run([`${link("bash").replace(/bash$/, "sh")}`, "-c", "set -o"], { place });
  assertMatch(posix.stdout, /^posix\s+on$/m);
});

linkTest(
  "a link called bash on PATH leads to the real one, and not back to itself",
  async (link) => {
    using place = newPlace();
    const path = link("bash");
    const PATH = `${path.slice(0, -"/bash".length)}:${place.environment.PATH}`;
    const script = "x=1; echo $DEBRIEF_DEPTH; bash -c 'x=1; echo $DEBRIEF_DEPTH'; type -p bash";
    const { code, stdout } = await run([path, "-c", script], { place, env: { PATH } });
    assertEquals(code, 0);
    assertMatch(stdout, /^1\n1\n(?:\/usr)?(?:\/local)?\/bin\/bash\n$/);
  },
);
