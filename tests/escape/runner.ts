/** Tests of the runner: every user in a place of its own, and an upper bound that only a hang reaches. */
import { join } from "node:path";
import { Place, type Result } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** What builds the jail of a test. */
export type Backend = "kernel" | "bubblewrap";

/** For tests of what each backend has to hold by itself. */
export const BOTH: readonly Backend[] = ["kernel", "bubblewrap"];

/** Settings of a test. */
export interface RunnerTest {
  /** Programs that it needs. */
  readonly programs?: readonly string[];
  /** What is the same for every user is tried as one. */
  readonly once?: boolean;
  /** The backends that it is tried under; only the kernel's where nothing of it depends on the backend. */
  readonly backends?: readonly Backend[];
}

/** Register a test that gets a place with a policy whose grace is short. */
export function runnerTest(
  name: string,
  fn: (place: Place, backend: Backend) => Promise<void>,
  { programs = [], once = false, backends = ["kernel"] }: RunnerTest = {},
): void {
  Deno.test({
    ...jailTest(name, programs),
    fn: async (t) => {
      await using installed = await InstalledProgram.create();
      for (const user of once ? users().slice(0, 1) : users()) {
        for (const backend of backends) {
          await t.step({
            ...backendStep(`as ${user.name}`, backend),
            fn: async () => {
              await using place = await Place.create(installed, user);
              const policy = { extends: "default", backend, limits: { grace: "300ms" } };
              await place.write("policy.jsonc", `${JSON.stringify(policy)}\n`);
              await place.own();
              await fn(place, backend);
            },
          });
        }
      }
    },
  });
}

/** Name and `ignore` of a step under a backend: bubblewrap may be missing where it is not required. */
export function backendStep(
  name: string,
  backend: Backend,
): { readonly name: string; readonly ignore: boolean } {
  return jailTest(`${name}, under ${backend}`, backend === "bubblewrap" ? ["bwrap"] : []);
}

/** The arguments that have Debrief take the place's policy. */
export function policyOf(place: Place): readonly string[] {
  return ["--policy", join(place.root, "policy.jsonc")];
}

/** How Debrief is run. */
export interface Bounds {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds that only a hang reaches: `timeout` then ends with 124, or 137 when TERM was not enough. */
  readonly seconds?: number;
}

/** Run Debrief with the place's policy, bounded. */
export async function bounded(
  place: Place,
  args: readonly string[],
  { stdin, env = {}, seconds = 60 }: Bounds = {},
): Promise<Result> {
  const words = place.words(...policyOf(place), ...args);
  const start = stdin === undefined ? { env } : { env, stdin };
  return await place.bare(["timeout", "-k", "2", String(seconds), ...words], start);
}

/** The records that were written, as far as tests read them. */
export async function records(place: Place): Promise<
  readonly {
    readonly exit_code: number | null;
    readonly signal: string | null;
    readonly bytes: { readonly stdout: number };
  }[]
> {
  const journal = await Deno.readTextFile(join(place.root, "state/debrief/journal.jsonl"));
  return journal.trim().split("\n").map((line) => JSON.parse(line));
}
