/** Scripts that come to the same result in the jail and without it. */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { Place, type Result } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { isRoot, jailTest, users } from "./sandbox_users.ts";

/** A script that prints what it did; a second run in a clean directory prints the same. */
export interface Work {
  readonly in: string;
  readonly script: string;
  readonly programs: readonly string[];
  /** Lines that the output must hold, so that two equal failures do not pass for success. */
  readonly want: readonly string[];
}

/** Run a script in a fresh directory of the same name. */
async function inCleanDirectory(
  place: Place,
  work: Work,
  start: (command: string) => Promise<Result>,
): Promise<Result> {
  await Deno.remove(join(place.workspace, "area"), { recursive: true }).catch(() => {});
  await place.write("work/area/.script", work.script);
  await place.own();
  return await start("cd area && bash .script");
}

/** Register a test of all works as root, and of some as an ordinary user, or of all where nobody else is there. */
export function everydayWork(
  name: string,
  works: readonly Work[],
  { ordinary }: { readonly ordinary: readonly Work[] },
): void {
  Deno.test({
    ...jailTest(name, [...new Set(works.flatMap((work) => work.programs))]),
    fn: async (t) => {
      await using installed = await InstalledProgram.create();
      for (const user of users()) {
        await using place = await Place.create(installed, user);
        for (const work of isRoot() && user.uid !== 0 ? ordinary : works) {
          await t.step(`${user.name}: ${work.in}`, () => compare(place, work));
        }
      }
    },
  });
}

async function compare(place: Place, work: Work): Promise<void> {
  const jailed = await inCleanDirectory(
    place,
    work,
    (command) => place.debrief(["--pass-through", "--block", "off", "-c", command]),
  );
  const bare = await inCleanDirectory(
    place,
    work,
    (command) => place.bare(["timeout", "120", "bash", "-c", command]),
  );
  assertEquals(jailed, bare);
  const lines = bare.stdout.split("\n");
  assertEquals(work.want.filter((line) => !lines.includes(line)), [], bare.stdout);
}
