/**
 * What the summary of a test runner or compiler says: counts, and the first failure with its place. Facts beside the
 * outcome, never the outcome itself. Patterns are anchored and bounded, and lines are cut to 512 characters.
 */
import { endLines, type Observed } from "./observed.ts";
import { reads } from "./program_kinds.ts";

/** Bytes up to which a tail surely is the whole stream (`StreamSummary.tail`). */
const MAX_TAIL = 4_000;
/** Characters of a line that patterns are tried on. */
const MAX_LINE = 512;

/** A place in a file of the project. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** What was found; null where nothing says so. */
export interface Findings {
  /** What `counts` counts. */
  readonly of: "tests" | "errors";
  readonly counts: string | null;
  /** Name of the first test that failed, or the first error's message. */
  readonly first: string | null;
  readonly place: Place | null;
}

/** A pattern whose first group is what to show. */
interface Finder {
  readonly of: Findings["of"];
  readonly line: RegExp;
}

/** Counts; the last line that matches has them. */
const COUNTS: readonly Finder[] = [
  {
    of: "tests",
    line: /^=* ?(\d{1,8} (?:failed|passed|errors?|skipped|deselected)[\w ,]{0,120}) in \d/,
  },
  { of: "tests", line: /^=* ?(no tests (?:ran|collected))\b/ },
  { of: "tests", line: /^FAILED \(((?:failures|errors)=[\w=, ]{1,80})\)/ },
  { of: "tests", line: /^Tests: {1,12}(\d.{1,80}), \d{1,8} total/ },
  { of: "tests", line: /^ {1,10}Tests {1,4}(\d.{1,80}) \(\d/ },
  { of: "tests", line: /^(?:FAILED|ok) \| (\d.{1,80}) \(\d/ },
  { of: "tests", line: /^test result: \w{1,10}\. (\d{1,8} passed; \d{1,8} failed)/ },
  { of: "tests", line: /^(\d{1,8} examples?, \d{1,8} failures?)/ },
  { of: "errors", line: /^(\d{1,8}) errors? generated/ },
  { of: "errors", line: /^error: .{1,200} due to (\d{1,8}) previous errors?/ },
  { of: "errors", line: /^\u2716 \d{1,8} problems? \((.{1,60})\)/ },
  { of: "errors", line: /^Found (\d{1,8}) (?:errors?|problems?)/ },
];

/** The first failure; the first line that matches has it. */
const FIRSTS: readonly Finder[] = [
  { of: "tests", line: /^(?:FAILED|ERROR) (\S{1,200}::.{1,200})/ },
  { of: "tests", line: /^(?:FAIL|ERROR): (\w{1,100}) \(/ },
  { of: "tests", line: /^ {2,4}\u25cf (.{1,200})/ },
  { of: "tests", line: /^ ?FAIL {2}(\S{1,200} > .{1,200})/ },
  { of: "tests", line: /^ {0,8}not ok \d{1,8} - (.{1,200})/ },
  { of: "tests", line: /^\u2716 (.{1,200}) \(\d{1,9}(?:\.\d{1,9})?ms\)/ },
  { of: "tests", line: /^(?:test )?(.{1,200}) \.\.\. .{0,10}FAILED\b/ },
  { of: "tests", line: /^ {0,8}--- FAIL: (\S{1,200})/ },
  { of: "tests", line: /^thread '([^']{1,200})' .{0,20}panicked at / },
  { of: "errors", line: /^[^:\s]{1,200}:\d{1,7}:(?:\d{1,5}:)? (?:fatal )?error: (.{1,200})/ },
  { of: "errors", line: /^(?:vet: )?[\w./@-]{1,200}\.go:\d{1,7}:\d{1,5}: (.{1,200})/ },
  { of: "errors", line: /^.{1,300}\(\d{1,7},\d{1,5}\): error (TS\d{4,5}: .{1,200})/ },
  { of: "errors", line: /^(TS\d{4,5} \[ERROR\]: .{1,200})/ },
  {
    of: "errors",
    line:
      /^error(?:\[[\w-]{1,40}\])?: ((?:mismatched|unresolved|cannot|expected|use of|this file|`).{1,200})/,
  },
  { of: "errors", line: /^ {1,6}\d{1,7}:\d{1,5} {1,4}error {1,4}(.{1,200})/ },
  { of: "errors", line: /^.{0,200}: (undefined reference to .{1,200})/ },
  { of: "errors", line: /^make(?:\[\d{1,4}\])?: \*\*\* \[(.{1,200})\] Error \d/ },
];

/** Places: file and line. */
const PLACES: readonly RegExp[] = [
  /^([^:\s(]{1,300}):(\d{1,7}):(?:\d{1,5}:)? (?:(?:fatal )?error: |\w{0,60}(?:Error|Exception|Failed)\b)/,
  /^([\w./@-]{1,300}\.go):(\d{1,7}):\d{1,5}: /,
  /^ {2,8}([\w./@-]{1,300}_test\.go):(\d{1,7}): /,
  /^([^\s(]{1,300})\((\d{1,7}),\d{1,5}\): error /,
  /^ {1,8}--> ([^:\s]{1,300}):(\d{1,7}):\d/,
  /^thread '.{1,200} panicked at ([^:\s]{1,300}):(\d{1,7}):/,
  /^.{1,200} => ([^:\s]{1,300}):(\d{1,7}):\d/,
  /^ {1,8}location: '([^:']{1,300}):(\d{1,7}):\d/,
  /^test at ([^:\s]{1,300}):(\d{1,7}):\d/,
  /^ {0,8}\u276f ([^:\s]{1,300}):(\d{1,7}):\d/,
  /^ {2,12}at .{0,200}?\(?(?:file:\/\/)?([\w./@-]{1,300}):(\d{1,7}):\d{1,6}\)?$/,
  /^ {2}File "([^"]{1,300})", line (\d{1,7})/,
  /^make(?:\[\d{1,4}\])?: \*\*\* \[([^:\s]{1,300}):(\d{1,7}): /,
];

/** Files that belong to a tool, not to the project. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|lib\/python[\d.]{1,6}|\.cargo|rustc)\/|^node:|^\/usr\//;

/** What the end of a command's output says of tests and errors; null when it says nothing of either. */
export function findings({ ending, programs }: Observed): Findings | null {
  if (reads(programs)) return null;
  const lines = linesOf(ending);
  const counts = found(lines.toReversed(), COUNTS) ?? tapCounts(lines) ?? unittestCounts(lines);
  const first = ending.exitCode === 0 && counts === null ? null : found(lines, FIRSTS);
  const of = first?.of ?? counts?.of;
  if (of === undefined) return null;
  return {
    of,
    counts: counts?.of === of ? counts.text : null,
    first: first?.text ?? null,
    place: first === null ? null : placeIn(lines),
  };
}

/** In the order of the output where its end is all of it, so that what comes first is first. */
function linesOf(ending: Observed["ending"]): readonly string[] {
  const { stdout, stderr } = ending.summary;
  if (stdout.bytes + stderr.bytes > MAX_TAIL) return endLines(ending);
  return [...stderr.tail.split("\n"), ...stdout.tail.split("\n")].map((line) =>
    line.slice(0, MAX_LINE)
  );
}

/** Findings as lines of a block: `tests: 1 failed, 1 passed`, `first: TestBad (bad_test.go:6)`. */
export function findingTexts(found: Findings | null): readonly string[] {
  if (found === null) return [];
  const { of, counts, first, place } = found;
  const where = place === null || first?.includes(`${place.file}:${place.line}`)
    ? ""
    : ` (${place.file}:${place.line})`;
  return [
    ...(counts === null ? [] : [`${of}: ${counts}`]),
    ...(first === null ? [] : [`first: ${first}${where}`]),
  ];
}

function found(
  lines: readonly string[],
  finders: readonly Finder[],
): { readonly of: Findings["of"]; readonly text: string } | null {
  for (const line of lines) {
    for (const { of, line: pattern } of finders) {
      const text = pattern.exec(line)?.[1]?.trim();
      if (text) return { of, text };
    }
  }
  return null;
}

/** `# pass 1`, `# fail 1` of node --test, whose other reporter has an information sign. */
function tapCounts(lines: readonly string[]) {
  const count = (word: string) =>
    lines.map((line) => /^(?:#|\u2139) (pass|fail) (\d{1,8})$/.exec(line))
      .findLast((match) => match?.[1] === word)?.[2];
  const [pass, fail] = [count("pass"), count("fail")];
  if (pass === undefined || fail === undefined) return null;
  return { of: "tests" as const, text: `${fail} failed, ${pass} passed` };
}

/** `Ran 2 tests in 0.1s` of unittest, when all went well. */
function unittestCounts(lines: readonly string[]) {
  const ran = lines.map((line) => /^Ran (\d{1,8}) tests? in /.exec(line)?.[1]).findLast(Boolean);
  return ran === undefined ? null : { of: "tests" as const, text: `${ran} ran` };
}

function placeIn(lines: readonly string[]): Place | null {
  for (const pattern of PLACES) {
    for (const line of lines) {
      const [, name = "", number = ""] = pattern.exec(line) ?? [];
      if (name !== "" && !FOREIGN.test(name)) {
        return { file: name.replace(/^file:\/\//, "").replace(/^\.\//, ""), line: Number(number) };
      }
    }
  }
  return null;
}
