/**
 * Tables of scripts that are replayed against real bash. They stand in `replay/*.sh` and `sessions/*.sh` as the shell text that they are,
 * so that no second layer of quoting hides what is tested.
 *
 * A case begins with `### NAME`. Lines that begin with `#@` before its script set something up or state a divergence;
 * the rest up to the next case is the script, without its last newline.
 *
 *     #@ file NAME JSON     a file in the working directory
 *     #@ program NAME JSON  an executable one
 *     #@ stdin JSON         standard input, otherwise empty
 *     #@ args JSON          words that become $0, $1, ...
 *     #@ script JSON        the script, where it holds characters that this file should not
 *     #@ mask JSON          a regular expression; its matches in standard error become "..." on both sides
 *     #@ diverges JSON      why the result is not that of bash; the next three state what it is instead
 *     #@ stdout JSON        #@ stderr JSON        #@ code JSON
 *     #@ syntax             a syntax error: nothing runs, and the block says why instead of standard error
 */
import { join } from "node:path/posix";
import { assertEquals, assertNotEquals } from "@std/assert";

/** What a script came to. */
export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Fields of a result, in the order in which they are compared. */
const FIELDS = ["stdout", "stderr", "code"] as const;

/** A result that is known not to be that of bash. Fields that are absent must be equal. */
export interface Divergence extends Partial<Result> {
  readonly reason: string;
}

/** A file that a case begins with. */
export interface CaseFile {
  readonly name: string;
  readonly text: string;
  readonly mode: number;
}

/** One script with its surroundings. */
export interface ReplayCase {
  readonly name: string;
  readonly script: string;
  readonly files: readonly CaseFile[];
  readonly stdin: string | null;
  readonly args: readonly string[];
  readonly mask: RegExp | null;
  readonly diverges: Divergence | null;
}

/** `replay` holds scripts for `bash -c`, `sessions` texts for standard input. */
export type Shelf = "replay" | "sessions";

function directory(shelf: Shelf): string {
  return join(import.meta.dirname!, shelf);
}

/** A syntax error ends the command before it begins: `bash -c` would say so itself, Debrief does it in the block. */
const SYNTAX: Divergence = { reason: "the block reports a syntax error", stderr: "" };

/** Names of all tables, sorted. */
export function tableNames(shelf: Shelf): readonly string[] {
  return [...Deno.readDirSync(directory(shelf))].map(({ name }) => name.replace(/\.sh$/, ""))
    .sort();
}

/** The cases of one table. @throws {Error} for a line that is none of those above, or a name that is used twice. */
export function loadTable(shelf: Shelf, name: string): readonly ReplayCase[] {
  const text = Deno.readTextFileSync(join(directory(shelf), `${name}.sh`));
  const [head, ...sections] = ("\n" + text).split("\n### ");
  if (head !== "") throw new Error(`Cannot read table "${name}": text before the first case`);
  const cases = sections.map((section) => parseCase(section));
  const names = new Set(cases.map((entry) => entry.name));
  if (names.size !== cases.length) {
    throw new Error(`Cannot read table "${name}": a name is used twice`);
  }
  return cases;
}

function parseCase(section: string): ReplayCase {
  const [name = "", ...lines] = section.replace(/\n$/, "").split("\n");
  const files: CaseFile[] = [];
  const set = new Map<string, unknown>();
  let syntax = false;
  while (lines[0]?.startsWith("#@ ")) {
    const [, key = "", rest = ""] = lines.shift()!.match(/^#@ (\w+) ?(.*)$/) ?? [];
    const file = rest.match(/^("(?:[^"\\]|\\.)*"|\S+) (".*")$/);
    if (file && (key === "file" || key === "program")) {
      const mode = key === "file" ? 0o644 : 0o755;
      files.push({ name: unquote(file[1]!), text: JSON.parse(file[2]!), mode });
    } else if (key === "syntax") syntax = true;
    else if (/^(stdin|args|script|mask|diverges|stdout|stderr|code)$/.test(key)) {
      set.set(key, JSON.parse(rest));
    } else throw new Error(`Cannot read case "${name}": ${key} ${rest}`);
  }
  const stated = FIELDS.filter((key) => set.has(key));
  const reason = set.get("diverges") as string | undefined ?? (syntax ? SYNTAX.reason : undefined);
  if (reason === undefined ? stated.length > 0 : stated.length === 0 && !syntax) {
    throw new Error(`Cannot read case "${name}": a divergence needs a reason and a result`);
  }
  const mask = set.get("mask") as string | undefined;
  return {
    name,
    script: set.get("script") as string | undefined ?? lines.join("\n"),
    files,
    stdin: set.get("stdin") as string | undefined ?? null,
    args: set.get("args") as string[] | undefined ?? [],
    mask: mask === undefined ? null : new RegExp(mask, "g"),
    diverges: reason === undefined ? null : {
      ...(syntax ? SYNTAX : {}),
      reason,
      ...Object.fromEntries(stated.map((key) => [key, set.get(key)])),
    },
  };
}

function unquote(name: string): string {
  return name.startsWith('"') ? JSON.parse(name) : name;
}

/**
 * Compare Debrief's result with that of bash.
 *
 * @throws {AssertionError} when they differ otherwise than the case states, and when a stated divergence is gone.
 */
export function compareResults(
  entry: ReplayCase,
  results: { readonly bash: Result; readonly debrief: Result },
): void {
  const { mask } = entry;
  const masked = (result: Result): Result =>
    mask === null ? result : { ...result, stderr: result.stderr.replace(mask, "...") };
  const [bash, debrief] = [masked(results.bash), masked(results.debrief)];
  const { reason, ...stated } = entry.diverges ?? { reason: "" };
  assertEquals(debrief, { ...bash, ...stated }, reason);
  for (const field of FIELDS) {
    const message = `bash gives the same ${field}: the divergence is gone`;
    if (stated[field] !== undefined) assertNotEquals(bash[field], stated[field], message);
  }
}
