/** Where a session's commands come from: lines of a pipe, or of a terminal with a prompt. */
import { reasonOf } from "../errors.ts";
import { shortText } from "../record/visible_text.ts";
import type { Session } from "../session/session.ts";
import { CommandReader } from "./command_reader.ts";
import { completeLine } from "./complete_line.ts";
import type { LineEditor } from "./line_editor.ts";
import { LineHistory } from "./line_history.ts";
import { readLines, standardInput } from "./standard_input.ts";
import { writeText } from "./terminal.ts";

const CONTINUATION = "> ";
/** Characters of the directory in a prompt. */
const MAX_PLACE = 40;

/** One command after another. */
export interface CommandSource {
  /** The next one; null at the end. @param status of the one before. */
  next(status: number): Promise<string | null>;
  /** Something will be printed while a command is waited for. */
  hide(): void;
  /** It was printed. */
  show(): void;
  close(): void;
}

/** Commands from a pipe or file. */
export function pipedCommands(end: AbortSignal): CommandSource {
  const lines = readLines(standardInput(end));
  const reader = new CommandReader();
  return {
    next: async () => {
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        const reading = reader.push(line.value);
        if (reading.kind === "command") return reading.source;
      }
      return end.aborted ? null : reader.finish();
    },
    hide: () => {},
    show: () => {},
    close: () => {},
  };
}

/** Commands typed at a prompt. */
export async function typedCommands(session: Session, end: AbortSignal): Promise<CommandSource> {
  // Only a terminal needs it, and it takes time to load.
  const editing = await import("./line_editor.ts");
  const { context } = session;
  const redact = (text: string) => context.redactor.redactText(text);
  const history = guardedHistory(new LineHistory(context.user.state, redact));
  const editor: LineEditor = new editing.LineEditor({
    history: history.read(),
    complete: (line) => completeLine(line, context),
    end,
  });
  const reader = new CommandReader();
  return {
    next: async (status) => {
      for (;;) {
        const entered = await editor.read(
          reader.pending ? CONTINUATION : promptOf(session, status),
        );
        if (entered.kind === "end") {
          if (!end.aborted) writeText(2, "exit\n");
          return end.aborted ? null : reader.finish();
        }
        if (entered.kind === "interrupt") {
          reader.clear();
          continue;
        }
        const source = push(reader, entered.text);
        if (source === null) continue;
        history.add(source);
        return source;
      }
    },
    hide: () => editor.hide(),
    show: () => editor.show(),
    close: () => editor.close(),
  };
}

/** Lines that were pasted together are one command; what its end still needs is asked for. */
function push(reader: CommandReader, text: string): string | null {
  const [first = "", ...more] = text.split("\n");
  const reading = more.length === 0 ? reader.push(first) : reader.pushAll([first, ...more]);
  return reading.kind === "command" ? reading.source : null;
}

/** Without its history a session still works, and says once why there is none. */
function guardedHistory(history: LineHistory): Pick<LineHistory, "read" | "add"> {
  let isUsable = true;
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return isUsable ? work() : otherwise;
    } catch (error) {
      isUsable = false;
      writeText(2, `debrief: no history: ${reasonOf(error)}\n`);
      return otherwise;
    }
  };
  return {
    read: () => guarded(() => history.read(), []),
    add: (command) => guarded(() => history.add(command), undefined),
  };
}

/** Directory, and the last status where it is not 0. */
function promptOf({ context }: Session, status: number): string {
  const { cwd } = context.state;
  const { HOME } = context.variables;
  const place = cwd === HOME || cwd.startsWith(`${HOME}/`) ? `~${cwd.slice(HOME.length)}` : cwd;
  return `debrief ${shortText(place, MAX_PLACE)}${status === 0 ? "" : ` [${status}]`}$ `;
}
