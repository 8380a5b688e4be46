/** Scripts, modules and places to write: what else there is of them. */
import { basename, join, resolve } from "node:path/posix";
import { endLines, programName } from "../observed.ts";
import { interpreterOf } from "./interpreters.ts";
import { exists } from "./project_files.ts";
import {
  lineOf,
  type Proposal,
  quoted,
  run,
  type SuggestContext,
  type SuggestRule,
  withWord,
} from "./rule.ts";

/** The table. */
export const FILE_RULES: readonly SuggestRule[] = [
  { name: "interpreter", kinds: ["not-found", "not-executable"], propose: interpreter },
  {
    name: "carriage-returns",
    kinds: ["failed", "not-found", "syntax-error", "usage"],
    propose: carriageReturns,
  },
  { name: "module", kinds: ["missing-dependency", "not-found"], propose: missingModule },
  { name: "without-option", kinds: ["denied-policy"], propose: withoutOption },
  { name: "writable", kinds: ["denied-sandbox"], propose: writable },
];

/** A script that is there, and whose first line names what is not. */
function interpreter({ observed, files, cwd, outcome }: SuggestContext): Proposal[] {
  const [use] = observed.programs;
  const path = use?.name ?? "";
  const line = lineOf(observed);
  const start = interpreterOf(path);
  if (outcome.kind !== "not-found" || start === null || line === null) return [];
  if (!path.includes("/") || observed.programs.length > 1 || !exists(files, resolve(cwd, path))) {
    return [];
  }
  const first = (files.text(resolve(cwd, path)) ?? "").slice(0, 200).split("\n")[0] ?? "";
  if (!first.startsWith("#!")) return [];
  return [...run(`${start} ${line}`, ": the interpreter that its first line names is not there")];
}

const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "dash"]);

/** The script that a command runs, as it was typed. */
function scriptOf({ observed, files, cwd }: SuggestContext): { word: string; text: string } | null {
  const [use] = observed.programs;
  const name = use?.name ?? "";
  const word = SHELLS.has(programName(use))
    ? use?.args.find((arg) => arg !== null && !arg.startsWith("-")) ?? null
    : name.includes("/")
    ? name
    : null;
  const text = word === null ? null : files.text(resolve(cwd, word));
  return word === null || text === null ? null : { word, text };
}

function carriageReturns(context: SuggestContext): Proposal[] {
  const script = scriptOf(context);
  const word = script === null ? null : quoted(script.word);
  if (script === null || word === null || !script.text.slice(0, 8_192).includes("\r\n")) return [];
  if (context.observed.programs.length > 1) return [];
  return [
    ...run(
      `tr -d '\\r' < ${word} | bash`,
      ": its lines end in carriage returns, which bash takes for text",
    ),
  ];
}

/** A Python module, or a package of a project, that an environment of the project has or could have. */
function missingModule({ observed, files, cwd, goal: _ }: SuggestContext): Proposal[] {
  const use = observed.programs.find((one) =>
    /^(?:python[\d.]{0,4}|pytest)$/.test(programName(one))
  );
  const name = use?.name;
  if (!name || name.includes("/")) return packages({ observed, files, cwd });
  return [".venv", "venv"].flatMap((directory) => {
    if (!exists(files, join(cwd, directory, "bin", "python"))) return [];
    const python = `${directory}/bin/python`;
    const line = programName(use) === "pytest" ? null : withWord(observed, name, python);
    return run(
      line ?? `${python} -m pytest`,
      ": the project's virtual environment has modules of its own",
    );
  });
}

/** `npm install` where nothing that package.json names is installed. */
function packages(
  { observed, files, cwd }: Pick<SuggestContext, "observed" | "files" | "cwd">,
): Proposal[] {
  const isNode = observed.programs.some((use) =>
    ["npm", "npx", "node", "pnpm", "yarn", "tsc", "jest", "vitest"].includes(programName(use))
  );
  const isMissing = endLines(observed.ending).some((line) =>
    /Cannot find (?:module|package)|: not found$|: command not found$/.test(line)
  );
  if (!isNode || !isMissing || exists(files, join(cwd, "node_modules"))) return [];
  if (!exists(files, join(cwd, "package.json"))) return [];
  const lock = exists(files, join(cwd, "package-lock.json"));
  return [
    ...run(
      lock ? "npm ci" : "npm install",
      "installs what package.json names; node_modules is not there",
    ),
  ];
}

/** The same without the options that a rule denies. */
function withoutOption({ observed }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const denial = observed.denials.find(({ by }) => by === "policy");
  if (line === null || denial === undefined) return [];
  const options = denial.resource.split(" ").filter((word) => /^--?\w/.test(word));
  const kept = line.split(" ").filter((word) => !options.includes(word)).join(" ");
  return kept === line ? [] : [...run(kept, `: without ${options.join(" ")} it is allowed`)];
}

/** The same with a place that can be written in place of one that cannot. */
function writable({ observed }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const denial = observed.denials.find(({ by, permission }) =>
    by === "sandbox" && permission === "write"
  );
  if (line === null || denial === undefined) return [];
  const words = line.split(/[\s;&|()<>]+/).filter((word) => word.startsWith("/"));
  const word = words.find((one) =>
    one === denial.resource || one.startsWith(`${denial.resource}/`)
  );
  const at = word === undefined ? -1 : line.indexOf(word);
  const name = word === undefined ? "" : basename(word);
  if (word === undefined || at < 0 || !/^[\w.-]{1,100}$/.test(name)) return [];
  const changed = `${line.slice(0, at)}"$TMPDIR"/${name}${line.slice(at + word.length)}`;
  return [...run(changed, ": $TMPDIR and the workspace can be written")];
}
