/** What a command leaves in a workspace does not survive because another session worked there at the same time. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Place } from "./place.ts";
import { runnerTest } from "./runner.ts";

const HOOK = ".git/hooks/pre-commit";
const PLANT = `mkdir -p .git/hooks; echo evil >${HOOK}`;

/** A command of Debrief's that goes on until it is told to end. */
class Running {
  readonly #place: Place;
  readonly #name: string;
  readonly #child: Deno.ChildProcess;
  readonly #stderr: Promise<string>;

  private constructor(place: Place, name: string, child: Deno.ChildProcess) {
    this.#place = place;
    this.#name = name;
    this.#child = child;
    this.#stderr = new Response(child.stderr).text();
    child.stdout.cancel();
  }

  /** Starts it and waits until its command has done `source`. */
  static async start(place: Place, name: string, options: {
    readonly source?: string;
    readonly directory?: string;
    readonly flags?: readonly string[];
  } = {}): Promise<Running> {
    const { source = "true", directory = "work", flags = [] } = options;
    const cwd = join(place.root, directory);
    const script = `${source}
touch ${name}-began
until [ -e ${name}-end ] || [ ! -e ${name}-began ]; do sleep 0.02; done`;
    const child = place.spawn(
      ["timeout", "-k", "2", "120", ...place.words(...flags, "-c", script)],
      { cwd },
    );
    const running = new Running(place, join(cwd, name), child);
    while (!await running.#exists("began")) {
      if (await running.#hasEnded()) throw new Error(await running.#stderr);
    }
    return running;
  }

  async #exists(mark: string): Promise<boolean> {
    return await Deno.lstat(`${this.#name}-${mark}`).then(() => true, () => false);
  }

