/** The jail of a session: compiled from the policy, started early, replaced when the files it grants were replaced. */
import { isCurrent } from "../sandbox/grants.ts";
import { Jail } from "../sandbox/jail.ts";
import { close, open } from "../sandbox/linux/ffi.ts";
import { OPEN } from "../sandbox/linux/uapi.ts";
import { exited } from "../sandbox/supervise.ts";
import { type Plan, type PlanContext, planJail } from "../sandbox/plan.ts";
import type { Policy } from "../policy/policy.ts";

/** What the session's jail is made from. */
export interface SessionJailOptions extends PlanContext {
  readonly policy: Policy;
  /** A file that no plan grants; the probe must fail to open it. */
  readonly forbidden: string;
}

/** Holds one jail at a time. */
export class SessionJail {
  readonly #options: SessionJailOptions;
  #plan: Plan;
  #jail: Promise<Jail> | null = null;

  constructor(options: SessionJailOptions) {
    this.#options = options;
    this.#plan = planJail(options.policy, options);
  }

  /** The plan in force. */
  get plan(): Plan {
    return this.#plan;
  }

  /** Start the worker without waiting for it; a failure is reported by `current`. */
  prepare(): void {
    this.#jail ??= this.#start();
    this.#jail.catch(() => {});
  }

  /**
   * The jail for the next command.
   *
   * @throws {JailError} when the restriction could not be applied or proven.
   */
  async current(): Promise<Jail> {
    if (this.#jail !== null && !isCurrent(this.#plan.watched)) {
      const outdated = this.#jail;
      this.#plan = planJail(this.#options.policy, this.#options);
      this.#jail = this.#start();
      (await outdated).close();
    }
    this.#jail ??= this.#start();
    return await this.#jail;
  }

  /** Delete a tree from inside the jail; what cannot be deleted stays. */
  async remove(path: string, environment: Readonly<Record<string, string>>): Promise<void> {
    const jail = await this.current();
    const fds = [0, 1, 2].map(() => open("/dev/null", OPEN.RDWR));
    const order = {
      argv: ["/bin/rm", "-rf", "--", path],
      searchPath: "",
      env: environment,
      cwd: "/",
      fds,
    };
    const reply = await jail.spawn(order);
    if (reply.kind === "spawned") await exited(reply.pid);
    fds.forEach(close);
  }

  /** End the worker. */
  async close(): Promise<void> {
    const jail = this.#jail;
    this.#jail = null;
    if (jail) (await jail.catch(() => null))?.close();
  }

  #start(): Promise<Jail> {
    const { landlockAbi, net, grants } = this.#plan;
    return Jail.start({
      landlockAbi,
      net,
      grants,
      shellPid: Deno.pid,
      forbidden: this.#options.forbidden,
    });
  }
}
