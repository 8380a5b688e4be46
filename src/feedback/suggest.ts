/** Suggestions: facts with concrete commands, one table of rules. Never an order: those trip agents' injection defences. */
import { quoteArgv } from "../command/quote.ts";
import type { Suggestion } from "../record/record.ts";
import { ENDING_RULES } from "./rules/ending_rules.ts";
import { FILE_RULES } from "./rules/file_rules.ts";
import { GIT_RULES } from "./rules/git_rules.ts";
import { JAIL_RULES } from "./rules/jail_rules.ts";
import { NAME_RULES } from "./rules/name_rules.ts";
import { PROMPT_RULES } from "./rules/prompt_rules.ts";
import { SERVICE_RULES } from "./rules/service_rules.ts";
import { TOOL_RULES } from "./rules/tool_rules.ts";
import type { Earlier, Proposal, SuggestContext, SuggestRule, Verbosity } from "./rules/rule.ts";

export type { Earlier, SuggestContext, Verbosity };

/** Suggestions that one command gets. */
const MAX_SUGGESTIONS: Readonly<Record<Verbosity, number>> = { brief: 1, normal: 5, full: 8 };

/** The table: what is surer to help stands above. */
const RULES: readonly SuggestRule[] = [
  ...PROMPT_RULES,
  ...NAME_RULES,
  ...GIT_RULES,
  ...TOOL_RULES,
  ...FILE_RULES,
  ...SERVICE_RULES,
  ...JAIL_RULES,
  ...ENDING_RULES,
];

/**
 * Makes at most eight suggestions for a command; none when nothing applies. Leaves out commands that failed in this
 * session, and what was suggested when the same command ended the same way and nothing has succeeded since.
 */
export function suggest(context: SuggestContext): Suggestion[] {
  const failed = new Set(
    [...context.history.filter(({ exit_code }) => exit_code !== 0), context.observed]
      .flatMap(({ command }) => forms(command)),
  );
  const made = RULES
    .filter(({ kinds }) => kinds === undefined || kinds.includes(context.outcome.kind))
    .flatMap((rule) =>
      rule.propose(context).map((proposal) => fromThere(proposal, context))
        .filter(({ runs }) => runs === undefined || (!failed.has(runs) && context.runnable(runs)))
        .map((proposal) => ({ rule: rule.name, ...proposal }))
    );
  const known = alreadyMade(context);
  const said = new Set<string>();
  return made.filter(({ text, runs = text }) => {
    if (known.has(text) || said.has(runs)) return false;
    said.add(runs);
    return true;
  }).map(({ rule, text }) => ({ rule, text }))
    .slice(0, MAX_SUGGESTIONS[context.verbosity ?? "normal"]);
}

/** Without a `cd` at the beginning that the session has already followed: it would lead to another place now. */
function fromThere(proposal: Proposal, { cwd, cwdAfter, observed }: SuggestContext): Proposal {
  const moved = /^cd [^;&|<>()`$'"\\\n ]{1,200} && /.exec(observed.command[0] ?? "")?.[0];
  const { runs, text } = proposal;
  if (cwd === cwdAfter || moved === undefined || !runs?.startsWith(moved)) return proposal;
  return { runs: runs.slice(moved.length), text: text.replace(moved, () => "") };
}

/** How a command may be written in a suggestion: as typed, joined, and quoted. */
function forms(command: readonly string[]): readonly string[] {
  const joined = command.join(" ");
  try {
    return command.length > 1 ? [joined, quoteArgv(command)] : [joined];
  } catch {
    return [joined];
  }
}

/** Texts of the same situation: the same command, the same outcome, and no success in between, which may have changed it. */
function alreadyMade({ history, observed, outcome }: SuggestContext): ReadonlySet<string> {
  const command = observed.command.join(" ");
  const texts = new Set<string>();
  for (const earlier of history.toReversed()) {
    if (earlier.exit_code === 0) break;
    if (earlier.command.join(" ") !== command || earlier.outcome?.kind !== outcome.kind) continue;
    for (const { text } of earlier.suggestions ?? []) texts.add(text);
  }
  return texts;
}
