/**
 * A descriptor that can be read when another one can, unless it is shut. Whoever waits on the other one by a thread of
 * its own is left asleep while this thread serves it: every wake-up of that thread costs as much as a served call.
 */
import { close, epollControl, type Result, syscall } from "./ffi.ts";
import { EPOLL } from "./uapi.ts";

/** Stands before one descriptor; open at first. */
export class Gate implements Disposable {
  readonly #target: number;
  readonly #epoll: Result;
  /** struct epoll_event { u32 events; u64 data }, packed on x86_64 alone: the events come first on both. */
  readonly #event = new Uint32Array(4);

  /** @param target a descriptor that can be polled; it stays the caller's to close. */
  constructor(target: number) {
    this.#target = target;
    this.#epoll = syscall("epoll_create1", EPOLL.CLOEXEC);
    if (this.#epoll >= 0 && this.#control(EPOLL.CTL_ADD, EPOLL.IN) < 0) {
      close(this.#epoll);
      this.#epoll = -1;
    }
  }

  /** What to wait on: the descriptor itself where the process has none left for a gate. */
  get fd(): number {
    return this.#epoll < 0 ? this.#target : this.#epoll;
  }

  /** Let nobody see that it can be read; its hang-up is seen all the same (epoll_ctl(2)). */
  shut(): void {
    this.#control(EPOLL.CTL_MOD, 0);
  }

  /** Let it be seen again. */
  open(): void {
    this.#control(EPOLL.CTL_MOD, EPOLL.IN);
  }

  [Symbol.dispose](): void {
    if (this.#epoll >= 0) close(this.#epoll);
  }

  #control(operation: number, events: number): Result {
    if (this.#epoll < 0) return 0;
    this.#event[0] = events;
    return epollControl(this.#epoll, { operation, target: this.#target, event: this.#event });
  }
}
