/** Commands that run and that ended lately, and waiting for one of them. */
import { UsageError } from "../../errors.ts";
import type { JobList } from "../../protocol/results.ts";
import type { JobsOrder } from "../../protocol/orders.ts";
import type { Job } from "../../session/job.ts";
import type { CommandService } from "./command_service.ts";

/** How often a command that is waited for is looked at, in ms: whether it asks is known to nobody but itself. */
const LOOK_MS = 100;

/** List them. @throws {UsageError} for an id that none of them has, and for a wait without an id. */
export async function listJobs(
  service: CommandService,
  { order, signal }: { readonly order: JobsOrder; readonly signal: AbortSignal },
): Promise<JobList> {
  const { id, waitMs } = order;
  if (id === undefined) {
    if (waitMs !== undefined) throw new UsageError("Cannot use waitMs without id");
    return { jobs: service.jobs, block: null };
  }
  const job = service.job(id);
  if (waitMs !== undefined) await waitFor(job, { waitMs, signal });
  return { jobs: [job.view], block: job.end?.block ?? null };
}

/** Settles when a job has ended or asks for something, the time is over, or nobody waits any more. */
async function waitFor(
  job: Job,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const until = performance.now() + waitMs;
  const ended = job.ended.then(() => {}, () => {});
  while (job.isRunning && job.view.waits === null && !signal.aborted) {
    const rest = until - performance.now();
    if (rest <= 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(rest, LOOK_MS));
    });
    await Promise.race([ended, look]);
    clearTimeout(timer);
  }
}
