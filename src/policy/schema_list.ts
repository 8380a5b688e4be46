/** Lists in a policy file. */
import * as v from "valibot";

/** Most entries of one list; far above real use, it bounds the cost of every later decision. */
const MAX_ENTRIES = 4096;

/** Longest entry in characters: PATH_MAX of linux/limits.h, which no useful entry of any permission exceeds. */
const MAX_ENTRY = 4096;

/** A check from a function that says what is wrong with a value, or null. */
export function sound<T extends string | number>(
  problemOf: (value: T) => string | null,
): v.CheckAction<T, (issue: v.CheckIssue<T>) => string> {
  return v.check((value: T) => problemOf(value) === null, (issue) => problemOf(issue.input) ?? "");
}

function problemOfLength(entry: string): string | null {
  if (entry.length <= MAX_ENTRY) return null;
  return `Cannot use an entry of ${entry.length} characters: at most ${MAX_ENTRY} are accepted`;
}

/** A list of strings, each of which must be sound. */
export function list(problemOf: (entry: string) => string | null) {
  const entry = v.pipe(
    v.string("a string"),
    sound((text) => problemOfLength(text) ?? problemOf(text)),
  );
  return v.pipe(
    v.array(entry, "a list of strings"),
    v.maxLength(
      MAX_ENTRIES,
      `Cannot use so long a list: at most ${MAX_ENTRIES} entries are accepted`,
    ),
  );
}
