import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path/posix";
import type { Denial } from "../../src/policy/policy.ts";
import { joinDenials } from "../../src/session/session_proxy.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";

/** A server of somebody else's; under this address, which programs do not take for the machine itself. */
const HOST = "127.0.0.2";

/** Serves the files of a directory and `hello`, and counts requests. */
class Origin {
  requests = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(directory = "/nonexistent") {
    const options = { hostname: HOST, port: 0, onListen() {} };
    this.#server = Deno.serve(options, async (request) => {
      this.requests++;
      const { pathname } = new URL(request.url);
      if (pathname === "/hello") return new Response("hello\n");
      const file = await Deno.readFile(join(directory, pathname)).catch(() => null);
      return new Response(file, { status: file === null ? 404 : 200 });
    });
  }

  get port(): number {
    return this.#server.addr.port;
  }

  get url(): string {
    return `http://${HOST}:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

function policyText(net: unknown): string {
  return JSON.stringify({ extends: "default", net });
}

function resources(denials: readonly Denial[]): readonly string[] {
  return denials.map(({ permission, resource }) => `${permission} ${resource}`);
}

jailTest(
  "a session reaches the hosts that the policy lists, and says host and rule of others",
  async () => {
    await using origin = new Origin();
    const net = [`${HOST}:${origin.port}`, `[::1]:${origin.port}`];
    await using session = new TestSession({ policyText: policyText(net) });
    for (const proxy of ["", `-x "$DEBRIEF_SOCKS_PROXY"`, `-x "$ALL_PROXY" -p`]) {
      const ran = await session.run(`curl -sS ${proxy} ${origin.url}/hello`);
      assertEquals([ran.stdout, ran.exitStatus, ran.record.denials], ["hello\n", 0, []], proxy);
    }
    const refused = await session.run("curl -sS --fail https://refused.test/x");
    assertEquals(refused.record.outcome.kind, "denied-sandbox");
    assertEquals(resources(refused.record.denials), ["net refused.test:443"]);
    assertMatch(refused.record.denials[0]!.rule, /^no net rule allows it$/);
    assertMatch(refused.record.denials[0]!.at, /policy\.jsonc:1$/);
    assertStringIncludes(refused.record.denials[0]!.accepted, `${HOST}:${origin.port}`);
    // The answer says it to the program as well, and another port is another resource.
    const said = await session.run(`curl -sS http://${HOST}:1/`);
    assertMatch(said.stdout, /^Cannot connect to "127\.0\.0\.2:1": no net rule allows it/);
    assertEquals(resources(said.record.denials), [`net ${HOST}:1`]);
    const after = await session.run(`curl -sS ${origin.url}/hello`);
    assertEquals([after.stdout, after.record.denials], ["hello\n", []]);
  },
  { programs: ["curl"] },
);

jailTest(
  "a session's commands reach nothing past the proxy, and nothing through it without the token",
  async () => {
    await using origin = new Origin();
    await using other = new Origin();
    await using session = new TestSession({ policyText: policyText(["example.test"]) });
    const attempts = [
      `curl -sS --noproxy '*' ${other.url}/hello`,
      `env -u http_proxy -u ALL_PROXY -u all_proxy curl -sS ${other.url}/hello`,
      `exec 9<>/dev/tcp/${HOST}/${other.port}`,
      `curl -sS --fail ${other.url}/hello`,
      `curl -sS --fail -x "http://\${HTTP_PROXY##*@}" ${other.url}/hello`,
      `curl -sS --fail -x "http://debrief:wrong@\${HTTP_PROXY##*@}" ${other.url}/hello`,
      `curl -sS --fail -x "socks5h://\${HTTP_PROXY##*@}" ${other.url}/hello`,
      `curl -sS --fail --connect-to example.test:80:${HOST}:${other.port} http://example.test/hello`,
    ];
    for (const attempt of attempts) {
      const ran = await session.run(attempt);
      assert(ran.exitStatus !== 0, attempt);
      assertEquals(ran.stdout.includes("hello"), false, attempt);
    }
    assertEquals([other.requests, origin.requests], [0, 0]);
  },
  { programs: ["curl"] },
);

jailTest(
  "a session's commands reach an address that the policy lists without the proxy, and no other",
  async () => {
    await using origin = new Origin();
    await using other = new Origin();
    const net = ["127.0.0.2/31:" + origin.port];
    await using session = new TestSession({ policyText: policyText(net) });
    const fetch = (port: number) =>
      `exec 9<>/dev/tcp/${HOST}/${port}; printf 'GET /hello HTTP/1.0\\r\\n\\r\\n' >&9; cat <&9`;
    const reached = await session.run(fetch(origin.port));
    assertMatch(reached.stdout, /hello\n$/);
    const refused = await session.run(fetch(other.port));
    assertEquals(resources(refused.record.denials), [`net ${HOST}:${other.port}`]);
    assertEquals([origin.requests, other.requests], [1, 0]);
  },
);

