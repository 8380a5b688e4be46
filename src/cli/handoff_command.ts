/** `debrief handoff`: what whoever goes on must know. */
import { reasonOf } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { handoff } from "../record/handoff.ts";
import type { HandoffChanges } from "../record/handoff_schema.ts";
import { newestFirst, type SkippedLines } from "../record/read.ts";
import type { CommandRecord } from "../record/record.ts";
import type { RecordQuery } from "../record/query.ts";
import { renderHandoff } from "../record/render_handoff.ts";
import { readFeedbackOf } from "../session/feedback_store.ts";
import { Session } from "../session/session.ts";
import { userPaths } from "../session/session_paths.ts";
import { unknownChanges, workspaceReport } from "../session/workspace_report.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { directoryOf, stateDirectory, workspaceOf } from "./directories.ts";
import { redactOwnText } from "./own_text.ts";
import { queryOf } from "./record_query.ts";
import { journalOf, sessionOptions } from "./session_options.ts";
import { writeText } from "./terminal.ts";
import { warnSkipped } from "./warn_skipped.ts";

/** The records in question, oldest first. Without a task or session to look for, those of the newest command's. */
function recordsOf(
  directory: string,
  query: RecordQuery,
): { readonly records: readonly CommandRecord[]; readonly skipped: SkippedLines } {
  const skipped = { corrupt: 0, newer: 0, tooLong: 0 };
  const records: CommandRecord[] = [];
  let chosen = query;
  for (const record of newestFirst({ directory, ...query }, (kind) => skipped[kind]++)) {
    if (records.length === 0 && query.task === undefined && query.session === undefined) {
      const { task_id, session_id } = record;
      chosen = task_id === null ? { session: session_id } : { task: task_id };
    }
    const { task, session } = chosen;
    const fits = (task === undefined || record.task_id === task) &&
      (session === undefined || record.session_id === session);
    if (fits) records.push(record);
  }
  return { records: records.reverse(), skipped };
}

/** What was changed, as far as it can be known here. */
async function changesOf(line: CommandLine, since: number): Promise<HandoffChanges> {
  try {
    const place = sessionOptions(line);
    const session = Session.open({ ...place, journal: journalOf(place) });
    try {
      return await workspaceReport(session.context, since);
    } finally {
      await session.close();
    }
  } catch (error) {
    return unknownChanges(reasonOf(error));
  }
}

/** What the sessions are for, as the newest says that says it. */
function goalOf(state: string, records: readonly CommandRecord[]): string | null {
  const sessions = new Set(records.map(({ session_id }) => session_id).reverse());
  for (const id of sessions) {
    const goal = readFeedbackOf(state, id)?.goal;
    if (goal) return goal;
  }
  return null;
}

/** Run the command. @throws {UsageError} when the journal cannot be read or a flag cannot be used. */
export async function runHandoffCommand(line: CommandLine): Promise<number> {
  noOperands(line);
  const user = userPaths(Deno.env.toObject(), directoryOf(line, "journal"));
  const workspace = workspaceOf(line, user);
  const state = stateDirectory(line);
  const { records, skipped } = recordsOf(state, queryOf(line));
  const since = Date.parse(records[0]?.started_at ?? "");
  const report = handoff(records, {
    task: line.values.get("task") ?? records.at(-1)?.task_id ?? null,
    goal: goalOf(state, records),
    workspace,
    required: line.lists.get("require") ?? [],
    changed: await changesOf(line, Number.isNaN(since) ? Date.now() : since),
  });
  const text = line.switches.has("json") ? JSON.stringify(report) + "\n" : renderHandoff(report);
  writeText(1, redactOwnText(text));
  warnSkipped(skipped);
  return EXIT.ok;
}
