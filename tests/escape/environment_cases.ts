/** Code in the caller's environment: variables whose value some program runs or loads. None may reach a command. */
import { join } from "node:path";
import type { Case } from "./attempt.ts";
import type { Place } from "./place.ts";
import { run } from "./program.ts";

/** Each case exits with 0 when the planted code ran, or when what would run it is there. */
export const ENVIRONMENT_CASES: readonly Case[] = [
  { in: "LD_PRELOAD", try: "grep -q planted.so /proc/self/maps" },
  { in: "LD_AUDIT", try: 'test -n "$LD_AUDIT"' },
  { in: "BASH_ENV", try: 'test -n "$PLANTED_BY_BASH_ENV"' },
  { in: "an exported function", try: "declare -F planted" },
  { in: "ENV", try: "echo true | sh -i; test -e ran-env" },
  { in: "PROMPT_COMMAND", try: "echo true | bash --norc -i; test -e ran-prompt" },
  { in: "NODE_OPTIONS", try: "node -e 'process.exit(globalThis.planted ? 0 : 1)'" },
  { in: "PYTHONSTARTUP", try: "python3 -i </dev/null; test -e ran-startup" },
  { in: "PERL5OPT", try: "perl -e 'exit !$planted::loaded'" },
  { in: "GIT_SSH_COMMAND", try: "git ls-remote ssh://host.invalid/x; test -e ran-ssh" },
  {
    in: "GIT_EXTERNAL_DIFF",
    try: "echo a >a; echo b >b; git diff --no-index a b; test -e ran-diff",
  },
  { in: "GIT_CONFIG_COUNT", try: "git planted; test -e ran-alias" },
  {
    in: "GIT_EDITOR",
    try: "git config -f own user.name x; git config -f own -e; test -e ran-editor",
  },
  { in: "MAKEFILES", try: "make -n nothing; test -e ran-make" },
  { in: "a name that no rule allows", try: 'test -n "$PLANTED"' },
];

/** Of these, what "env": true lets through because the policy's owner asked for all. */
export const PASSED_BY_TRUE: ReadonlySet<string> = new Set([
  "MAKEFILES",
  "a name that no rule allows",
]);

/** Plant the code and return the environment that would run it. */
export async function plant(place: Place): Promise<Record<string, string>> {
  const path = (name: string) => join(place.workspace, "planted", name);
  await place.write("work/planted/planted.c", "int planted;\n");
  await run("gcc", "-shared", "-fPIC", "-o", path("planted.so"), path("planted.c"));
  await place.write("work/planted/bash_env", "export PLANTED_BY_BASH_ENV=1\n");
  await place.write("work/planted/env", "touch ran-env\n");
  await place.write("work/planted/node.cjs", "globalThis.planted = true;\n");
  await place.write("work/planted/startup.py", "open('ran-startup', 'w').close()\n");
  await place.write("work/planted/planted.pm", "package planted; our $loaded = 1; 1;\n");
  await place.write("work/planted/all.mk", "$(shell touch ran-make)\nnothing:\n");
  await place.own();
  return {
    LD_PRELOAD: path("planted.so"),
    LD_AUDIT: "libplanted-does-not-exist.so",
    BASH_ENV: path("bash_env"),
    "BASH_FUNC_planted%%": "() {  :\n}",
    ENV: path("env"),
    PROMPT_COMMAND: "touch ran-prompt",
    NODE_OPTIONS: `--require=${path("node.cjs")}`,
    PYTHONSTARTUP: path("startup.py"),
    PERL5OPT: "-Mplanted",
    PERL5LIB: path(""),
    GIT_SSH_COMMAND: "touch ran-ssh; false",
    GIT_EXTERNAL_DIFF: "touch ran-diff; true",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "alias.planted",
    GIT_CONFIG_VALUE_0: '!cd -- "${GIT_PREFIX:-.}" && touch ran-alias',
    GIT_EDITOR: "touch ran-editor; true",
    MAKEFILES: path("all.mk"),
    PLANTED: "1",
  };
}
