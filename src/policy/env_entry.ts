/** Entries of `env`: names of variables, and which of them make a program run code. */
import { showValue } from "./show_value.ts";

/** A portable name (POSIX.1-2017, XBD 8.1; lower case is in use too). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Variables whose value a shell, loader, runtime or git runs or loads as code. Letting them in by `true` or by a prefix
 * would let the parent's set-up run inside every command, so they pass only when a rule names them exactly.
 */
const RUNS_CODE = new Set(
  [
    "BASH_ENV ENV PROMPT_COMMAND PS0 PS1 PS2 PS4 SHELLOPTS BASHOPTS LESSOPEN LESSCLOSE MANPAGER PAGER SSH_ASKPASS SUDO_ASKPASS",
    "NODE_OPTIONS NODE_REPL_EXTERNAL_MODULE PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS",
    "PERL5OPT PERL5DB PERL5LIB PERLLIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS",
    "RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC CARGO_BUILD_RUSTC_WRAPPER OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES",
    "GCONV_PATH LOCPATH GLIBC_TUNABLES TCLLIBPATH",
    "GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_PROXY_COMMAND",
    "GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT",
  ].join(" ").split(" "),
);

/** Prefixes of the same kind: the dynamic loaders, exported bash functions, git settings by variable. */
const RUNS_CODE_PREFIXES = ["LD_", "DYLD_", "BASH_FUNC_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];

/** Says what is wrong with an entry, or null when it is a name or a prefix with a trailing `*`. */
export function problemOfEnv(entry: string): string | null {
  if (NAME.test(entry) || (entry.endsWith("*") && NAME.test(entry.slice(0, -1)))) return null;
  const cannot = `Cannot use the variable ${showValue(entry)}:`;
  if (entry === "*") return `${cannot} write "env": true to allow or deny every variable`;
  if (entry.startsWith("$")) return `${cannot} write the name without "$"`;
  if (entry.includes("=")) {
    return `${cannot} write only the name here; values belong under "env": { "set": ... }`;
  }
  return `${cannot} accepted are a name such as "LANG" or a prefix such as "LC_*"`;
}

/** Says what is wrong with a name under `env.set`, or null when it can be set. */
export function problemOfEnvName(name: string): string | null {
  return NAME.test(name)
    ? null
    : `Cannot set the variable ${showValue(name)}: accepted is a name such as "LANG"`;
}

/** True when a variable makes the programs that see it run or load code. */
export function runsCode(name: string): boolean {
  return RUNS_CODE.has(name) || RUNS_CODE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
