/** Commands that wait for an answer, and text that is not finished. */
import { resolve } from "node:path/posix";
import { programName } from "../observed.ts";
import { unattendedFacts } from "../unattended.ts";
import {
  isPlain,
  lineOf,
  type Proposal,
  quoted,
  run,
  type SuggestContext,
  type SuggestRule,
  withOption,
} from "./rule.ts";

/** The table. */
export const PROMPT_RULES: readonly SuggestRule[] = [
  { name: "closing", kinds: ["syntax-error"], propose: closing },
  { name: "no-prompt", kinds: ["needs-input", "timeout", "failed"], propose: withoutPrompt },
  { name: "input", kinds: ["needs-input", "failed"], propose: input },
  { name: "unattended", kinds: ["needs-input"], propose: unattended },
];

/** What may be missing at the end of a script, shortest first. */
const CLOSERS = ['"', "'", ")", "`", "}", "; done", "; fi", "; esac", "; }", '")', "))"];

/** The text with what closes it. */
function closing({ observed, runnable }: SuggestContext): Proposal[] {
  const { syntaxError } = observed;
  const line = syntaxError?.text ?? "";
  if (!syntaxError?.message.startsWith("unexpected end") || !isPlain(line)) return [];
  const closer = CLOSERS.find((end) => runnable(line + end));
  return closer === undefined ? [] : [...run(line + closer, "parses")];
}

/** Options by which programs ask nothing, by their manuals. `for` is the sub-command. */
const QUIET: readonly { program: string; for: string; option: string }[] = [
  { program: "npm", for: "init", option: "-y" },
  { program: "npm", for: "create", option: "-y" },
  { program: "apt-get", for: "install", option: "-y" },
  { program: "apt", for: "install", option: "-y" },
  { program: "apt-get", for: "upgrade", option: "-y" },
  { program: "pip", for: "uninstall", option: "-y" },
  { program: "pip3", for: "uninstall", option: "-y" },
  { program: "conda", for: "install", option: "-y" },
  { program: "docker", for: "system", option: "-f" },
  { program: "terraform", for: "apply", option: "-auto-approve" },
];

function withoutPrompt({ observed, outcome, goal }: SuggestContext): Proposal[] {
  if (outcome.kind === "failed") return [];
  return observed.programs.flatMap((use) => {
    const name = programName(use);
    const row = QUIET.find((one) => one.program === name && use.args.includes(one.for));
    if (row !== undefined) return run(withOption(observed, row.option, row.for), "asks nothing");
    if (name === "git" && use.args.includes("commit") && !use.args.includes("-m")) {
      const message = quoted(goal ?? "");
      return goal === null || message === null ? [] : run(
        withOption(observed, "-m X", "commit")?.replace("-m X", `-m ${message}`) ?? null,
        "needs no editor",
      );
    }
    return [];
  });
}

/** What manuals say of the programs, beside what could be run as it stands. */
function unattended({ observed }: SuggestContext): Proposal[] {
  const others = ["`printf '%s\\n' ANSWER | COMMAND` gives an answer beforehand"];
  return [...unattendedFacts(observed.programs), ...others].map((text) => ({ text }));
}

const ASKS = /^[ \t]{0,40}(?:read|select)\b[^=\n]{0,200}$|\binput\(/m;
const YES_OR_NO = /\[[yY]\/[nN]\]|\(y(?:es)?\/no?\)/i;

/** Nobody answers: what answers instead. */
function input({ observed, outcome, files, cwd }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const [use] = observed.programs;
  if (line === null || observed.programs.length !== 1 || use === undefined) return [];
  const { stdout, stderr } = observed.ending.summary;
  const words = [use.name, ...use.args].filter((word) => word !== null && /[./]/.test(word));
  const text =
    words.map((word) => files.text(resolve(cwd, word ?? ""))).find((one) => one !== null) ?? "";
  const isQuiet = stdout.bytes + stderr.bytes === 0;
  if (outcome.kind === "failed" && !(isQuiet && ASKS.test(text.slice(0, 65_536)))) return [];
  const isYesOrNo = YES_OR_NO.test(stdout.tail.slice(-300)) ||
    YES_OR_NO.test(stderr.tail.slice(-300)) ||
    YES_OR_NO.test(text.slice(0, 65_536));
  if (isYesOrNo) return [...run(`yes | ${line}`, "answers y to each question")];
  return outcome.kind === "needs-input" ? [] : [{
    text:
      "it reads standard input, which is empty; `printf '%s\\n' ANSWER | COMMAND` gives an answer",
  }];
}