  async #hasEnded(): Promise<boolean> {
    const pause = new Promise<boolean>((resolve) => setTimeout(resolve, 20, false));
    return await Promise.race([this.#child.status.then(() => true), pause]);
  }

  /** Lets it end. @returns what it has printed to its standard error. */
  async end(): Promise<string> {
    await this.#place.bare(["touch", `${this.#name}-end`]);
    const { code } = await this.#child.status;
    const stderr = await this.#stderr;
    assertEquals(code, 0, stderr);
    return stderr;
  }

  /** Ends it by SIGKILL, and all that waits with it. */
  async kill(): Promise<void> {
    const children = `/proc/${this.#child.pid}/task/${this.#child.pid}/children`;
    const pid = (await Deno.readTextFile(children)).trim();
    await this.#place.bare(["kill", "-KILL", pid]);
    await this.#child.status;
    await this.#stderr;
  }
}

async function setUp(place: Place, ...more: readonly string[]): Promise<void> {
  const text = `rm -rf work; mkdir work; cd work; git init -q -b main .; rm -rf .git/hooks\n`;
  const { code, stderr } = await place.bare(["bash", "-ec", text + more.join("\n")], {
    cwd: place.root,
  });
  assertEquals(code, 0, stderr);
}

async function isThere(place: Place, path: string): Promise<boolean> {
  return (await place.bare(["test", "-e", path])).code === 0;
}

/** What sessions have told each other is gone with them. */
async function assertNothingLeft(place: Place): Promise<void> {
  const left = await place.bare(["ls", join(place.root, "state/debrief/protected")]);
  assertEquals(left.stdout, "order\n");
}

runnerTest("a hook that is there when another session begins is not kept by it", async (place) => {
  await setUp(place);
  const first = await Running.start(place, "first", { source: PLANT });
  assert(await isThere(place, HOOK), "the attack does not work");
  const second = await Running.start(place, "second");
  assertStringIncludes(await first.end(), `restored: ${join(place.workspace, ".git/hooks")}`);
  assert(!await isThere(place, HOOK));
  await second.end();
  assert(!await isThere(place, HOOK), "the second session has put it back");
  // Whoever ends first, the hook goes.
  const third = await Running.start(place, "third", { source: PLANT });
  const fourth = await Running.start(place, "fourth");
  assertStringIncludes(await fourth.end(), "restored:");
  assert(!await isThere(place, HOOK));
  await third.end();
  // What the user makes while no session works stays.
  await place.bare(["bash", "-c", PLANT]);
  const alone = await (await Running.start(place, "fifth")).end();
  assert(!alone.includes("restored:"), alone);
  assert(await isThere(place, HOOK));
  await assertNothingLeft(place);
}, { programs: ["git"] });

runnerTest("a chain of three sessions keeps no hook", async (place) => {
  await setUp(place);
  const first = await Running.start(place, "first", { source: PLANT });
  const second = await Running.start(place, "second");
  await first.end();
  const third = await Running.start(place, "third", { source: PLANT });
  const fourth = await Running.start(place, "fourth");
  await second.end();
  await third.end();
  await fourth.end();
  assert(!await isThere(place, HOOK));
  await assertNothingLeft(place);
}, { programs: ["git"] });

runnerTest("sessions in a workspace and in one inside it keep no hook", async (place) => {
  const inner = `work/inner/${HOOK}`;
  for (const [one, other] of [["work", "work/inner"], ["work/inner", "work"]] as const) {
    await setUp(place, "git init -q -b main inner; rm -rf inner/.git/hooks");
    const source = one === "work" ? `cd inner; ${PLANT}; cd ..` : PLANT;
    const first = await Running.start(place, "first", { source, directory: one });
    const second = await Running.start(place, "second", { directory: other });
    await first.end();
    await second.end();
    assert(!await isThere(place, join(place.root, inner)), `${one}, then ${other}`);
  }
  await assertNothingLeft(place);
}, { programs: ["git"] });

runnerTest(
  "a repository that a command makes is not the user's for another session",
  async (place) => {
    await setUp(
      place,
      "git init -q -b main own; rm -rf own/.git/hooks; mkdir own/.git/hooks; echo mine >own/.git/hooks/x",
    );
    const source =
      `git init -q -b main new; (cd new; ${PLANT}; git config core.pager evil); mv own moved`;
    const first = await Running.start(place, "first", { source });
    const second = await Running.start(place, "second");
    await first.end();
    await second.end();
    assert(!await isThere(place, `new/${HOOK}`));
    assertEquals((await place.bare(["git", "-C", "new", "config", "core.pager"])).code, 1);
    assertEquals((await place.bare(["cat", "moved/.git/hooks/x"])).stdout, "mine\n");
  },
  { programs: ["git"] },
);

runnerTest(
  "a session that is killed leaves its changes to those that began meanwhile",
  async (place) => {
    await setUp(place);
    const first = await Running.start(place, "first", { source: PLANT });
    const second = await Running.start(place, "second");
    await first.kill();
    assert(await isThere(place, HOOK), "somebody else has put it back");
    const third = await Running.start(place, "third");
    assertStringIncludes(await second.end(), "restored:");
    assert(!await isThere(place, HOOK));
    await third.end();
    assert(!await isThere(place, HOOK));
    await assertNothingLeft(place);
  },
  { programs: ["git"] },
);

runnerTest(
  "a policy file that another session's command has changed is not used",
  async (place) => {
    await setUp(place);
    const policy = join(place.workspace, "policy.jsonc");
    await place.write("work/policy.jsonc", '{ "extends": "default" }\n');
    await place.own();
    const flags = ["--policy", policy, "--trust-policy"];
    const source = `echo '{ "extends": "default", "net": true }' >policy.jsonc`;
    const first = await Running.start(place, "first", { source, flags });
    const refused = await place.debrief([...flags, "-c", "true"]);
    assertEquals(refused.code, 125, refused.stderr);
    assertStringIncludes(refused.stderr, "another session's command has changed it");
    await first.end();
    const control = await place.debrief([...flags, "-c", "true"]);
    assertEquals(control.code, 0, control.stderr);
  },
  { programs: ["git"] },
);
