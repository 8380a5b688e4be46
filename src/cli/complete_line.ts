/**
 * What Tab puts in at a prompt: commands of the session, names of programs, names in directories that commands may read.
 * Names are only read, in directories that the plan grants; nothing is opened or carried out.
 */
import { join, resolve } from "node:path/posix";
import { BUILTINS } from "../command/builtins.ts";
import { quoteWord } from "../command/quote.ts";
import { coversPath } from "../policy/match.ts";
import { visibleText } from "../record/visible_text.ts";
import { directoryNames, realPath, status } from "../sandbox/linux/files.ts";
import { programsOnPath } from "../session/programs_on_path.ts";
import type { SessionContext } from "../session/session_context.ts";

/** Proposals that are shown at a time. */
const MAX_PROPOSALS = 100;
/** What ends a command, so that the next word is a program's name. */
const STARTS = /(?:^|[|;&(]|\b(?:then|do|else|time|sudo|env|xargs))\s*$/;

/** What completion looks at. */
export type CompletionContext = Pick<SessionContext, "state" | "jail" | "variables">;

/** Proposals for the last word of a line, and that word, as `node:readline` takes them. */
export function completeLine(line: string, context: CompletionContext): [string[], string] {
  const word = /(?:[^\s|;&()<>'"\\]|\\.)*$/.exec(line)?.[0] ?? "";
  const before = line.slice(0, line.length - word.length);
  // Within quotes a name would need other ones.
  if (/["']/.test(before.replaceAll(/'[^']*'|"[^"]*"/g, ""))) return [[], word];
  const names = STARTS.test(before) && !word.includes("/")
    ? programs(word, context)
    : /^\s*debrief\s+$/.test(before)
    ? VERBS.filter((verb) => verb.startsWith(word)).map((verb) => `${verb} `)
    : paths(word, context);
  const safe = names.filter((name) => visibleText(name) === name);
  return [[...new Set(safe)].sort().slice(0, MAX_PROPOSALS), word];
}

/** Commands of Debrief that make sense in a session. */
const VERBS = ["chain", "jobs", "kill", "log", "output", "run --background --", "send", "show"];

function programs(word: string, context: CompletionContext): readonly string[] {
  const { functions, aliases } = context.state;
  const own = ["debrief", ...BUILTINS, ...functions.keys(), ...aliases.keys()];
  return [...own, ...programsOnPath(context)]
    .filter((name) => name.startsWith(word) && quoteWord(name) === name)
    .map((name) => `${name} `);
}

function paths(word: string, { state, jail, variables }: CompletionContext): readonly string[] {
  const typed = word.replaceAll(/\\(.)/g, "$1");
  const slash = typed.lastIndexOf("/") + 1;
  const [shown, begun] = [typed.slice(0, slash), typed.slice(slash)];
  const absolute = shown.replace(/^~(?=\/)/, variables.HOME);
  const directory = realPath(resolve(state.cwd, absolute === "" ? "." : absolute));
  const isGranted = directory !== null &&
    jail.plan.grants.some((grant) => grant.read && coversPath(grant.path, directory));
  if (!isGranted) return [];
  return (directoryNames(directory) ?? [])
    .filter((name) => name.startsWith(begun) && (begun !== "" || !name.startsWith(".")))
    .slice(0, MAX_PROPOSALS)
    .map((name) => {
      const isDirectory = status(join(directory, name), { follow: true })?.kind === "directory";
      return `${escaped(shown)}${escaped(name)}${isDirectory ? "/" : " "}`;
    });
}

/** A backslash before what a shell would take for more than itself; the tilde in front stays. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w@%+=:,./~\u0080-\uffff-]/g, "\\$&");
}
