/** Prints the events of a session: output to its own stream, the block where it was asked for. */
import { UsageError } from "../errors.ts";
import { renderJson, renderText } from "../feedback/render.ts";
import type { Block } from "../feedback/block.ts";
import { shortText } from "../record/visible_text.ts";
import { status } from "../sandbox/linux/files.ts";
import type { SessionEvent } from "../session/events.ts";
import { ClosedPipe, writeText } from "./terminal.ts";

/** Characters of a message that stands for a block. */
const MAX_MESSAGE = 500;

/** Where and how to print. */
export interface PrinterOptions {
  /** Descriptor of the block, null for none. */
  readonly blockFd: number | null;
  readonly format: "text" | "json";
  readonly nonce: string;
  readonly color: boolean;
  /** Called once when nobody reads the output any more. */
  readonly onClosed: () => void;
}

/**
 * The descriptor that a destination means.
 *
 * @throws {UsageError} when it is none of `stdout`, `stderr`, `fd:N`, `off`.
 */
export function blockDescriptor(destination: string): number | null {
  if (destination === "off") return null;
  if (destination === "stdout") return 1;
  if (destination === "stderr") return 2;
  const fd = destination.match(/^fd:(\d{1,5})$/)?.[1];
  if (fd === undefined) {
    throw new UsageError(
      `Cannot print the block to "${destination}": stdout, stderr, fd:N and off are accepted`,
    );
  }
  return Number(fd);
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

/** Prints events in order. A reader that goes away is reported once; what comes later is dropped. */
export class Printer {
  readonly #options: PrinterOptions;
  /** True while the descriptor stands at the start of a line. */
  readonly #fresh = new Map<number, boolean>();
  #closed = false;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  /** Print one event. */
  print(event: SessionEvent): void {
    if (event.kind === "output") this.#write(event.stream === "stdout" ? 1 : 2, event.text);
    if (event.kind === "finished") this.#printBlock(event);
  }

  #printBlock({ block }: Extract<SessionEvent, { kind: "finished" }>): void {
    const { blockFd, format, nonce, color } = this.#options;
    if (blockFd === null) {
      this.#write(2, missingEnd(block));
      return;
    }
    // A block must begin a line: what stands before it may lack its newline.
    const unfinished = [...this.#fresh].some(([fd, fresh]) => !fresh && isSameFile(fd, blockFd));
    if (unfinished) this.#write(blockFd, "\n");
    this.#write(
      blockFd,
      format === "json" ? renderJson(block, { nonce }) : renderText(block, { nonce, color }),
    );
  }

  #write(fd: number, text: string): void {
    if (text === "" || this.#closed) return;
    this.#fresh.set(fd, text.endsWith("\n"));
    try {
      writeText(fd, text);
    } catch (error) {
      if (!(error instanceof ClosedPipe)) throw error;
      this.#closed = true;
      this.#options.onClosed();
    }
  }
}
