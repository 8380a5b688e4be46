import { assertEquals } from "@std/assert";
import { DEFAULT_PATH } from "../../src/sandbox/default_path.ts";
import { commandEnvironment } from "../../src/sandbox/environment.ts";
import { TempTree } from "./temp_tree.ts";
import { policyFor } from "./test_jail.ts";

const VARIABLES = { WORKSPACE: "/work", HOME: "/home/user", TMP: "/tmp/private" };

function environment(
  policy: string | object,
  inherited: Readonly<Record<string, string>>,
): Record<string, string> {
  using tree = new TempTree({ work: { directory: true } });
  const text = typeof policy === "string" ? policy : JSON.stringify(policy);
  return commandEnvironment(policyFor(tree, text), { variables: VARIABLES, inherited });
}

/** Names that make a program run code, or that would undo what the jail sets. */
const CODE = [
  ..."LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND PS4 SHELLOPTS"
    .split(" "),
  ..."BASH_FUNC_ls%% NODE_OPTIONS PYTHONSTARTUP PYTHONHOME PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS LESSOPEN"
    .split(" "),
  ..."GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 RUSTC_WRAPPER"
    .split(" "),
];

Deno.test("commandEnvironment passes no variable that makes programs run code, whatever env allows", () => {
  const inherited = Object.fromEntries([...CODE, "LANG"].map((name) => [name, "value"]));
  for (const policy of ["default", "open", { extends: "default", env: ["G*", "L*", "B*"] }]) {
    const found = environment(policy, inherited);
    assertEquals(CODE.filter((name) => found[name] === "value"), []);
    assertEquals(found.LANG, "value");
  }
  // Only by its full name, and never those that the jail itself decides.
  const named = environment({ extends: "default", env: ["LD_PRELOAD", "GIT_PAGER"] }, inherited);
  assertEquals([named.LD_PRELOAD, named.GIT_PAGER], ["value", "cat"]);
});

Deno.test("commandEnvironment passes what the policy lets through, and nothing else", () => {
  const inherited = {
    PATH: "/bin",
    LC_ALL: "C",
    MY_TOKEN: "secret",
    AWS_PROFILE: "a",
    EDITOR: "vi",
  };
  const cases = [
    { policy: "default", want: ["LC_ALL", "PATH"] },
    { policy: "open", want: ["AWS_PROFILE", "EDITOR", "LC_ALL", "MY_TOKEN", "PATH"] },
    { policy: { extends: "default", env: ["MY_*"] }, want: ["LC_ALL", "MY_TOKEN", "PATH"] },
    { policy: { extends: "default", env: { deny: ["PATH"] } }, want: ["LC_ALL"] },
    {
      policy: { extends: "default", env: { allow: true, deny: ["MY_*"] } },
      want: ["AWS_PROFILE", "EDITOR", "LC_ALL", "PATH"],
    },
  ];
  for (const { policy, want } of cases) {
    const found = environment(policy, inherited);
    assertEquals(Object.keys(inherited).filter((name) => name in found).sort(), want);
  }
});

Deno.test("commandEnvironment sets pagers, prompts, directories and private caches over the caller's", () => {
  const caller = {
    HOME: "/elsewhere",
    TMPDIR: "/tmp",
    PAGER: "less",
    XDG_CACHE_HOME: "/home/user/.cache",
    CARGO_HOME: "/home/user/.cargo",
  };
  for (const policy of ["default", "open"]) {
    const found = environment(policy, caller);
    const want = {
      HOME: "/home/user",
      TMPDIR: "/tmp/private",
      PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
    };
    for (const [name, value] of Object.entries(want)) assertEquals(found[name], value);
    const caches = Object.entries(found).filter(([name]) =>
      /CACHE|CARGO_HOME|DENO_DIR/i.test(name)
    );
    assertEquals(caches.length, 9);
    for (const [name, value] of caches) {
      assertEquals(value.startsWith("/tmp/private/cache"), true, `${name}=${value}`);
    }
  }
});

Deno.test("commandEnvironment names a shell where the caller has none", () => {
  assertEquals(environment("default", { SHELL: "/bin/zsh" }).SHELL, "/bin/zsh");
  assertEquals(environment("default", {}).SHELL, "/bin/sh");
});

Deno.test("commandEnvironment lets the policy have the last word", () => {
  const set = { PAGER: "more", LD_PRELOAD: "/x.so", EXTRA: "1" };
  const found = environment({ extends: "default", env: { set } }, {
    EXTRA: "0",
    LD_PRELOAD: "/y.so",
  });
  assertEquals([found.PAGER, found.LD_PRELOAD, found.EXTRA], ["more", "/x.so", "1"]);
});

Deno.test("commandEnvironment turns retries off only where there is no network", () => {
  const retries = (policy: string) => environment(policy, {}).npm_config_fetch_retries ?? null;
  assertEquals([retries("default"), retries("open")], ["0", null]);
});

Deno.test("commandEnvironment leads programs to the proxy, over the caller's and the policy's own settings", () => {
  using tree = new TempTree({ work: { directory: true } });
  const set = { HTTP_PROXY: "http://other.test", NO_PROXY: "*" };
  const policy = policyFor(tree, JSON.stringify({ extends: "default", env: { allow: true, set } }));
  const inherited = { https_proxy: "http://outer.test", no_proxy: "*", npm_config_proxy: "x" };
  const proxy = { httpUrl: "http://u:t@127.0.0.1:1", socksUrl: "socks5h://u:t@127.0.0.1:1" };
  const found = commandEnvironment(policy, { variables: VARIABLES, inherited, proxy });
  for (const [name, value] of Object.entries(found)) {
    if (!/proxy/i.test(name) || name === "NODE_USE_ENV_PROXY") continue;
    const want = /no_?proxy$/i.test(name)
      ? "localhost,127.0.0.1,::1"
      : name === "DEBRIEF_SOCKS_PROXY"
      ? proxy.socksUrl
      : proxy.httpUrl;
    assertEquals(value, want, name);
  }
  for (const name of ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "PIP_PROXY", "CARGO_HTTP_PROXY"]) {
    assertEquals(found[name], proxy.httpUrl);
  }
  const without = commandEnvironment(policy, { variables: VARIABLES, inherited });
  assertEquals([without.HTTP_PROXY, without.https_proxy], [
    "http://other.test",
    "http://outer.test",
  ]);
});

Deno.test("commandEnvironment survives hostile names", () => {
  const inherited = JSON.parse('{"__proto__": "x", "constructor": "y", "toString": "z"}');
  const found = environment("open", inherited);
  assertEquals(Object.hasOwn(found, "constructor"), true);
  assertEquals(Object.getPrototypeOf(found), Object.prototype);
  assertEquals(Object.hasOwn(environment("default", inherited), "constructor"), false);
});

Deno.test("DEFAULT_PATH holds absolute directories only", () => {
  assertEquals(DEFAULT_PATH.split(":").filter((directory) => !directory.startsWith("/")), []);
});
