/** Near names: what was meant by a path, a sub-command, a script, a target, a branch that does not exist. */
import { basename, join, relative, resolve } from "node:path/posix";
import { nearNames } from "../near_names.ts";
import { endLines, programName } from "../observed.ts";
import {
  branchOf,
  exists,
  findBelow,
  nearestWith,
  nearPaths,
  refsOf,
  scriptsOf,
  targetsOf,
} from "./project_files.ts";
import {
  errorWord,
  lineOf,
  type Proposal,
  quoted,
  run,
  type SuggestContext,
  type SuggestRule,
  withWord,
} from "./rule.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/** The table. */
export const NAME_RULES: readonly SuggestRule[] = [
  { name: "near-subcommand", kinds: ["usage", "failed"], propose: nearSubcommand },
  { name: "near-script", kinds: ["failed", "usage", "build-failure"], propose: nearScript },
  { name: "near-branch", kinds: ["failed"], propose: nearBranch },
  { name: "upstream", kinds: ["failed"], propose: upstream },
  { name: "local-program", kinds: ["not-found"], propose: localProgram },
  { name: "project-directory", kinds: ["failed"], propose: projectDirectory },
  { name: "missing-directory", kinds: ["failed"], propose: missingDirectory },
  {
    name: "near-path",
    kinds: ["failed", "not-found", "missing-dependency", "test-failure"],
    propose: nearPath,
  },
];

function nearSubcommand({ observed }: SuggestContext): Proposal[] {
  return observed.programs.flatMap((use) => {
    const known = SUBCOMMANDS[programName(use)];
    const word = use.args.find((arg) => arg !== null && !arg.startsWith("-"));
    if (known === undefined || !word || known.includes(word)) return [];
    return nearNames(word, { candidates: known, accept: () => true }).flatMap((name) =>
      run(withWord(observed, word, name), `: ${programName(use)} has the sub-command ${name}`)
    );
  });
}

/** Programs that run scripts of package.json by name. */
const RUNS_SCRIPTS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);

function nearScript(context: SuggestContext): Proposal[] {
  const { observed, files, cwd } = context;
  return observed.programs.flatMap((use) => {
    const name = programName(use);
    const operands = use.args.filter((arg) => arg !== null && !arg.startsWith("-"));
    const word = operands.find((arg) => arg !== "run" && arg !== "run-script" && arg !== "task");
    if (!word) return [];
    const known = RUNS_SCRIPTS.has(name)
      ? scriptsOf(files, cwd, "package")
      : name === "deno" && operands[0] === "task"
      ? scriptsOf(files, cwd, "deno")
      : name === "make"
      ? targetsOf(files, cwd)
      : [];
    if (known.includes(word)) return [];
    return nearNames(word, { candidates: known, accept: () => true }).flatMap((near) =>
      run(
        withWord(observed, word, near),
        `: ${near} is ${name === "make" ? "a target" : "a script"} here`,
      )
    );
  });
}

const UNKNOWN_REF = [
  /^(?:error|fatal): pathspec '([^']{1,200})' did not match/,
  /^fatal: invalid reference: (.{1,200})$/,
  /^merge: (.{1,200}) - not something we can merge/,
  /^fatal: ambiguous argument '([^']{1,200})': unknown revision/,
  /^fatal: bad revision '([^']{1,200})'/,
  /^error: src refspec (.{1,200}) does not match any/,
  /^fatal: (?:Needed a single revision|invalid upstream) '?([^']{1,200})/,
];

function nearBranch({ observed, files, cwd }: SuggestContext): Proposal[] {
  const name = errorWord(observed, UNKNOWN_REF);
  if (name === null) return [];
  return nearNames(name, { candidates: refsOf(files, cwd), accept: () => true }).flatMap((near) =>
    run(withWord(observed, name, near), `: ${near} exists`)
  );
}

function upstream({ observed, files, cwd }: SuggestContext): Proposal[] {
  if (
    errorWord(observed, [/^(fatal: The current branch .{1,200} has no upstream branch)/]) === null
  ) return [];
  const branch = branchOf(files, cwd);
  const name = quoted(branch ?? "");
  if (branch === null || name === null) return [];
  return [
    ...run(`git push --set-upstream origin ${name}`, "makes the branch of that name upstream"),
  ];
}

/** Programs that packages of the project bring, which are not on PATH. */
function localProgram(context: SuggestContext): Proposal[] {
  const { observed, files, cwd } = context;
  return observed.programs.flatMap(({ name }) => {
    if (name === null || name.includes("/")) return [];
    return ["node_modules/.bin", ".venv/bin", "venv/bin"].flatMap((directory) => {
      const top = nearestWith(files, cwd, directory.split("/")[0] ?? "");
      if (top === null || !exists(files, join(top, directory, name))) return [];
      const path = relative(cwd, join(top, directory, name));
      return run(withWord(observed, name, path), "exists in this project");
    });
  });
}

