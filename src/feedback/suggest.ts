/** First suggestions: facts with concrete commands, one table of rules. Never an order: those trip agents' injection defences. */
import { quoteWord } from "../command/quote.ts";
import { durationText } from "../record/duration_text.ts";
import type { CommandRecord, Outcome, OutcomeKind, Suggestion } from "../record/record.ts";
import { shortText } from "../record/visible_text.ts";
import { syntaxExcerpt } from "./excerpt.ts";
import { unattendedFacts } from "./unattended.ts";
import { nearNames } from "./near_names.ts";
import { missingProgram, type Observed, programName, refusedProgram } from "./observed.ts";

/** What is looked at in an earlier record. */
export type Earlier =
  & Pick<CommandRecord, "command" | "exit_code">
  & Partial<Pick<CommandRecord, "outcome" | "suggestions">>;

/** How many suggestions a block has. */
export type Verbosity = "brief" | "normal" | "full";

/** What suggestions are made from. */
export interface SuggestContext {
  readonly observed: Observed;
  readonly outcome: Outcome;
  readonly commandId: string;
  readonly outputId: string | null;
  /** Limit in milliseconds that was in force, 0 for none. */
  readonly timeoutMs: number;
  /** Records of this session; their failed commands are not suggested again. */
  readonly history: readonly Earlier[];
  /** How many suggestions there may be; `normal` when absent. */
  readonly verbosity?: Verbosity;
  /** Names of all programs on PATH. Called only when a name was not found. */
  readonly programs: () => readonly string[];
  /** Whether the policy allows a program by name. */
  readonly allowed: (name: string) => boolean;
}

interface Proposal {
  readonly text: string;
  /** The command that it proposes to run, to be left out when it has failed before. */
  readonly runs?: string;
}

interface SuggestRule {
  readonly name: string;
  /** Outcomes that it looks at; all when absent. */
  readonly kinds?: readonly OutcomeKind[];
  readonly propose: (context: SuggestContext) => readonly Proposal[];
}

/** Suggestions that one command gets. */
const MAX_SUGGESTIONS: Readonly<Record<Verbosity, number>> = { brief: 1, normal: 5, full: 8 };

/** Characters of a path, rule or command inside a suggestion. */
const MAX_PART = 120;

/** Lines that a suggested range of the output spans. */
const RANGE_LINES = 200;

const RULES: readonly SuggestRule[] = [
  {
    name: "syntax",
    kinds: ["syntax-error"],
    propose: ({ observed }) => syntaxExcerpt(observed.syntaxError),
  },
  { name: "policy-grant", kinds: ["denied-policy", "denied-sandbox"], propose: policyGrant },
  { name: "near-name", kinds: ["not-found"], propose: nearProgram },
  { name: "executable", kinds: ["not-executable"], propose: executable },
  { name: "time-limit", kinds: ["timeout"], propose: timeLimit },
  { name: "limit", kinds: ["killed"], propose: limit },
  { name: "unattended", kinds: ["needs-input"], propose: unattended },
  { name: "usage-help", kinds: ["usage"], propose: usageHelp },
  { name: "out-of-memory", kinds: ["killed"], propose: outOfMemory },
  { name: "unverified", kinds: ["no-exit"], propose: unverified },
  { name: "produced", kinds: ["timeout", "killed", "no-exit"], propose: produced },
  { name: "truncated", propose: truncated },
];

/**
 * Makes at most eight suggestions for a command; none when nothing applies. Leaves out commands that failed in this
 * session, and what was suggested when the same command ended the same way and nothing has succeeded since.
 */
