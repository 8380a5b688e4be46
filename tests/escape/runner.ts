/** Tests of the runner: every user in a place of its own, and an upper bound that only a hang reaches. */
import { join } from "node:path";
import { Place, type Result } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** Settings of a test. */
export interface RunnerTest {
  /** Programs that it needs. */
  readonly programs?: readonly string[];
  /** What is the same for every user is tried as one. */
  readonly once?: boolean;
}

/** Register a test that gets a place with a policy whose grace is short. */
export function runnerTest(
  name: string,
  fn: (place: Place) => Promise<void>,
  { programs = [], once = false }: RunnerTest = {},
): void {
  Deno.test({
    ...jailTest(name, programs),
    fn: async (t) => {
      await using installed = await InstalledProgram.create();
      for (const user of once ? users().slice(0, 1) : users()) {
        await t.step(`as ${user.name}`, async () => {
          await using place = await Place.create(installed, user);
          const policy = '{ "extends": "default", "limits": { "grace": "300ms" } }\n';
          await place.write("policy.jsonc", policy);
          await place.own();
          await fn(place);
        });
      }
    },
  });
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
  const words = place.words("--policy", join(place.root, "policy.jsonc"), ...args);
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
