/** Options that a search, a copy or a wrong command line lacks, and places that an output names. */
import { relative, resolve } from "node:path/posix";
import { nearNames } from "../near_names.ts";
import { endLines, errorLines, programName } from "../observed.ts";
import {
  errorWord,
  lineOf,
  type Proposal,
  quoted,
  run,
  type SuggestContext,
  type SuggestRule,
  withOption,
  withWord,
} from "./rule.ts";

/** The table. */
export const TOOL_RULES: readonly SuggestRule[] = [
  { name: "wider-search", kinds: ["no-results", "success-empty"], propose: widerSearch },
  { name: "near-option", kinds: ["usage", "failed"], propose: nearOption },
  { name: "directory", kinds: ["failed"], propose: isDirectory },
  { name: "parents", kinds: ["failed"], propose: parents },
  { name: "exists", kinds: ["conflict"], propose: alreadyThere },
  {
    name: "no-root",
    kinds: ["not-found", "not-executable", "failed", "needs-input"],
    propose: noRoot,
  },
  { name: "unpiped", kinds: ["partial"], propose: unpiped },
  {
    name: "place",
    kinds: ["test-failure", "build-failure", "missing-dependency", "failed"],
    propose: place,
  },
  { name: "one-test", kinds: ["test-failure"], propose: oneTest },
];

function widerSearch({ observed }: SuggestContext): Proposal[] {
  const [use] = observed.programs;
  if (observed.programs.length !== 1 || use === undefined) return [];
  const has = (...options: readonly string[]) =>
    use.args.some((arg) => arg !== null && options.includes(arg));
  switch (programName(use)) {
    case "git":
      return use.args[0] !== "grep" || has("--untracked") ? [] : [
        ...run(
          withOption(observed, "-i --untracked", "grep"),
          "looks at untracked files and ignores case",
        ),
      ];
    case "grep":
    case "egrep":
    case "fgrep":
      return has("-i") ? [] : [...run(withOption(observed, "-i"), "ignores case")];
    case "rg":
      return [
        ...(has("-i") ? [] : run(withOption(observed, "-i"), "ignores case")),
        ...run(withOption(observed, "--hidden --no-ignore"), "looks at ignored and hidden files"),
      ];
    case "fd":
    case "fdfind":
      return [
        ...run(withOption(observed, "--hidden --no-ignore"), "looks at ignored and hidden files"),
      ];
    case "find":
      return [...run(withWord(observed, "-name", "-iname"), "ignores case")];
    default:
      return [];
  }
}

