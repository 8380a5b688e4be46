/** Which records the flags of a command choose. */
import { UsageError } from "../errors.ts";
import { problemOfStatus, type RecordQuery } from "../record/query.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf } from "./directories.ts";
import { momentOf } from "./moments.ts";

/** What the flags choose. @throws {UsageError} when one of them cannot be used. */
export function queryOf(line: CommandLine): RecordQuery {
  const { values } = line;
  const status = values.get("status")?.split(",");
  for (const word of status ?? []) {
    const problem = problemOfStatus(word);
    if (problem !== null) throw new UsageError(problem);
  }
  const given = {
    session: values.get("session"),
    task: values.get("task"),
    program: values.get("program"),
    text: values.get("text"),
    beneath: directoryOf(line, "cwd") ?? undefined,
    status,
    since: momentOf(line, "since") ?? undefined,
    until: momentOf(line, "until") ?? undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
