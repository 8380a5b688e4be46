/** What of a policy was not enforced in a run, in words. */
import type { UnchainedRecord } from "../record/journal.ts";

/** Mode of seccomp with a filter (proc_pid_status(5), Seccomp; SECCOMP_MODE_FILTER in linux/seccomp.h). */
const SECCOMP_FILTER = 2;

/**
 * Says what was not in force, null when everything was. Judged by what was read back from the command's own
 * process, not by what was asked for; always shown, since a silent gap looks like protection.
 */
export function enforcementGap(record: Pick<UnchainedRecord, "sandbox" | "argv">): string | null {
  const { backend, enforced, proof } = record.sandbox;
  if (backend === "none") return "none, nothing is enforced";
  const gaps: string[] = [];
  const unsupported = Object.entries(enforced).filter(([, label]) => label === "unsupported").map((
    [name],
  ) => name);
  if (unsupported.length > 0) gaps.push(`not enforced: ${unsupported.slice(0, 8).join(", ")}`);
  if (proof === null) {
    if (record.argv.length > 0) gaps.push("not verified in this run");
    return gaps.length === 0 ? null : gaps.join("; ");
  }
  if (proof.noNewPrivs !== 1) gaps.push(`NoNewPrivs is ${proof.noNewPrivs}`);
  if (proof.seccomp !== SECCOMP_FILTER) gaps.push(`Seccomp is ${proof.seccomp}`);
  if (!/^0+$/.test(proof.capEff)) gaps.push(`CapEff is ${proof.capEff}`);
  return gaps.length === 0 ? null : gaps.join("; ");
}