const UNKNOWN_OPTION = [
  /^[^:\s]{1,64}: (?:error: )?(?:unrecognized|unknown|unsupported|bad) (?:command-line )?option:? ['"`\u2018]?(--[\w-]{2,60})/,
  /^(?:error: )?(?:unknown|unexpected|[Ii]nvalid) (?:option|argument|flag):? ['"`\u2018]?(--[\w-]{2,60})/,
  /^curl: option (--[\w-]{2,60}): is unknown/,
];

/** Options near one that does not exist, from help that an earlier command has printed, else the way to that help. */
function nearOption({ observed, history, allowed }: SuggestContext): Proposal[] {
  const option = errorWord(observed, UNKNOWN_OPTION);
  const use = observed.programs.find(({ args }) =>
    args.some((arg) => option !== null && arg !== null && arg.split("=")[0] === option)
  );
  const name = programName(use);
  if (option === null || use === undefined || !/^[\w.+-]{1,64}$/.test(name) || !allowed(name)) {
    return [];
  }
  const typed = use.args.find((arg) => arg?.split("=")[0] === option) ?? option;
  const help = history.findLast(({ command, exit_code }) =>
    exit_code === 0 && command.join(" ").startsWith(`${name} --help`)
  )?.stdout_tail;
  if (help !== undefined) {
    const known = [...new Set(help.slice(-8_192).match(/--[a-z][\w-]{1,60}/g) ?? [])];
    const near = nearNames(option, { candidates: known, accept: () => true });
    const made = near.flatMap((one) =>
      run(
        withWord(observed, typed, one + typed.slice(option.length)),
        `: ${name} --help has ${one}`,
      )
    );
    if (made.length > 0) return made;
  }
  return [
    ...run(
      `${name} --help | grep -e '${option.slice(0, 5)}'`,
      "lists the options that begin like it",
    ),
  ];
}

function isDirectory({ observed }: SuggestContext): Proposal[] {
  const [use] = observed.programs;
  const path = errorWord(observed, [
    /^(?:cat|head|tail|wc|less|more|sort|sed|awk): (?:error reading |couldn't edit |read error on )?['\u2018]?([^:'\u2019]{1,300})['\u2019]?: Is a directory/,
  ]);
  if (path !== null) {
    return [...run(quoted(path) === null ? null : `ls ${quoted(path)}`, "lists the directory")];
  }
  const text = errorLines(observed.ending);
  const needsRecursion = text.some((line) =>
    /-r not specified; omitting directory|: Is a directory$/.test(line)
  );
  if (!needsRecursion || !["cp", "rm", "grep", "scp"].includes(programName(use))) return [];
  return [...run(withOption(observed, "-r"), "takes directories with all that is in them")];
}

function parents({ observed }: SuggestContext): Proposal[] {
  const path = errorWord(observed, [
    /^mkdir: cannot create directory ['\u2018]([^'\u2019]{1,300})['\u2019]: No such file/,
  ]);
  return path === null
    ? []
    : [...run(withOption(observed, "-p", "mkdir"), "makes the directories above as well")];
}

function alreadyThere({ observed }: SuggestContext): Proposal[] {
  const path = errorWord(observed, [
    /^mkdir: cannot create directory ['\u2018]([^'\u2019]{1,300})['\u2019]: File exists/,
  ]);
  const word = path === null ? null : quoted(path);
  return word === null ? [] : [...run(`ls -la ${word}`, "shows what is there already")];
}

/** Nothing has root's rights in a jail. */
function noRoot({ observed }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  if (line === null || !observed.programs.some((use) => programName(use) === "sudo")) return [];
  return [
    ...run(
      line.replace(/\bsudo (?:-\w{1,8} ){0,3}/, ""),
      ": no command has root's rights here, with sudo or without",
    ),
  ];
}

/** Without what comes after the first pipe, the status is the program's own. */
function unpiped({ observed, outcome }: SuggestContext): Proposal[] {
  const line = observed.command.length === 1 ? observed.command[0] ?? "" : "";
  const at = line.indexOf("|");
  if (!outcome.reason.startsWith("the output says") || at < 1 || line[at + 1] === "|") return [];
  if (/['"`;&<>(){}\\\n]/.test(line)) return [];
  return [...run(line.slice(0, at).trim(), "has the exit status that the pipe hides")];
}

/** Lines shown on either side of a place. */
const AROUND = 6;

function place({ findings, files, cwd }: SuggestContext): Proposal[] {
  const found = findings?.place;
  if (!found) return [];
  const path = resolve(cwd, found.file);
  const lines = files.text(path)?.split("\n").length ?? 0;
  const word = quoted(path.startsWith(`${cwd}/`) ? relative(cwd, path) : path);
  if (word === null || found.line < 1 || found.line > lines) return [];
  const [from, to] = [Math.max(1, found.line - AROUND), Math.min(lines, found.line + AROUND)];
  return [
    ...run(
      `sed -n '${from},${to}p' ${word}`,
      `shows the place of the first ${
        findings?.of === "tests" ? "failure" : "error"
      }, line ${found.line}`,
    ),
  ];
}

/** The first test that failed, alone. */
function oneTest({ observed, findings }: SuggestContext): Proposal[] {
  const name = findings?.of === "tests" ? findings.first : null;
  const [use] = observed.programs;
  if (name === null || observed.programs.length !== 1) return [];
  const id = /^[\w./-]{1,200}\.py::[\w:\[\]-]{1,200}/.exec(name)?.[0];
  if (id !== undefined && endLines(observed.ending).some((line) => line.startsWith("FAILED "))) {
    const pytest = programName(use) === "pytest" ? "pytest" : "python3 -m pytest";
    return [...run(`${pytest} ${quoted(id)}`, "runs the first failure alone")];
  }
  if (!/^\w{1,100}$/.test(name)) return [];
  if (programName(use) === "go") {
    return [...run(`go test -run '^${name}$' ./...`, "runs the first failure alone")];
  }
  return programName(use) === "cargo"
    ? [...run(`cargo test ${name}`, "runs the first failure alone")]
    : [];
}
