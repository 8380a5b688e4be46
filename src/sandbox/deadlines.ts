/**
 * When a command must end, and its end in two steps: TERM, then KILL for its whole tree. One that is interrupted (the reason
 * of its signal is SIGINT) gets INT first.
 */
import type { LimitWatch, Overrun } from "./limit_watch.ts";
import { type Kept, killTree, terminateTree } from "./process_tree.ts";

const SIGINT = 2;
const SIGTERM = 15;
/** How long an interrupt may take before SIGTERM follows, in ms: what bash starts with `&` ignores it. */
const INTERRUPT_MS = 1000;

/** What ends a command. */
export interface DeadlineOptions {
  /** Wall time in ms, 0 for none. */
  readonly timeoutMs: number;
  /** Time between TERM and KILL in ms. */
  readonly graceMs: number;
  /** Wall time without output in ms; 0 or absent for none. */
  readonly idleMs?: number;
  /** Wall time at a question that nobody answers in ms; 0 or absent for none. */
  readonly inputMs?: number;
  /** Bytes of output on both streams; 0 or absent for no bound. */
  readonly outputBytes?: number;
  /** Looks at what it uses; absent where nothing is bounded. */
  readonly watch?: LimitWatch | null;
  /** Ends the command early: the same way as a timeout does. */
  readonly signal: AbortSignal | null;
  /** Processes of earlier commands, which the end of this one leaves alone. */
  readonly keep: Kept;
  /** Children whose status their own supervisors take; the command itself when absent. */
  readonly awaited?: Kept;
  /** What is spared even when memory or processes run out, which earlier commands' may have used up. */
  readonly spare?: Kept;
  /** True when the process only waits for the command, and its end would take everything with it at once. */
  readonly isMonitored?: boolean;
  /** Kills everything in the jail at once. */
  readonly killAll?: (() => void) | null;
}

/** A bound that ended a command, by its name in the policy. */
export type EndedBy = Overrun | "idle" | "input" | "output";

/** Keeps one command's time and bounds. */
export class Deadlines {
  readonly #pid: number;
  readonly #options: DeadlineOptions;
  readonly #endAt: number;
  #timedOut = false;
  #cancelled = false;
  #endedBy: EndedBy | null = null;
  #killed = false;
  #over = false;
  #killAt = Infinity;
  #termAt = Infinity;
  #lastOutput = performance.now();
  #outputBytes = 0;
  #held = false;
  #askedAt = Infinity;

  /** @param pid the command's process. */
  constructor(pid: number, options: DeadlineOptions) {
    this.#pid = pid;
    this.#options = options;
    this.#endAt = options.timeoutMs > 0 ? performance.now() + options.timeoutMs : Infinity;
  }

  /** True when wall time ended it. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** True when the caller ended it. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** The bound that ended it. */
  get endedBy(): EndedBy | null {
    return this.#endedBy;
  }

  /** True while output is there that nobody takes: its absence says nothing about the command then. */
  set held(held: boolean) {
    if (this.#held !== held) this.#lastOutput = performance.now();
    this.#held = held;
  }

  /** True from the moment on at which the command must end, or would have had to if it had not ended by itself. */
  get isLate(): boolean {
    const cancelled = this.#options.signal?.aborted ?? false;
    return this.#terminating || cancelled || performance.now() >= this.#endAt;
  }

  /** Milliseconds until something is due, at most 60,000, rounded up. */
  wait(): number {
    return Math.max(0, Math.min(60_000, Math.ceil(this.#due() - performance.now())));
  }

  /** Output has arrived. */
  output(bytes: number): void {
    this.#lastOutput = performance.now();
    this.#outputBytes += bytes;
  }

  /** True when it has written more than it may. */
  get isFull(): boolean {
    const { outputBytes = 0 } = this.#options;
    return outputBytes > 0 && this.#outputBytes > outputBytes;
  }

  /** True while the command waits at a question. */
  set asks(asks: boolean) {
    if (asks !== (this.#askedAt < Infinity)) this.#askedAt = asks ? performance.now() : Infinity;
  }

  /** The command has ended: from now on it can neither be late nor be cancelled. */
  commandEnded(): void {
    if (!this.#over && !this.#terminating) this.#endedBy = this.#options.watch?.refused() ?? null;
    this.#over = true;
  }

  /** Act on what is due. */
  check(): void {
    const now = performance.now();
    if (!this.#terminating) {
      if (this.#over) return;
      this.#cancelled = this.#options.signal?.aborted ?? false;
      this.#timedOut = !this.#cancelled && now >= this.#endAt;
      if (!this.#terminating) this.#endedBy = this.#exceeded(now);
      if (!this.#terminating) return;
      // What would go on growing while it is asked to end is not asked.
      if (this.#isGrowing) return this.#kill();
      const isInterrupted = this.#cancelled && this.#options.signal?.reason === SIGINT;
      this.#terminate(isInterrupted ? SIGINT : SIGTERM);
      this.#killAt = now + this.#options.graceMs;
      if (isInterrupted) this.#termAt = now + Math.min(INTERRUPT_MS, this.#options.graceMs / 2);
    }
    if (now >= this.#termAt) this.#terminate(SIGTERM);
    if (now >= this.#killAt && !this.#killed) this.#kill();
  }

  #terminate(signal: number): void {
    this.#termAt = Infinity;
    terminateTree(this.#pid, {
      keep: this.#spared,
      spare: this.#options.isMonitored ? this.#pid : null,
      signal,
    });
  }

  #kill(): void {
    this.#killed = true;
    if (this.#isShared || this.#options.keep.size === (this.#options.spare?.size ?? 0)) {
      this.#options.killAll?.();
    }
    killTree({ keep: this.#spared, unreaped: this.#options.awaited ?? new Set([this.#pid]) });
  }

  #exceeded(now: number): EndedBy | null {
    const { idleMs = 0, watch } = this.#options;
    if (now >= this.#answerAt) return "input";
    if (this.isFull) return "output";
    if (idleMs > 0 && !this.#held && now - this.#lastOutput >= idleMs) return "idle";
    return now >= this.#watchAt ? watch?.look() ?? null : null;
  }

  /** Everything in the session counts for these bounds: who has used them up is not known. */
  get #isShared(): boolean {
    return this.#endedBy === "memory" || this.#endedBy === "processes";
  }

  get #isGrowing(): boolean {
    const by = this.#endedBy;
    return (by === "memory" || by === "processes") && !this.#options.watch?.keeps(by);
  }

  get #spared(): Kept {
    const { keep, spare } = this.#options;
    return this.#isShared && spare ? spare : keep;
  }

  get #answerAt(): number {
    const { inputMs = 0 } = this.#options;
    return inputMs > 0 ? this.#askedAt + inputMs : Infinity;
  }

  get #watchAt(): number {
    return this.#options.watch?.nextAt ?? Infinity;
  }

  #due(): number {
    if (this.#killed) return Infinity;
    if (this.#terminating) return Math.min(this.#killAt, this.#termAt);
    if (this.#over) return this.#held && !this.isLate ? this.#endAt : Infinity;
    const { idleMs = 0 } = this.#options;
    const idleAt = idleMs > 0 && !this.#held ? this.#lastOutput + idleMs : Infinity;
    return Math.min(this.#endAt, idleAt, this.#watchAt, this.#answerAt);
  }

  get #terminating(): boolean {
    return this.#timedOut || this.#cancelled || this.#endedBy !== null;
  }
}
