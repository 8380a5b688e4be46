/** `debrief stdio`: JSON lines on standard input and output. */
import { EXIT } from "../../exit_codes.ts";
import type { CommandLine } from "../command_line.ts";
import { closeSession } from "../open_session.ts";
import { OutputQueue } from "../output_queue.ts";
import { standardInputBytes } from "../standard_input.ts";
import { whenReaderLeaves } from "../terminal.ts";
import { CommandService } from "./command_service.ts";
import { inputLines } from "./input_lines.ts";
import { openServed } from "./open_served.ts";
import { StdioServer } from "./stdio_server.ts";

const STDOUT = 1;
const SIGPIPE = 13;

/**
 * Serve until the input ends and the commands that are waited for have ended, or nobody reads the answers any more, or a
 * signal comes. @throws {UsageError} when no session can be opened.
 */
export async function runStdioCommand(line: CommandLine): Promise<number> {
  const { session, ended } = openServed(line);
  const queue = new OutputQueue();
  const gone = new AbortController();
  const leave = () => gone.abort();
  queue.failure.addEventListener("abort", leave, { once: true });
  void whenReaderLeaves(STDOUT).then(leave);
  const stopped = AbortSignal.any([gone.signal, ended]);
  try {
    const server = new StdioServer({ service: new CommandService(session), queue, ended: stopped });
    await server.hello();
    for await (const input of inputLines(standardInputBytes(stopped))) {
      // Who asks and does not read waits for its own answers.
      await queue.ready();
      if (stopped.aborted) break;
      server.receive(input);
    }
    await server.finish();
  } finally {
    // What ran in the background ends here, and is still reported.
    await closeSession(session);
  }
  if (stopped.aborted) queue.hurry();
  await queue.flush(stopped).catch(() => {});
  if (ended.aborted) return EXIT.signalBase + Number(ended.reason);
  return gone.signal.aborted ? EXIT.signalBase + SIGPIPE : EXIT.ok;
}
