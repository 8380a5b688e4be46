/**
 * Copies of records and outputs for a Debrief inside the jail, so that `debrief output ID | grep x` works there. The
 * originals lie outside every grant: a lock on one of them, or a changed mode, must never hang or blind the shell.
 */
import type { Program } from "../command/script.ts";
import { readNewest } from "../record/read.ts";
import type { SessionContext } from "./session_context.ts";
import { OUTPUTS } from "./session_paths.ts";

/** Records that are copied at most. */
const MAX_RECORDS = 200;
/** Commands of Debrief that read what was recorded. */
const READERS = new Set(["output", "show", "log", "chain"]);

function readsRecords(program: Program): boolean {
  const name = program.name?.split("/").at(-1);
  const verb = program.args.find((arg) => arg !== null && !arg.startsWith("-"));
  return name === "debrief" && verb !== undefined && verb !== null && READERS.has(verb);
}

/** Outputs that a script names: words that begin one of the session's ids. */
function namedOutputs(programs: readonly Program[], ids: readonly string[]): readonly string[] {
  const words = programs.flatMap(({ args }) => args).filter((arg) =>
    arg !== null && arg.length > 1
  );
  return ids.filter((id) => words.some((word) => word !== null && id.startsWith(word)));
}

/**
 * Refresh the copies, when a script reads records: those of this session only.
 *
 * @throws {Error} when the journal cannot be read or the copies cannot be written.
 */
export function refreshCopies(context: SessionContext, programs: readonly Program[]): void {
  const readers = programs.filter(readsRecords);
  if (readers.length === 0) return;
  const { private: { copies }, user: { state }, sessionId } = context;
  const { records } = readNewest({ directory: state, session: sessionId, limit: MAX_RECORDS });
  const lines = records.toReversed().map((record) => JSON.stringify(record) + "\n");
  Deno.writeTextFileSync(`${copies}/journal.jsonl`, lines.join(""), { mode: 0o600 });
  const ids = records.map(({ output_id }) => output_id).filter((id) => id !== null);
  for (const id of namedOutputs(readers, ids)) {
    copyOutput(`${state}/${OUTPUTS}/${id}`, `${copies}/${OUTPUTS}/${id}`);
  }
}

function copyOutput(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true, mode: 0o700 });
  try {
    for (const { name, isFile } of Deno.readDirSync(from)) {
      if (isFile) Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
    }
  } catch (error) {
    // Pruned meanwhile: the reader says that it is gone.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
