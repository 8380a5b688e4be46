/** The MCP server: tools by name, arguments checked, errors as results that a model can read. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { reasonOf, UsageError } from "../../errors.ts";
import { visibleText } from "../../record/visible_text.ts";
import type { OutputPage } from "../../protocol/results.ts";
import type { OutputFlow } from "../../sandbox/output_flow.ts";
import { VERSION } from "../version.ts";
import type { CommandService } from "./command_service.ts";
import { ARGUMENTS, type ToolName, toolsUnder } from "./mcp_tools.ts";
import { readOrder } from "./read_order.ts";
import { listJobs } from "./list_jobs.ts";
import { blockText, callRun, jobsText } from "./run_call.ts";

const INSTRUCTIONS =
  "Debrief runs commands in a jail that a policy describes, redacts secrets and records everything. " +
  "Use run in place of any other shell. Each result ends with a block; when something was refused, it names the rule and what is allowed instead.";

/** Calls that are carried out at once. */
const MAX_CALLS = 64;

/** What `tools/call` gives. */
interface CallResult {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What the server stands on. */
export interface McpOptions {
  readonly service: CommandService;
  /** Takes the answers on. */
  readonly flow: OutputFlow;
  /** Aborted when no answer is wanted any more. */
  readonly ended: AbortSignal;
}

/** Calls of one client. */
export class McpCalls {
  readonly #options: McpOptions;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** A server for a connection, or for a client's first look at one. */
  server(): Server {
    const info = { name: "debrief", title: "Debrief", version: VERSION };
    const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    const { jail: { plan }, private: { tmp } } = this.#options.service.session.context;
    const tools = [...toolsUnder(plan, { temporary: tmp })];
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", ({ params }, context) => {
      const call = this.#call({ name: params.name, given: params.arguments ?? {} }, context);
      this.#running.add(call);
      return call.finally(() => this.#running.delete(call));
    });
    return server;
  }

  /** Settles when all calls have come to their end. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #call(
    { name, given }: { readonly name: string; readonly given: unknown },
    context: ServerContext,
  ): Promise<CallResult> {
    if (!isTool(name)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${this.#clean(name).slice(0, 80)}`,
      );
    }
    try {
      if (this.#running.size >= MAX_CALLS) {
        throw new UsageError(`Cannot call ${name}: ${MAX_CALLS} calls are running`);
      }
      return await this.#carryOut(name, { given, context });
    } catch (error) {
      return { content: [content(this.#clean(reasonOf(error)))], isError: true };
    }
  }

  #clean(text: string): string {
    return visibleText(this.#options.service.session.context.redactor.redactText(text));
  }

  async #carryOut(
    name: ToolName,
    { given, context }: { readonly given: unknown; readonly context: ServerContext },
  ): Promise<CallResult> {
    const { service, flow, ended } = this.#options;
    const read = <N extends ToolName>(tool: N) =>
      readOrder(ARGUMENTS[tool], { value: given, what: `call ${tool}` });
    switch (name) {
      case "run": {
        const signal = AbortSignal.any([context.mcpReq.signal, ended]);
        const report = reporterOf(context);
        const { data, text, failed } = await callRun(service, {
          order: read("run"),
          signal,
          flow,
          report,
        });
        return {
          content: [content(text)],
          structuredContent: { ...data },
          ...(failed ? { isError: true } : {}),
        };
      }
      case "output": {
        const { id, ...order } = read("output");
        const page = service.output(id, order);
        return { content: [content(pageText(page))], structuredContent: { ...page } };
      }
      case "jobs": {
        const order = read("jobs");
        const list = await listJobs(service, { order, signal: context.mcpReq.signal });
        const { jobs, block } = list;
        const text = block === null
          ? jobsText(service, jobs, `${jobs.length} commands run or ended lately`)
          : blockText(service, block);
        return { content: [content(text)], structuredContent: { ...list } };
      }
      case "send": {
        const { id, text, end } = read("send");
        return asJson(await service.send(id, { input: text, end }));
      }
      case "kill": {
        const { id, signal } = read("kill");
        const killed = await service.kill(id, signal);
        const { job, block } = killed;
        const text = block === null ? `sent to ${job.id}\n` : blockText(service, block);
        return { content: [content(text)], structuredContent: { ...killed } };
      }
      case "status":
        read("status");
        return asJson(await service.status());
      case "aims":
        return asJson(await service.aim(read("aims")));
    }
  }
}

function isTool(name: string): name is ToolName {
  return Object.hasOwn(ARGUMENTS, name);
}

function content(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

function asJson(data: object): CallResult {
  return { content: [content(JSON.stringify(data))], structuredContent: { ...data } };
}

/** Numbered, so that no line of an output can begin as a block does. */
function pageText({ lines, next }: OutputPage): string {
  const shown = lines.map(({ stream, line, text, kind }) => {
    const from = stream === "stderr" ? "stderr " : "";
    return kind === "gap"
      ? `${from}${text}`
      : `${from}${line}${kind === "context" ? "-" : ":"}${text}`;
  });
  if (lines.length === 0) shown.push("no such lines");
  if (next !== null) shown.push(`more follows: stream ${next.stream}, from ${next.line}`);
  return shown.join("\n");
}

function reporterOf({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (params: { readonly progress: number; readonly message: string }) =>
    void mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, ...params },
    }).catch(() => {});
}
