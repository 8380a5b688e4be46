/** The environment of a command: what the policy lets through, without what runs code, with what a jail needs. */
import { decideEnv } from "../policy/match.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";
import { netMode } from "./plan.ts";

/** Names that the jail sets itself and that the caller's environment therefore never provides. */
function jailVariables(variables: PolicyVariables): Record<string, string> {
  const cache = `${variables.TMP}/cache`;
  return {
    TMPDIR: variables.TMP,
    HOME: variables.HOME,
    // Nothing may wait for a key or open a pager: no one is there to press it.
    PAGER: "cat",
    MANPAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    SYSTEMD_PAGER: "cat",
    // Caches of package managers are private: the user's own are input to the user's own programs.
    XDG_CACHE_HOME: cache,
    npm_config_cache: `${cache}/npm`,
    YARN_CACHE_FOLDER: `${cache}/yarn`,
    PIP_CACHE_DIR: `${cache}/pip`,
    UV_CACHE_DIR: `${cache}/uv`,
    GOCACHE: `${cache}/go-build`,
    GOMODCACHE: `${cache}/go-mod`,
    CARGO_HOME: `${cache}/cargo`,
    DENO_DIR: `${cache}/deno`,
    npm_config_update_notifier: "false",
    NO_UPDATE_NOTIFIER: "1",
    // LeakSanitizer traces its own process, which the jail refuses; tar as root would restore foreign owners.
    ASAN_OPTIONS: "detect_leaks=0",
    TAR_OPTIONS: "--no-same-owner",
  };
}

/**
 * Without a network every try fails alike: package managers say so at once instead of after a minute of tries. pip gives
 * the reason only when it tries again.
 */
const NO_RETRIES: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: "0",
  PIP_RETRIES: "1",
  CARGO_NET_RETRY: "0",
};

/** A host can be down for a moment; a refusal of the proxy's looks the same to these, and lasts. */
const FEW_RETRIES: Readonly<Record<string, string>> = { PIP_RETRIES: "1", CARGO_NET_RETRY: "1" };

/**
 * For callers that have none, as in containers: every bash that finds none asks the name service for the user's, by two
 * connections that the supervisor has to refuse.
 */
const SHELL = "/bin/sh";

/** Where the session's proxy is, with user name and token. */
export interface ProxyAddresses {
  readonly httpUrl: string;
  readonly socksUrl: string;
}

/** Names under which programs look for an HTTP proxy; `ALL_PROXY` is one too, because HTTP tunnels any protocol. */
const PROXY_VARIABLES = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"],
  // Package managers whose own settings would come first, or that know no others.
  ...["npm_config_proxy", "npm_config_https_proxy", "PIP_PROXY", "CARGO_HTTP_PROXY"],
  ...["YARN_HTTP_PROXY", "YARN_HTTPS_PROXY"],
];

/** Servers of the session itself are reached directly. */
const DIRECT = "localhost,127.0.0.1,::1";

/**
 * The variables that lead programs to the proxy. SOCKS has a name that no program looks for by itself: several HTTP
 * libraries fail on a SOCKS address that they cannot use, also where they need none.
 */
function proxyVariables({ httpUrl, socksUrl }: ProxyAddresses): Record<string, string> {
  return {
    ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, httpUrl])),
    DEBRIEF_SOCKS_PROXY: socksUrl,
    NO_PROXY: DIRECT,
    no_proxy: DIRECT,
    npm_config_noproxy: DIRECT,
    // Node reads them only when it is told to (22.21, 24 and later).
    NODE_USE_ENV_PROXY: "1",
  };
}

function retries(policy: Policy, proxy: ProxyAddresses | null): Readonly<Record<string, string>> {
  if (proxy !== null) return FEW_RETRIES;
  return netMode(policy) === "none" ? NO_RETRIES : {};
}

/**
 * Build a command's environment from the shell's own. Later sources win: caller, jail, policy (`env.set`), and the proxy, because
 * nothing else can be reached.
 */
export function commandEnvironment(
  policy: Policy,
  options: {
    readonly variables: PolicyVariables;
    readonly inherited: Readonly<Record<string, string>>;
    /** The session's proxy, if there is one. */
    readonly proxy?: ProxyAddresses | null;
  },
): Record<string, string> {
  const proxy = options.proxy ?? null;
  const passed = Object.entries(options.inherited).filter(([name]) =>
    decideEnv(policy, name).allowed
  );
  return {
    SHELL,
    ...Object.fromEntries(passed),
    ...jailVariables(options.variables),
    ...retries(policy, proxy),
    ...policy.environment,
    ...(proxy === null ? {} : proxyVariables(proxy)),
  };
}
