/** The environment of a command: what the policy lets through, without what runs code, with what a jail needs. */
import { decideEnv } from "../policy/match.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";

/** Where programs are looked for when the environment does not say: `confstr(_CS_PATH)` and what installs locally. */
export const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

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

/** Without a network every try fails alike: package managers say so at once instead of after a minute of tries. */
const NO_RETRIES: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: "0",
  PIP_RETRIES: "0",
  CARGO_NET_RETRY: "0",
};

/** Build a command's environment from the shell's own. Later sources win: caller, jail, policy (`env.set`). */
export function commandEnvironment(
  policy: Policy,
  options: {
    readonly variables: PolicyVariables;
    readonly inherited: Readonly<Record<string, string>>;
  },
): Record<string, string> {
  const passed = Object.entries(options.inherited).filter(([name]) =>
    decideEnv(policy, name).allowed
  );
  return {
    ...Object.fromEntries(passed),
    ...jailVariables(options.variables),
    ...(policy.net.allow.length === 0 ? NO_RETRIES : {}),
    ...policy.environment,
  };
}
