/** The test suites of published packages come to the same result in the jail; their dependencies come from outside it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { Place } from "./place.ts";
import { InstalledProgram, run } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** A package whose tarball holds its tests. */
interface Package {
  readonly in: string;
  readonly name: string;
  readonly version: string;
  /** A line of a passing run. */
  readonly want: string;
}

const PACKAGES: readonly Package[] = [
  { in: "plain tests with dependencies", name: "through", version: "2.3.8", want: "# pass  7" },
  // Its tests are shell scripts that build trees and start a node for each file.
  {
    in: "tests that start processes",
    name: "rimraf",
    version: "2.2.8",
    want: "test-async.js ...pass",
  },
  // Servers on loopback and connections that are broken off in their middle.
  { in: "a server and its clients", name: "server-destroy", version: "1.0.1", want: "ok" },
  { in: "servers under mocha", name: "http-shutdown", version: "1.2.2", want: "3 passing" },
];

/** What differs from run to run: durations. */
const steady = (text: string) => text.replaceAll(/ \(\d+m?s\)/g, "");

/** Says why the registry cannot be used, null when it can. */
async function unreachable(): Promise<string | null> {
  const first = PACKAGES[0]!;
  return await run("npm", "view", `${first.name}@${first.version}`, "version").then(
    () => null,
    (error: Error) => `the npm registry is not reachable: ${error.message.split("\n")[0]}`,
  );
}

/** Unpack a package into the workspace and install what its tests need, scripts apart. */
async function install(place: Place, { name, version }: Package): Promise<void> {
  await Deno.remove(place.workspace, { recursive: true });
  await Deno.mkdir(join(place.workspace, ".git"), { recursive: true });
  const tarball = join(place.root, `${name}-${version}.tgz`);
  await run("npm", "pack", "--silent", "--pack-destination", place.root, `${name}@${version}`);
  await run("tar", "-xzf", tarball, "-C", place.workspace, "--strip-components", "1");
  await run(
    "npm",
    "install",
    "--silent",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefix",
    place.workspace,
  );
  // The user's own configuration, which a command cannot read and npm must do without.
  await place.write("home/.npmrc", "fund=false\n");
  await place.own();
}

const required = Deno.env.get("REQUIRE_SANDBOX") === "1";
const reason = await unreachable();
const setup = jailTest("npm test of published packages gives the same result", ["node", "npm"]);

Deno.test({
  name: reason === null ? setup.name : `${setup.name} (${reason})`,
  ignore: setup.ignore || (reason !== null && !required),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    const [user] = users();
    for (const one of PACKAGES) {
      await t.step(`${one.in}: ${one.name} ${one.version}`, async () => {
        await using place = await Place.create(installed, user!);
        await install(place, one);
        const bare = await place.bare(["npm", "test"]);
        assertEquals(bare.code, 0, bare.stdout + bare.stderr);
        const jailed = await place.debrief(["--pass-through", "-c", "npm test"]);
        assertEquals([jailed.code, steady(jailed.stdout)], [bare.code, steady(bare.stdout)]);
        assertStringIncludes(jailed.stdout, one.want);
        // The block stands at the end and says the same.
        const last = jailed.stderr.trimEnd().split("\n").at(-1);
        assertEquals(/^--- debrief \d{9} .*?\bexit (\d+),/.exec(last ?? "")?.[1], "0", last);
      });
    }
  },
});
