/**
 * Tables of what must fail. Each case is a few lines of bash that exit with 0 when they get through; all cases of a table
 * run in one jail, and once more without a jail, where they must get through: else the refusal would prove nothing.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { type Place, type Result, SECRET } from "./place.ts";
import { run } from "./program.ts";
import { isRoot, type User } from "./sandbox_users.ts";

/** Something that must not work in the jail. */
export interface Case {
  /** What is tried: completes "the jail refuses …". */
  readonly in: string;
  /** Bash; `calls NAME` makes one system call and exits with its errno (probes/main.c). */
  readonly try: string;
  /** Exit statuses that are a refusal; any but 0 when absent. */
  readonly want?: readonly number[];
  /** Exit statuses without a jail; 0 when absent. Another one than 0 needs a reason next to it. */
  readonly bare?: readonly number[];
  /** The control needs root: an ordinary user is refused by the kernel itself. */
  readonly control?: "root";
  /** The only architecture that has this door. */
  readonly only?: typeof Deno.build.arch;
}

/** Where a table is tried. */
export interface Trial {
  readonly place: Place;
  readonly user: User;
  /** Arguments of Debrief besides the command. */
  readonly args?: readonly string[];
  /** Variables that the cases use; the jail's environment policy would not let them through. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The caller's environment besides the place's. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Cases whose target does not exist in the jail: what they try may succeed, on the jail's own. Then only the effects count:
   * nothing outside has changed, and no secret was printed.
   */
  readonly outOfSight?: RegExp;
  /** The policy grants the files outside, so they may change. */
  readonly everythingGranted?: boolean;
}

const PROBES = new URL("./probes/", import.meta.url).pathname;
const SOURCES = ["main", "processes", "signals", "kernel", "sockets", "files"];

/** Compile the probes into the workspace's `bin`. */
export async function compileProbes(place: Place): Promise<void> {
  const bin = join(place.workspace, "bin");
  await Deno.mkdir(bin, { recursive: true });
  const sources = SOURCES.map((name) => `${PROBES}${name}.c`);
  await run("gcc", "-O1", "-o", join(bin, "calls"), ...sources);
  await run("gcc", "-O1", "-pthread", "-o", join(bin, "stand_in"), `${PROBES}stand_in.c`);
  await place.own();
}

/** Statuses by which timeout(1), bash and the probes say that a case was not tried at all, or not to its end. */
const UNTRIED = [124, 126, 127, 137, 210, 211, 212, 213];

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A probe ends by itself; whatever else a case is must not hold up the others. */
function commandOf({ try: text }: Case): string {
  return /^calls \S+$/.test(text) ? text : `timeout -k 1 20 bash -c ${quote(text)}`;
}

/** Runs every case in a directory of its own, one after the other, and prints its number and exit status. */
function driver(cases: readonly Case[], trial: Trial, run: string): string {
  const variables = {
    ROOT: trial.place.root,
    OUTSIDE: join(trial.place.root, "outside"),
    WORK: trial.place.workspace,
    SECRET,
    ...trial.variables,
  };
  return [
    // The parent is the shell, or what stands in for it.
    'export VICTIM=$PPID PATH="$PWD/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"',
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`),
    `mkdir -p ${run} && cd ${run} && mkdir -p {0..${cases.length - 1}} || exit 1`,
    "ulimit -c 0",
    ...cases.map((one, index) =>
      `cd ${index}; ${commandOf(one)} >../${index}.out 2>&1 </dev/null; echo "${index} $?"; cd ..`
    ),
  ].join("\n") + "\n";
}

function statuses(result: Result, cases: readonly Case[]): readonly number[] {
  const found = new Map(
    [...result.stdout.matchAll(/^(\d+) (\d+)$/gm)].map((match) => [+match[1]!, +match[2]!]),
  );
  assert(
    found.size === cases.length,
    `${found.size} of ${cases.length} cases ended, exit ${result.code}\n${result.stdout}\n${result.stderr}`,
  );
  return cases.map((_, index) => found.get(index)!);
}

async function outputOf(place: Place, path: string): Promise<string> {
  const text = await Deno.readTextFile(join(place.workspace, path)).catch(() => "");
  return text.slice(0, 2000);
}

/** Try all cases in one jail, then without it, and check each as a step of the test. */
export async function refuses(
  t: Deno.TestContext,
  tables: Readonly<Record<string, readonly Case[]>>,
  trial: Trial,
): Promise<void> {
  const cases = Object.entries(tables).flatMap(([title, table]) =>
    table.filter((one) => one.only === undefined || one.only === Deno.build.arch)
      .map((one) => ({ ...one, in: `${title}: ${one.in}` }))
  );
  const { place, user } = trial;
  for (const run of ["jailed", "bare"]) {
    await place.write(`work/${run}.sh`, driver(cases, trial, run));
  }
  await place.own();
  const before = await place.picture("home", "outside");
  const args = ["--pass-through", "--block", "off", "--timeout", "120s", ...(trial.args ?? [])];
  const jailed = statuses(
    await place.debrief([...args, "-c", `bash ${join(place.workspace, "jailed.sh")}`], {
      env: trial.env ?? {},
    }),
    cases,
  );
  const granted = trial.everythingGranted ?? false;
  if (!granted) {
    await t.step("nothing beyond the grants has changed", async () => {
      const after = await place.picture("home", "outside");
      assertEquals(after.split("\n"), before.split("\n"));
    });
  }
  const environment = { ...trial.env, TMPDIR: join(place.root, "private/tmp") };
  const bare = statuses(
    await place.bare(["bin/stand_in", "bash", "bare.sh"], { env: environment }),
    cases,
  );
  for (const [index, one] of cases.entries()) {
    await t.step(one.in, async () => {
      const [inJail, without] = [jailed[index]!, bare[index]!];
      const unseen = trial.outOfSight?.test(one.in) ?? false;
      const refused = unseen ||
        (one.want?.includes(inJail) ?? (inJail !== 0 && !UNTRIED.includes(inJail)));
      const said = await outputOf(place, `jailed/${index}.out`);
      assert(refused, `in the jail: exit ${inJail}, not ${one.want ?? "a refusal"}\n${said}`);
      assert(!said.includes(SECRET), `the secret was printed in the jail:\n${said}`);
      if (one.control === "root" && user.uid !== 0) {
        // Run as root, the same table has the control; here the refusal is all that can be asked.
        assert(isRoot() || Deno.uid() === user.uid);
        return;
      }
      const passed = (one.bare ?? [0]).includes(without);
      const complaint = await outputOf(place, `bare/${index}.out`);
      assert(passed, `without a jail: exit ${without}, not ${one.bare ?? 0}\n${complaint}`);
    });
  }
}
