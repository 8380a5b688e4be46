/** Sessions inside the test process: hundreds of commands without a start of the program for each. */
import { CommandReader } from "../../src/cli/command_reader.ts";
import { readLines } from "../../src/cli/standard_input.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { Session } from "../../src/session/session.ts";
import type { SessionContext } from "../../src/session/session_context.ts";
import type { ShellState } from "../../src/session/shell_state.ts";
import { close, open, prctl } from "../../src/sandbox/linux/ffi.ts";
import { OPEN, PR } from "../../src/sandbox/linux/uapi.ts";
import type { ReplayPlace } from "./replay_place.ts";
import type { Result } from "./replay_table.ts";

type Finished = Extract<SessionEvent, { kind: "finished" }>;

/** One command for `run`. */
export interface Command {
  readonly script: string;
  /** Words that become `$0`, `$1`, ... */
  readonly args: readonly string[];
  /** A file that becomes standard input. */
  readonly stdin: string;
}

/** A session that shows everything. */
export class ReplaySession {
  readonly #session: Session;
  readonly #start: ShellState;

  constructor(place: ReplayPlace, options: { readonly keepsState: boolean }) {
    // As the program itself does first: what a command leaves running is found and ended.
    prctl(PR.SET_CHILD_SUBREAPER, 1);
    this.#session = Session.open({
      environment: place.environment,
      cwd: place.cwd,
      policy: null,
      trustPolicy: false,
      journal: null,
      workspace: null,
      timeoutMs: 30_000,
      task: null,
      passThrough: true,
      ansi: false,
      keepsState: options.keepsState,
    });
    this.#start = this.#session.context.state;
  }

  /** The environment that commands begin with. */
  get environment(): Readonly<Record<string, string>> {
    return this.#start.environment;
  }

  /** Run one command. */
  async run(command: Command): Promise<Result> {
    const shown = { stdout: "", stderr: "" };
    const finished = await this.#run(command, shown);
    return { ...shown, code: finished.exitStatus };
  }

  /**
   * Run the commands of a text until it or the session ends, as `debrief` does with its standard input. Each text
   * begins with the state that the session began with.
   */
  async feed(text: string): Promise<Result> {
    const context: SessionContext = this.#session.context;
    context.state = this.#start;
    const shown = { stdout: "", stderr: "" };
    let code = 0;
    const step = async (script: string): Promise<boolean> => {
      const finished = await this.#run({ script, args: [], stdin: "/dev/null" }, shown);
      code = finished.exitStatus;
      return finished.endsSession || finished.record.outcome.kind === "syntax-error";
    };
    const reader = new CommandReader();
    for await (const line of readLines(ReadableStream.from([text]))) {
      const reading = reader.push(line);
      if (reading.kind === "command" && await step(reading.source)) return { ...shown, code };
    }
    const rest = reader.finish();
    if (rest !== null) await step(rest);
    return { ...shown, code };
  }

  async #run(command: Command, shown: { stdout: string; stderr: string }): Promise<Finished> {
    const { script, args, stdin } = command;
    const text = { kind: "script" as const, source: script, parameters: args };
    const found: Finished[] = [];
    const fd = open(stdin, OPEN.RDONLY);
    try {
      await this.#session.run({ text, stdin: fd }, (event) => {
        if (event.kind === "output") shown[event.stream] += event.text;
        if (event.kind === "finished") found.push(event);
      });
    } finally {
      close(fd);
    }
    const [finished, ...more] = found;
    if (finished === undefined || more.length > 0) {
      throw new Error(`${found.length} ends of a command`);
    }
    return finished;
  }

  /** End the session. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.close();
    prctl(PR.SET_CHILD_SUBREAPER, 0);
  }
}
