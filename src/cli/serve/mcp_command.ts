/** `debrief mcp`: an MCP server on standard input and output. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { EXIT } from "../../exit_codes.ts";
import type { CommandLine } from "../command_line.ts";
import { closeSession } from "../open_session.ts";
import { OutputQueue } from "../output_queue.ts";
import { CommandService } from "./command_service.ts";
import { McpCalls } from "./mcp_server.ts";
import { McpTransport } from "./mcp_transport.ts";
import { openServed } from "./open_served.ts";

/** Serve until the client goes away or a signal comes. @throws {UsageError} when no session can be opened. */
export async function runMcpCommand(line: CommandLine): Promise<number> {
  const { session, ended } = openServed(line);
  const queue = new OutputQueue();
  const gone = new AbortController();
  try {
    const service = new CommandService(session);
    const calls = new McpCalls({
      service,
      flow: queue,
      ended: AbortSignal.any([gone.signal, ended]),
    });
    const transport = new McpTransport(queue);
    const handle = serveStdio(() => calls.server(), { transport });
    const asked = new Promise<void>((resolve) =>
      ended.addEventListener("abort", () => resolve(), { once: true })
    );
    await Promise.race([transport.gone, asked]);
    gone.abort();
    await calls.finish();
    await handle.close();
    queue.hurry();
    await queue.flush().catch(() => {});
  } finally {
    await closeSession(session);
  }
  return ended.aborted ? EXIT.signalBase + Number(ended.reason) : EXIT.ok;
}