export function suggest(context: SuggestContext): Suggestion[] {
  const failed = new Set(
    context.history.filter(({ exit_code }) => exit_code !== 0).map(({ command }) =>
      command.join(" ")
    ),
  );
  failed.add(context.observed.command.join(" "));
  const made = RULES
    .filter(({ kinds }) => kinds === undefined || kinds.includes(context.outcome.kind))
    .flatMap((rule) =>
      rule.propose(context)
        .filter(({ runs }) => runs === undefined || !failed.has(runs))
        .map(({ text }) => ({ rule: rule.name, text }))
    );
  const known = alreadyMade(context);
  return made.filter(({ text }) => !known.has(text))
    .slice(0, MAX_SUGGESTIONS[context.verbosity ?? "normal"]);
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

function policyGrant({ observed, outcome }: SuggestContext): Proposal[] {
  const by = outcome.kind === "denied-policy" ? "policy" : "sandbox";
  const denial = observed.denials.find((one) => one.by === by);
  if (denial === undefined) return [];
  const file = denial.at.replace(/:\d{1,9}$/, "");
  const where = file.startsWith("built-in:")
    ? '~/.config/debrief/policy.jsonc with "extends": "default"'
    : short(file);
  return [{
    text:
      `\`debrief policy show\` lists all grants; only the policy's owner can add one (${denial.permission}.allow in ${where})`,
  }];
}

function nearProgram({ observed, programs, allowed }: SuggestContext): Proposal[] {
  const name = missingProgram(observed);
  if (name === null || name.includes("/")) return [];
  const words = observed.command;
  return nearNames(name, { candidates: programs(), accept: allowed }).map((near) => {
    const runs = words.length > 1 && words[0] === name
      ? words.with(0, near)
      : words[0] === name
      ? [near]
      : null;
    if (runs === null) return { text: `\`${near}\` is on PATH and allowed` };
    const line = quotedWords(runs);
    return { text: `\`${line ?? near}\`: ${near} is on PATH and allowed`, runs: runs.join(" ") };
  });
}

/** Interpreters by file name extension. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  sh: "bash",
  bash: "bash",
  py: "python3",
  js: "node",
  mjs: "node",
  ts: "deno",
  rb: "ruby",
  pl: "perl",
};

function executable({ observed, allowed }: SuggestContext): Proposal[] {
  const name = refusedProgram(observed);
  const path = name === null ? null : quoted(name);
  if (name === null || path === null) return [];
  const interpreter = INTERPRETERS[/\.([a-z]{1,4})$/.exec(name)?.[1] ?? ""];
  const made: Proposal[] = [];
  if (interpreter !== undefined && allowed(interpreter)) {
    const start = interpreter === "deno" ? "deno run" : interpreter;
    made.push({
      text: `\`${start} ${path}\` needs no execute permission`,
      runs: `${start} ${name}`,
    });
  }
  if (allowed("chmod") && !name.startsWith("/")) {
    made.push({
      text: `\`chmod +x ${path}\` sets the execute permission`,
      runs: `chmod +x ${name}`,
    });
  }
  return made;
}

function timeLimit({ timeoutMs, observed }: SuggestContext): Proposal[] {
  if (!observed.ending.timedOut || timeoutMs <= 0) return [];
  const longer = Math.ceil(timeoutMs * 2 / 1_000);
  return [{
    text: `the limit was ${
      durationText(timeoutMs)
    }; \`--timeout ${longer}s\` sets another for one command`,
  }];
}

function limit({ observed }: SuggestContext): Proposal[] {
  const { limit } = observed.ending;
  if (!limit) return [];
  const where = limit.at === null ? "the default" : `${shortText(limit.at, MAX_PART)}`;
  return [{ text: `\`limits.${limit.name}\` (${where}) sets it; only the policy's owner can` }];
}

function unattended({ observed }: SuggestContext): Proposal[] {
  const facts = unattendedFacts(observed.programs);
  const others = ["`printf '%s\\n' ANSWER | COMMAND` gives an answer beforehand"];
  return [...facts, ...others].map((text) => ({ text }));
}

function usageHelp({ observed, allowed }: SuggestContext): Proposal[] {
  const name = programName(observed.programs[0]);
  if (observed.programs.length !== 1 || !/^[\w.+-]{1,64}$/.test(name) || !allowed(name)) return [];
  return [{ text: `\`${name} --help\` prints its usage`, runs: `${name} --help` }];
}

function outOfMemory({ outcome }: SuggestContext): Proposal[] {
  return outcome.reason.startsWith("ended by SIGKILL")
    ? [{ text: "the kernel sends SIGKILL also when memory runs out" }]
    : [];
}

function unverified({ commandId }: SuggestContext): Proposal[] {
  return [{
    text:
      `without an exit status nothing is verified; \`debrief show ${commandId}\` prints the record`,
  }];
}

function produced({ observed, outputId }: SuggestContext): Proposal[] {
  const { stdout, stderr } = observed.ending.summary;
  const lines = stdout.lines + stderr.lines;
  if (outputId === null || lines === 0 || stdout.truncated !== null || stderr.truncated !== null) {
    return [];
  }
  return [{
    text: `\`debrief output ${outputId}\` has the ${lines} ${
      lines === 1 ? "line" : "lines"
    } that came before the end`,
  }];
}

function truncated({ observed, outputId }: SuggestContext): Proposal[] {
  if (outputId === null) return [];
  const { summary, exitCode } = observed.ending;
  const made: Proposal[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    const { truncated: cut, lines } = summary[name];
    if (cut === null) continue;
    // What is shown begins with a half of first lines on success, with a quarter otherwise: there the cut begins.
    const head = Math.floor((lines - cut.lines) / (exitCode === 0 ? 2 : 4));
    const from = Math.min(Math.max(1, lines), head + 1);
    const to = Math.min(Math.max(1, lines), from + RANGE_LINES - 1);
    const flag = name === "stderr" ? " --stderr" : "";
    made.push({
      text:
        `\`debrief output ${outputId} --lines ${from}:${to}${flag}\` shows more of ${lines} lines`,
    });
  }
  if (made.length > 0 && exitCode !== 0) {
    made.push({
      text: `\`debrief output ${outputId} --grep 'error|fail'\` shows the lines that match`,
    });
  }
  return made;
}

function short(text: string): string {
  return shortText(text, MAX_PART);
}

/** One quoted word, null when it is too long or cannot be quoted, since a cut command would be a different one. */
function quoted(word: string): string | null {
  return quotedWords([word]);
}

function quotedWords(words: readonly string[]): string | null {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (words.some((word) => /[\u0000-\u001f\u007f]/.test(word) || !word.isWellFormed())) return null;
  const text = words.map(quoteWord).join(" ");
  return text.length > MAX_PART ? null : text;
}
