/** Prints the events of a session: output to its own stream, the block where it was asked for. */
import { UsageError } from "../errors.ts";
import { type JobReport, renderJobReport, renderJobReportJson } from "../feedback/job_report.ts";
import { renderJson, renderText } from "../feedback/render.ts";
import type { Block } from "../feedback/block.ts";
import { shortText } from "../record/visible_text.ts";
import { syscall } from "../sandbox/linux/ffi.ts";
import { status } from "../sandbox/linux/files.ts";
import { F_GETFL, OPEN } from "../sandbox/linux/uapi.ts";
import type { StreamName } from "../output/summary.ts";
import type { SessionEvent } from "../session/events.ts";
import { OutputQueue, type PieceOptions } from "./output_queue.ts";

/** Characters of a message that stands for a block. */
const MAX_MESSAGE = 500;

/** The bits of the access mode, `asm-generic/fcntl.h`. */
const O_ACCMODE = 3;

/** Where and how to print. */
export interface PrinterOptions {
  /** Descriptor of the block, null for none. */
  readonly blockFd: number | null;
  readonly format: "text" | "json";
  readonly nonce: string;
  readonly color: boolean;
  /** Descriptors of the two streams; those of the process when absent. */
  readonly descriptors?: Readonly<Record<StreamName, number>>;
}

const STANDARD = { stdout: 1, stderr: 2 };
const LINE_FEED = 0x0a;

const encoder = new TextEncoder();

/**
 * The descriptor that a destination means.
 *
 * @param inherited descriptors that were given to the process: the runtime has others of its own.
 * @throws {UsageError} when it is none of `stdout`, `stderr`, `fd:N`, `off`, or a descriptor that was not given to write.
 */
export function blockDescriptor(
  destination: string,
  inherited: ReadonlySet<number>,
): number | null {
  if (destination === "off") return null;
  if (destination === "stdout") return 1;
  if (destination === "stderr") return 2;
  const fd = destination.match(/^fd:(\d{1,5})$/)?.[1];
  if (fd === undefined) {
    throw new UsageError(
      `Cannot print the block to "${destination}": stdout, stderr, fd:N and off are accepted`,
    );
  }
  const number = Number(fd);
  if ((number <= 2 || inherited.has(number)) && isWritable(number)) return number;
  throw new UsageError(`Cannot print the block to "${destination}": it is not open for writing`);
}

function isWritable(fd: number): boolean {
  const flags = syscall("fcntl", fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) !== OPEN.RDONLY;
}

/**
 * What must be said on standard error where no block says it: that the command has no exit status of its own, and why.
 * Empty when it has one.
 */
function missingEnd(block: Block): string {
  if (block.exit_code !== null) return "";
  const [denial] = block.denials;
  const what = denial ? `: ${denial.permission} ${denial.resource}` : "";
  const rule = denial?.rule ? ` (${denial.rule})` : "";
  return `debrief: ${shortText(`${block.error ?? block.reason}${what}${rule}`, MAX_MESSAGE)}\n`;
}

/** True when two descriptors lead to the same terminal, pipe or file (`2>&1`). */
function isSameFile(a: number, b: number): boolean {
  if (a === b) return true;
  const [first, second] = [a, b].map((fd) => status(`/proc/self/fd/${fd}`, { follow: true }));
  return !!first && !!second && first.device === second.device && first.inode === second.inode;
}

/** Streams of the process that do not lead to where the block goes. */
export function streamsWithoutBlock(blockFd: number | null): readonly StreamName[] {
  return (["stdout", "stderr"] as const).filter((stream) =>
    blockFd === null || !isSameFile(STANDARD[stream], blockFd)
  );
}

/** Prints events in order. A reader that goes away is reported once; what comes later for it is dropped. */
export class Printer {
  /** What was printed and is not written yet. */
  readonly queue: OutputQueue;
  readonly #options: PrinterOptions;
  readonly #descriptors: Readonly<Record<StreamName, number>>;
  /** True while the descriptor stands at the start of a line. */
  readonly #fresh = new Map<number, boolean>();

  constructor(options: PrinterOptions) {
    this.#options = options;
    this.#descriptors = options.descriptors ?? STANDARD;
    this.queue = new OutputQueue({ notices: this.#descriptors.stderr });
  }

  /**
   * Print one event: what has to wait for a reader is written by the queue, whose `failure` says when that is not
   * possible. A block that nobody reads is no error: its command has ended, and the record says the same.
   *
   * @param options.named the block says whose it is, whatever it says: other commands run as well.
   * @throws {ClosedPipe} when output arrives that nobody reads any more.
   * @throws {SystemCallError} when output cannot be written for another reason.
   */
  print(event: SessionEvent, { named = false }: { readonly named?: boolean } = {}): void {
    // As SIGPIPE would: nothing more is said, not even in a block.
    if (this.queue.failure.aborted) return;
    if (event.kind === "started") this.queue.resume();
    if (event.kind === "arrived") this.queue.checkReader(this.#descriptors[event.stream]);
    if (event.kind === "output") this.#write(this.#descriptors[event.stream], event.text);
    if (event.kind === "bytes") this.#pass(this.#descriptors[event.stream], event.bytes);
    if (event.kind !== "finished") return;
    // Whoever set a limit, or sent a signal, waits for the end.
    if (event.record.exit_code === null && event.record.argv.length > 0) this.queue.hurry();
    this.#printBlock(event, named);
  }

  /** Print what is said of jobs, where a block would be. */
  report(report: JobReport): void {
    const { blockFd, format, nonce } = this.#options;
    if (blockFd === null || this.queue.failure.aborted) return;
    const render = format === "json" ? renderJobReportJson : renderJobReport;
    this.#write(blockFd, this.#separated(blockFd, render(report, nonce)), { optional: true });
  }

  #printBlock({ block }: Extract<SessionEvent, { kind: "finished" }>, named: boolean): void {
    const { blockFd, format, nonce, color } = this.#options;
    if (blockFd === null) {
      this.#write(this.#descriptors.stderr, missingEnd(block), { optional: true });
      return;
    }
    const text = format === "json"
      ? renderJson(block, { nonce })
      : renderText(block, { nonce, color, named });
    this.#write(blockFd, this.#separated(blockFd, text), { optional: true });
  }

  /** A block must begin a line: what stands before it may lack its newline. */
  #separated(blockFd: number, text: string): string {
    const unfinished = [...this.#fresh].some(([fd, fresh]) => !fresh && isSameFile(fd, blockFd));
    return unfinished ? "\n" + text : text;
  }

  #write(fd: number, text: string, options: PieceOptions = {}): void {
    this.#pass(fd, encoder.encode(text), options);
  }

  #pass(fd: number, bytes: Uint8Array, options: PieceOptions = {}): void {
    if (bytes.length === 0) return;
    this.#fresh.set(fd, bytes.at(-1) === LINE_FEED);
    this.queue.push(fd, bytes, options);
  }
}
