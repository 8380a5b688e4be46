/** Programs whose exit status or silence has a meaning of its own, for the outcome table. */
import { programName, type ProgramUse } from "./observed.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Exit status 1 without output means that nothing was found (POSIX grep; the rest by their manuals). */
const SEARCHES = words(
  "grep egrep fgrep zgrep rg ag ack ugrep find fd fdfind locate plocate ls which type command printenv pgrep pidof apropos whereis lsof",
);

/** Exit status 1 is a plain answer: no, different (POSIX test, diff, cmp, expr). */
const QUESTIONS = words("test [ [[ diff cmp colordiff sdiff diff3 expr false comm");

/** Programs that succeed without a word. */
const SILENT = words(
  "mkdir cp mv rm rmdir ln touch chmod chown chgrp install truncate mkfifo sync kill sleep true : cd pushd popd export unset set exit " +
    "shopt alias unalias source . umask wait trap test [ [[ diff cmp read declare local readonly patch gcc g++ cc c++ clang clang++ " +
    "rustfmt gofmt tsc tar unzip gzip gunzip ssh-keygen",
);

/** Subcommands of git that succeed without a word, or answer by exit status. */
const SILENT_GIT = words("add rm mv config tag branch restore apply update-index");

/** Programs whose output is text of others: what it says is no news of their own end. */
const READERS = words(
  "cat tac head tail less more sed awk grep egrep fgrep rg ag jq yq cut tr sort uniq wc fold column diff echo printf tee curl wget xxd strings cd",
);

/** Sub-commands of git that print what others have written. */
const READING_GIT = words("log show diff grep blame cat-file");

/** Flags by which a program prints nothing, and those by which it prints to a file. */
const QUIET_FLAGS = words("-q --quiet -s --silent");
const FILE_FLAGS = words("-o -O --output --output-document");

/** Programs that take `FILE_FLAGS`. */
const WITH_FILE = words("curl wget gcc g++ cc c++ clang clang++ rustc go sort");

/** Sub-commands of go that succeed without a word. */
const SILENT_GO = words("vet build mod fmt");

/** Programs beside a search or a question that change nothing about what exit status 1 means. */
const NEUTRAL = words(
  "cd pushd popd export set unset true : echo printf head tail sort uniq wc cut tr cat tee xargs env time command timeout local declare",
);

/** Whether exit status 1 without output of this script can only mean that nothing was found. */
export function searches(programs: readonly ProgramUse[]): boolean {
  return isOf(programs, (use) => SEARCHES.has(programName(use)) || git(use) === "grep");
}

/** Whether exit status 1 of this script can only be an answer. */
export function asks(programs: readonly ProgramUse[]): boolean {
  return isOf(programs, (use) => {
    if (QUESTIONS.has(programName(use)) || queries(use)) return true;
    return git(use) === "diff" &&
      use.args.some((arg) => arg === "--quiet" || arg === "--exit-code");
  });
}

/** Whether no output is what success looks like; so it is for a script that starts nothing (`f() { ls; }`, `x=1`). */
export function silent(programs: readonly ProgramUse[]): boolean {
  return programs.every((use) => {
    const name = programName(use);
    if (SILENT.has(name) || SILENT_GIT.has(git(use))) return true;
    if (name === "go" && SILENT_GO.has(use.args[0] ?? "")) return true;
    if (!SEARCHES.has(name) && use.args.some((arg) => arg !== null && QUIET_FLAGS.has(arg))) {
      return true;
    }
    if (WITH_FILE.has(name) && use.args.some((arg) => arg !== null && FILE_FLAGS.has(arg))) {
      return true;
    }
    return name === "sed" &&
      use.args.some((arg) => arg !== null && /^(-[a-zA-Z]*i|--in-place)/.test(arg));
  });
}

/** Whether all that this script prints on standard output is what others have written. */
export function reads(programs: readonly ProgramUse[]): boolean {
  return programs.length > 0 &&
    programs.every((use) => READERS.has(programName(use)) || READING_GIT.has(git(use)));
}

/** Whether the script asks for a line of input and nothing else prints: `read` ends with 1 when there is none. */
export function asksForInput(programs: readonly ProgramUse[]): boolean {
  return programs.some((use) => programName(use) === "read");
}

/** Whether exit status 1 of `jq -e` is an answer: the last value was false or null. */
function queries(use: ProgramUse): boolean {
  return programName(use) === "jq" &&
    use.args.some((arg) =>
      arg !== null && /^(?:-[a-zA-Z]{0,8}e[a-zA-Z]{0,8}|--exit-status)$/.test(arg)
    );
}

function isOf(programs: readonly ProgramUse[], wanted: (use: ProgramUse) => boolean): boolean {
  return programs.some(wanted) &&
    programs.every((use) => wanted(use) || NEUTRAL.has(programName(use)));
}

/** The subcommand of git, empty for other programs. */
function git(use: ProgramUse): string {
  if (programName(use) !== "git") return "";
  return use.args.find((arg) => arg !== null && !arg.startsWith("-")) ?? "";
}
