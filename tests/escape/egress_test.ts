/** Package managers work with a registry that the policy lists, and with no other: through the proxy or not at all. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { lookup } from "node:dns/promises";
import { compileProbes, refuses } from "./attempt.ts";
import { listeners } from "./listeners.ts";
import { NO_NETWORK_CASES } from "./network_cases.ts";
import { Place } from "./place.ts";
import { InstalledProgram, run } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** The registry that npm on this machine is configured for. */
interface Registry {
  readonly url: string;
  /** `host:port`, and `address:port` of all its addresses: a registry of one's own may have none that is public. */
  readonly entries: readonly string[];
  /** The authorities that npm is configured for, or null. */
  readonly authorities: string | null;
}

async function registry(): Promise<Registry> {
  const setting = async (name: string) => (await run("npm", "config", "get", name)).trim();
  const url = new URL(await setting("registry"));
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const addresses = (await lookup(url.hostname, { all: true })).map(({ address, family }) =>
    family === 6 ? `[${address}]` : address
  );
  await run("npm", "view", "is-number@7.0.0", "version");
  const file = await setting("cafile");
  return {
    url: url.href,
    entries: [url.hostname, ...addresses].map((host) => `${host}:${port}`),
    authorities: file === "null" ? null : file,
  };
}

const found = await registry().catch((error: Error) => error);
const required = Deno.env.get("REQUIRE_SANDBOX") === "1";
const setup = jailTest("npm and curl reach the registry that the policy lists", ["npm", "curl"]);

Deno.test({
  name: found instanceof Error ? `${setup.name} (the npm registry is not reachable)` : setup.name,
  ignore: setup.ignore || (found instanceof Error && !required),
  fn: async (t) => {
    if (found instanceof Error) throw found;
    await using installed = await InstalledProgram.create();
    for (const user of users()) {
      await t.step(`as ${user.name}`, async () => {
        await using place = await Place.create(installed, user);
        await tryRegistry(place, found);
      });
    }
  },
});

Deno.test({
  ...jailTest("the jail of a policy that lists hosts refuses", ["gcc", "python3"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    const [user] = users();
    await using place = await Place.create(installed, user!);
    await compileProbes(place);
    await using open = await listeners(place);
    const net = ["listed.invalid", "192.0.2.0/24:443", "localhost"];
    await place.write("hosts.jsonc", JSON.stringify({ extends: "default", net }));
    await place.own();
    const { variables } = open;
    const args = ["--policy", join(place.root, "hosts.jsonc")];
    const tables = { "what goes past the proxy": NO_NETWORK_CASES };
    await refuses(t, tables, { place, user: user!, variables, args });
  },
});

async function tryRegistry(place: Place, { url, entries, authorities }: Registry): Promise<void> {
  const variables = {
    npm_config_registry: url,
    npm_config_userconfig: "/dev/null",
    ...(authorities === null
      ? {}
      : { npm_config_cafile: authorities, CURL_CA_BUNDLE: authorities }),
  };
  const policy = async (name: string, net: readonly string[]) => {
    const read = authorities === null ? [] : [authorities];
    const text = JSON.stringify({ extends: "default", read, net, env: { set: variables } });
    await place.write(name, text);
    await place.own();
    return join(place.root, name);
  };
  const [listed, unlisted] = [
    await policy("listed.jsonc", entries),
    await policy("unlisted.jsonc", ["listed.invalid"]),
  ];
  const view = "npm view is-number@7.0.0 version";
  const fetch = `curl -sS --fail -o /dev/null ${url}is-number`;
  const debrief = (file: string, script: string) => place.debrief(["--policy", file, "-c", script]);

  const viewed = await debrief(listed, view);
  assertEquals([viewed.code, viewed.stdout.split("\n")[0]], [0, "7.0.0"], viewed.stderr);
  const fetched = await debrief(listed, fetch);
  assertEquals(fetched.code, 0, fetched.stderr);

  for (const script of [view, fetch]) {
    const refused = await debrief(unlisted, script);
    assertEquals(refused.code === 0, false, script);
    assertStringIncludes(refused.stderr, `denied: net ${entries[0]}, no net rule allows it`);
    assertStringIncludes(refused.stderr, "unlisted.jsonc:1");
  }
  // Past the proxy there is no way, also not to what is listed; nor through it without the token.
  for (const wrong of ["curl -sS --noproxy '*'", 'curl -sS -x "http://${HTTPS_PROXY##*@}"']) {
    const went = await debrief(listed, fetch.replace("curl -sS", wrong));
    assertEquals(went.code === 0, false, wrong);
    assertMatch(went.stderr, /Could not resolve host|\b407\b/);
  }
}