jailTest(
  "an allowed name that leads to this machine is refused unless its address is listed, too",
  async () => {
    await using origin = new Origin();
    const name = `localhost:${origin.port}`;
    const script = `curl -sS --noproxy "" http://${name}/hello`;
    await using session = new TestSession({ policyText: policyText([name]) });
    const ran = await session.run(script);
    assertMatch(ran.stdout, /resolves to \S+ \(loopback\), which must be listed itself/);
    assertEquals(resources(ran.record.denials), [`net ${name}`]);
    assertEquals(origin.requests, 0);
  },
  { programs: ["curl"] },
);

jailTest("a session hides the proxy's token in output, block and record", async () => {
  await using session = new TestSession({ policyText: policyText(["example.test"]) });
  const token = session.context.proxy!.token;
  const ran = await session.run(
    `env; echo "$DEBRIEF_SOCKS_PROXY"; printf %s "$HTTP_PROXY" | base64 -w0; curl -v http://refused.test/`,
  );
  assertStringIncludes(ran.stdout, "[REDACTED:");
  const all = [ran.stdout, ran.stderr, JSON.stringify(ran.record), JSON.stringify(ran.block)];
  for (const text of all) {
    assertEquals(text.includes(token), false);
    for (const match of text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) {
      assertEquals(
        atob(match[0].replace(/=+$/, "").slice(0, 4 * Math.floor(match[0].length / 4))).includes(
          token.slice(0, 16),
        ),
        false,
      );
    }
  }
}, { programs: ["curl"] });

jailTest("a session says why an allowed host cannot be reached", async () => {
  const net = ["gone.invalid", `${HOST}:1`];
  const environment = { HTTPS_PROXY: "http://outer.test:3128" };
  await using session = new TestSession({ policyText: policyText(net), environment });
  const unresolved = await session.run("curl -sS --fail http://gone.invalid/");
  assertEquals(unresolved.record.denials, []);
  assertMatch(
    unresolved.block.notices.join("\n"),
    /Cannot connect to "gone\.invalid:80": the name does not resolve .*HTTPS_PROXY is not used/,
  );
  const closed = await session.run(`curl -sS --fail http://${HOST}:1/`);
  assertMatch(closed.block.notices.join("\n"), /Cannot connect to "127\.0\.0\.2:1": .*refused/i);
  const direct = await session.run("curl -sS --noproxy '*' http://gone.invalid/");
  assertMatch(
    direct.block.notices.join("\n"),
    /"gone\.invalid" is allowed, but only through the proxy/,
  );
}, { programs: ["curl"] });

jailTest("git clones over HTTP from a host that the policy lists, and from no other", async () => {
  using place = new TestPlace();
  const repository = place.at("outside/repository.git");
  const git = async (...args: readonly string[]) => {
    const env = { ...place.environment, GIT_CONFIG_NOSYSTEM: "1" };
    const output = await new Deno.Command("git", { args: [...args], env, clearEnv: true }).output();
    assertEquals(output.code, 0, new TextDecoder().decode(output.stderr));
  };
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  await git("init", "-q", "-b", "main", place.at("outside/source"));
  await git(
    "-C",
    place.at("outside/source"),
    ...author,
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    "one",
  );
  await git("clone", "-q", "--bare", place.at("outside/source"), repository);
  await git("-C", repository, "update-server-info");
  await using origin = new Origin(place.at("outside"));
  const url = `${origin.url}/repository.git`;
  const script = `git ls-remote ${url} && git clone -q ${url} copy && git -C copy log --oneline`;
  {
    const net = [`${HOST}:${origin.port}`];
    await using session = new TestSession({ policyText: policyText(net), place });
    const ran = await session.run(script);
    assertEquals(ran.exitStatus, 0, ran.stderr);
    assertMatch(ran.stdout, /refs\/heads\/main\n[^]* one\n$/);
  }
  const seen = origin.requests;
  await using session = new TestSession({ policyText: policyText(["other.test"]), place });
  const ran = await session.run(script);
  assertEquals(resources(ran.record.denials), [`net ${HOST}:${origin.port}`]);
  assertEquals([ran.record.outcome.kind, origin.requests], ["denied-sandbox", seen]);
}, { programs: ["git"] });

Deno.test("joinDenials() leaves out what the proxy reported exactly", () => {
  const denial = (resource: string): Denial => ({
    permission: "net",
    resource,
    by: "sandbox",
    rule: "",
    at: "",
    accepted: "",
  });
  const joined = joinDenials(
    [denial("a.test:443")],
    ["a.test", "a.test:443", "b.test"].map(denial),
  );
  assertEquals(resources(joined), ["net a.test:443", "net b.test"]);
});
