/** Carries out what a session is asked for about its jobs, and prints what came of it. */
import { UsageError } from "../errors.ts";
import { buildJobReport, type JobReport } from "../feedback/job_report.ts";
import { signalNumber } from "../sandbox/signals.ts";
import type { CommandText } from "../session/decide.ts";
import type { Job } from "../session/job.ts";
import { ShownOutput } from "../session/shown_output.ts";
import { EXIT } from "../exit_codes.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import type { JobEvents } from "./job_events.ts";
import { choiceOf, streamsOf } from "./output_command.ts";
import { type FrontEnd, timeoutOf } from "./open_session.ts";
import { type SessionCommand, sessionCommand } from "./session_command.ts";
import { counted } from "../output/counted.ts";

/** Characters of a signal or id in a message. */
const MAX_WORD = 40;

const encoder = new TextEncoder();

/** What a command of the session says, and its status. */
interface Answer {
  readonly status: number;
  /** Null where a block says it. */
  readonly report: JobReport | null;
}

/** The jobs of one front end. */
export class JobCommands {
  readonly #frontEnd: FrontEnd;
  readonly #onEvent: JobEvents["take"];

  /** @param onEvent hears of all events of jobs. */
  constructor(frontEnd: FrontEnd, onEvent: JobEvents["take"]) {
    this.#frontEnd = frontEnd;
    this.#onEvent = onEvent;
  }

  /**
   * Carry out a line that is for the session itself.
   *
   * @returns its exit status; null when it is for the jail.
   */
  async run(source: string): Promise<number | null> {
    const { session, printer } = this.#frontEnd;
    try {
      const command = sessionCommand(source, (id) => session.jobs.find(id) !== null);
      if (command === null) return null;
      const { status, report } = await this.#answer(command);
      if (report !== null) printer.report(report);
      return status;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const message = session.context.redactor.redactText(error.message);
      printer.report(buildJobReport([], { message, level: "error" }));
      return EXIT.usage;
    }
  }

  #answer(command: SessionCommand): Promise<Answer> | Answer {
    switch (command.kind) {
      case "jobs":
        return this.#list(command.line);
      case "start":
        return this.#start(command.line);
      case "send":
        return this.#send(command.line);
      case "kill":
        return this.#kill(command.line);
      case "output":
        return this.#print(command.line);
    }
  }

  #list(line: CommandLine): Answer {
    noOperands(line);
    const { jobs } = this.#frontEnd.session;
    const views = jobs.all.map(({ view }) => view);
    if (line.switches.has("json")) this.#show(views.map((view) => JSON.stringify(view)));
    const running = jobs.running.length;
    const message = `${counted(views.length, "job")}, ${running} running`;
    return { status: 0, report: buildJobReport(views, { message }) };
  }

  async #start(line: CommandLine): Promise<Answer> {
    const text: CommandText = line.source === null
      ? { kind: "argv", argv: line.exact ?? [] }
      : { kind: "script", source: line.source, parameters: line.operands };
    const { session } = this.#frontEnd;
    let started: Job | null = null;
    const job = started = await session.start({
      text,
      note: line.values.get("note") ?? null,
      parent: line.values.get("parent") ?? null,
      timeoutMs: timeoutOf(line),
    }, (event) => this.#onEvent(event, started?.view ?? null));
    // What could not be started, or was over at once, has its block.
    if (job.end !== null) return { status: job.end.exitStatus, report: null };
    const message = `started in the background, ${job.id}`;
    return { status: 0, report: buildJobReport([job.view], { message }) };
  }

  async #send(line: CommandLine): Promise<Answer> {
    const [, ...words] = line.operands;
    const job = this.#job(line);
    const ends = line.switches.has("end");
    if (words.length === 0 && !ends) {
      throw new UsageError("Cannot send nothing: TEXT or --end is needed");
    }
    const taken = words.length === 0 || await job.send(encoder.encode(`${words.join(" ")}\n`));
    if (ends) job.endInput();
    const message = taken ? `sent to ${job.id}` : `${job.id} ended before it took all of it`;
    const level = taken ? "success" : "warning";
    return { status: 0, report: buildJobReport([job.view], { message, level }) };
  }

  async #kill(line: CommandLine): Promise<Answer> {
    const [, name = "TERM", surplus] = line.operands;
    const job = this.#job(line);
    if (surplus !== undefined) {
      throw new UsageError(`Cannot use "${surplus}": one signal is accepted`);
    }
    const signal = signalNumber(name);
    if (signal === null) {
      throw new UsageError(
        `Cannot send the signal "${
          name.slice(0, MAX_WORD)
        }": a name such as HUP, or a number is accepted`,
      );
    }
    if (!job.isRunning) throw new UsageError(`Cannot send a signal to "${job.id}": it has ended`);
    job.kill(signal);
    if (job.signal.aborted) {
      await job.ended;
      return { status: 0, report: null };
    }
    const message = `sent ${name.slice(0, MAX_WORD)} to ${job.id}`;
    return { status: 0, report: buildJobReport([job.view], { message }) };
  }

  async #print(line: CommandLine): Promise<Answer> {
    const job = this.#job(line);
    const choice = await choiceOf(line);
    const json = line.switches.has("json");
    const { maxChars } = this.#frontEnd.session.context.policy.output;
    const lines: string[] = [];
    let room = maxChars;
    let left = 0;
    for (const stream of streamsOf(line)) {
      for (const one of job.output({ ...choice, stream })) {
        const text = json ? JSON.stringify({ stream, line: one.number, text: one.text }) : one.text;
        room -= text.length + 1;
        if (room >= 0) lines.push(text);
        else left++;
      }
    }
    this.#show(lines);
    const message = `output of ${job.id} so far` +
      (left === 0
        ? ""
        : `, without its last ${left} lines: --tail, --lines and --grep choose others`);
    const level = left === 0 ? "success" : "warning";
    return { status: 0, report: buildJobReport([job.view], { message, level }) };
  }

  /** The job that the first word names. @throws {UsageError} when there is none. */
  #job(line: CommandLine): Job {
    const [id] = line.operands;
    const { jobs } = this.#frontEnd.session;
    if (id === undefined) throw new UsageError("Cannot choose a job: its id is needed");
    const job = jobs.find(id);
    if (job !== null) return job;
    const known = jobs.running.map((one) => one.id).join(", ");
    const there = known === "" ? "none runs" : `running are ${known}`;
    throw new UsageError(`Cannot find the job "${id.slice(0, MAX_WORD)}": ${there}`);
  }

  /** Print lines as a command's output is printed. */
  #show(lines: readonly string[]): void {
    const { session, printer } = this.#frontEnd;
    const shown = new ShownOutput((event) => printer.print(event), session.context.nonce);
    for (const line of lines) shown.show({ stream: "stdout", text: `${line}\n` });
    shown.finish();
  }
}
