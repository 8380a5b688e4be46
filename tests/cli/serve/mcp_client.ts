/** The official MCP client, connected to `debrief mcp`. */
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { startDebrief } from "../run_debrief.ts";
import { TestPlace } from "../../session/test_session.ts";
import { ChildTransport } from "./child_transport.ts";

/** How the server is started, and which revision of the protocol the client speaks. */
export interface McpOptions {
  readonly place?: TestPlace;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly revision?: "2025" | "2026";
}

/** What a tool gave. */
export interface ToolResult {
  readonly text: string;
  // deno-lint-ignore no-explicit-any
  readonly data: any;
  readonly isError: boolean;
}

/** The parts of a call that tests vary. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

/** A server with one client. */
export class McpConnection {
  readonly client: Client;
  readonly place: TestPlace;
  readonly transport: ChildTransport;
  readonly #owned: boolean;

  private constructor(options: McpOptions) {
    this.#owned = options.place === undefined;
    this.place = options.place ?? new TestPlace();
    const { env } = options;
    const child = startDebrief(["mcp", ...options.args ?? []], {
      place: this.place,
      ...(env === undefined ? {} : { env }),
    });
    this.transport = new ChildTransport(child);
    this.client = new Client({ name: "test", version: "1" }, {
      versionNegotiation: { mode: options.revision === "2026" ? { pin: "2026-07-28" } : "legacy" },
    });
  }

  /** Start the server and shake hands. */
  static async open(options: McpOptions = {}): Promise<McpConnection> {
    const connection = new McpConnection(options);
    try {
      await connection.client.connect(connection.transport);
      // The client checks results against the schemas that it has listed.
      await connection.client.listTools();
      return connection;
    } catch (error) {
      await connection[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Call a tool. */
  async call(name: string, given: object = {}, options: CallOptions = {}): Promise<ToolResult> {
    const request = { name, arguments: { ...given } };
    const timeout = 60_000;
    const result: CallToolResult = await this.client.callTool(request, { timeout, ...options });
    const [content] = result.content;
    if (content?.type !== "text") throw new TypeError("no text came");
    return {
      text: content.text,
      data: result.structuredContent,
      isError: result.isError === true,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close().catch(() => {});
    if (this.#owned) this.place[Symbol.dispose]();
  }
}
