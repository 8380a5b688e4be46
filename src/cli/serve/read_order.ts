/** Validation of what a client sends, with errors that name the field. */
import * as v from "valibot";
import { UsageError } from "../../errors.ts";

/** Problems that one message lists. */
const MAX_PROBLEMS = 4;

/**
 * A value of a schema.
 *
 * @param what names the whole in messages.
 * @throws {UsageError} that names the fields which cannot be used, and says why; their values are not repeated.
 */
export function readOrder<const T extends v.GenericSchema>(
  schema: T,
  { value, what }: { readonly value: unknown; readonly what: string },
): v.InferOutput<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const problems = result.issues.slice(0, MAX_PROBLEMS).map(problemOf);
  throw new UsageError(`Cannot ${what}: ${problems.join("; ")}`);
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue)?.slice(0, 80) ?? "the request";
  if (issue.type === "strict_object" && issue.expected === "never") {
    return `${path} is no field of it`;
  }
  if (issue.received === "undefined") return `${path} is missing`;
  const { requirement } = issue;
  if (issue.type === "max_length") return `${path} is longer than ${requirement}`;
  if (issue.type === "max_entries") return `${path} has more than ${requirement} entries`;
  if (issue.type === "min_length") return `${path} is empty`;
  if (issue.type === "min_value") return `${path} is below ${requirement}`;
  if (issue.type === "max_value") return `${path} is above ${requirement}`;
  if (issue.type === "regex") return `${path} is no id`;
  return `${path} is no ${issue.expected ?? issue.type}`;
}