function projectDirectory(context: SuggestContext): Proposal[] {
  const { observed, files, cwd } = context;
  const line = lineOf(observed);
  const [use] = observed.programs;
  const wanted = programName(use) === "make"
    ? "Makefile"
    : RUNS_SCRIPTS.has(programName(use))
    ? "package.json"
    : null;
  if (wanted === null || line === null || observed.programs.length > 1) return [];
  const isMissing = endLines(observed.ending).some((text) =>
    /no makefile found|ENOENT|no package\.json|Could not read package\.json/i.test(text)
  );
  if (!isMissing) return [];
  const above = nearestWith(files, cwd, wanted);
  if (above !== null && above !== cwd) {
    return [...run(`cd ${quoted(relative(cwd, above))} && ${line}`, `: ${wanted} lies there`)];
  }
  return findBelow(files, cwd, wanted).flatMap((path) => {
    const directory = quoted(relative(cwd, resolve(path, "..")));
    return wanted === "Makefile"
      ? run(`make -C ${directory}${line.slice("make".length)}`, `: ${wanted} lies there`)
      : run(`cd ${directory} && ${line}`, `: ${wanted} lies there`);
  });
}

const NO_PARENT = [
  /^[^:\s]{1,64}: line \d{1,7}: ([^:]{1,300}\/[^:\/]{1,200}): No such file or directory$/,
  /^[^:\s]{1,64}: cannot (?:touch|create \w{1,20}(?: \w{1,20})?) ['\u2018]([^'\u2019]{1,300}\/[^'\u2019]{1,200})['\u2019]: No such file/,
];

/** The directory above what is to be made is not there. */
function missingDirectory({ observed, files, cwd }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const path = errorWord(observed, NO_PARENT);
  if (path === null || line === null) return [];
  const parent = path.replace(/\/[^/]{0,300}$/, "");
  const isWritten = observed.redirected === true ||
    /cannot (?:touch|create)/.test(observed.ending.summary.stderr.tail);
  if (!isWritten || parent === "" || exists(files, resolve(cwd, parent))) return [];
  if (programName(observed.programs[0]) === "mkdir" && observed.programs.length === 1) return [];
  return [...run(`mkdir -p ${quoted(parent)} && ${line}`, `: ${parent} does not exist`)];
}

const MISSING_PATH = [
  /^(?:[^:]{1,64}: ){1,4}(?:can't read |cannot open )?['"\u2018]?([^:'"\u2018\u2019]{1,300})['"\u2019]?: No such file or directory/,
  /^[^:]{1,64}: (?:[^:]{1,40}: )?(?:cannot \w{1,20}(?: \w{1,20})?|can't open file|can't open|failed to \w{1,20}) ['"\u2018]([^'"\u2019]{1,300})['"\u2019]/,
  /^(?:Error: )?(?:Cannot find module|Could not find) '([^']{1,300})'/,
  /^ERROR: (?:file or directory not found|not found): (.{1,300})$/,
  /^error: Module not found "file:\/\/([^"]{1,300})"/,
  /^(?:fatal|error): pathspec '([^']{1,300})' did not match any files/,
  /^([^:\s]{1,300}): (?:IO error for operation|No such file or directory)/,
];

function nearPath(context: SuggestContext): Proposal[] {
  const { observed, files, cwd } = context;
  const named = errorWord(observed, MISSING_PATH) ??
    errorWord({ ...observed, ending: onlyOut(observed.ending) }, MISSING_PATH);
  if (named === null) return [];
  // Some tools name the whole path where a shorter one was typed.
  const typed = observed.programs.flatMap(({ name, args }) => [name, ...args])
    .find((word) => word !== null && (word === named || resolve(cwd, word) === named)) ?? named;
  const path = resolve(cwd, typed);
  const near = exists(files, path) ? [] : nearPaths(files, path);
  const found = near.length > 0 || typed.includes("..")
    ? near
    : findBelow(files, cwd, basename(path)).filter((one) => one !== path);
  return byGoal(found, context.goal).flatMap((one) => {
    const word = typed.startsWith("/") ? one : relative(cwd, one);
    return run(withWord(observed, typed, word), `: ${word} exists`);
  });
}

/** Standard output in place of standard error: some runners complain there. */
function onlyOut(ending: SuggestContext["observed"]["ending"]) {
  return { ...ending, summary: { ...ending.summary, stderr: ending.summary.stdout } };
}

/** What the goal names comes first. */
function byGoal(paths: readonly string[], goal: string | null): readonly string[] {
  if (goal === null) return paths;
  const named = (path: string) => goal.includes(basename(path));
  return [...paths.filter(named), ...paths.filter((path) => !named(path))];
}
