/** Suggestions from how a command ended: limits, denials, missing programs, what is left of its output. */
import { durationText } from "../../record/duration_text.ts";
import { shortText } from "../../record/visible_text.ts";
import { syntaxExcerpt } from "../excerpt.ts";
import { nearNames } from "../near_names.ts";
import { lacksShell, missingProgram, programName, refusedProgram } from "../observed.ts";
import { interpreterOf } from "./interpreters.ts";
import {
  MAX_PART,
  type Proposal,
  quoted,
  short,
  type SuggestContext,
  type SuggestRule,
  withWord,
} from "./rule.ts";
import { counted } from "../../output/counted.ts";

/** Lines that a suggested range of the output spans. */
const RANGE_LINES = 200;

/** In the order in which they are asked. */
export const ENDING_RULES: readonly SuggestRule[] = [
  {
    name: "syntax",
    kinds: ["syntax-error"],
    propose: ({ observed }) => syntaxExcerpt(observed.syntaxError),
  },
  { name: "policy-grant", kinds: ["denied-policy", "denied-sandbox"], propose: policyGrant },
  { name: "near-name", kinds: ["not-found"], propose: nearProgram },
  { name: "executable", kinds: ["not-executable"], propose: executable },
  { name: "time-limit", kinds: ["timeout"], propose: timeLimit },
  { name: "limit", kinds: ["killed", "failed"], propose: limit },
  { name: "usage-help", kinds: ["usage"], propose: usageHelp },
  { name: "out-of-memory", kinds: ["killed"], propose: outOfMemory },
  { name: "unenforced", kinds: ["no-exit"], propose: unenforced },
  { name: "unverified", kinds: ["no-exit"], propose: unverified },
  { name: "produced", kinds: ["timeout", "killed", "no-exit"], propose: produced },
  { name: "truncated", propose: truncated },
];

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
  if (lacksShell(observed)) {
    return [{
      text: "bash carries out text and has to be installed; `debrief -- PROGRAM` needs none",
    }];
  }
  const name = missingProgram(observed);
  if (name === null || name.includes("/")) return [];
  return nearNames(name, { candidates: programs(), accept: allowed }).map((near) => {
    const line = withWord(observed, name, near);
    if (line === null || line.length > 2 * MAX_PART) {
      return { text: `\`${near}\` is on PATH and allowed` };
    }
    return { text: `\`${line}\`: ${near} is on PATH and allowed`, runs: line };
  });
}

function executable({ observed, allowed }: SuggestContext): Proposal[] {
  const name = refusedProgram(observed);
  const path = name === null ? null : quoted(name);
  if (name === null || path === null) return [];
  const start = interpreterOf(name);
  const made: Proposal[] = [];
  if (start !== null && allowed(start.split(" ")[0]!)) {
    made.push({
      text: `\`${start} ${path}\` needs no execute permission`,
      runs: `${start} ${path}`,
    });
  }
  if (allowed("chmod") && !name.startsWith("/")) {
    made.push({
      text: `\`chmod +x ${path}\` sets the execute permission`,
      runs: `chmod +x ${path}`,
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
  const limit = observed.ending.limit ?? observed.ending.complained;
  if (!limit) return [];
  const where = limit.at === null ? "the default" : `${shortText(limit.at, MAX_PART)}`;
  return [{ text: `\`limits.${limit.name}\` (${where}) sets it; only the policy's owner can` }];
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

/** Which rules, and why, may be more than a line holds. */
function unenforced({ observed }: SuggestContext): Proposal[] {
  if (!observed.ending.error?.startsWith("the policy cannot be enforced here: ")) return [];
  return [{
    text:
      "`debrief doctor`, with the same `--policy`, says what this host lacks and what to install",
  }];
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
    text: `\`debrief output ${outputId}\` has the ${
      counted(lines, "line")
    } that came before the end`,
  }];
}

function truncated({ observed, outputId }: SuggestContext): Proposal[] {
  if (outputId === null) return [];
  const { summary, exitCode } = observed.ending;
  const made: Proposal[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    const { truncated: cut, lines, binary } = summary[name];
    // Lines of what is no text are nothing to read.
    if (cut === null || binary !== null) continue;
    // What is shown begins with a half of first lines on success, with a quarter otherwise: there the cut begins.
    const head = Math.floor((lines - cut.lines) / (exitCode === 0 ? 2 : 4));
    const from = Math.min(Math.max(1, lines), head + 1);
    const to = Math.min(Math.max(1, lines), from + RANGE_LINES - 1);
    const flag = name === "stderr" ? " --stderr" : "";
    made.push({
      text: `\`debrief output ${outputId} --lines ${from}:${to}${flag}\` shows more of ${
        counted(lines, "line")
      }`,
    });
  }
  if (made.length > 0 && exitCode !== 0) {
    made.push({
      text: `\`debrief output ${outputId} --grep 'error|fail'\` shows the lines that match`,
    });
  }
  return made;
}
