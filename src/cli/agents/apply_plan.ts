/** Carrying out an installation: the only place that writes it. */
import { dirname } from "node:path/posix";
import type { Link } from "./agent_changes.ts";
import { type ConfigFiles, removeFile } from "./config_file.ts";
import { type LedgerEntry, writeLedger } from "./install_ledger.ts";
import type { InstallPlan } from "./install_plan.ts";

function targetOf(path: string): string | null {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return null;
  }
}

/** True when a link is there and leads where it should. */
export function isLinked({ path, target }: Link): boolean {
  return targetOf(path) === target;
}

function makeLink(link: Link): void {
  if (isLinked(link)) return;
  Deno.mkdirSync(dirname(link.path), { recursive: true, mode: 0o700 });
  if (targetOf(link.path) !== null) removeFile(link.path);
  Deno.symlinkSync(link.target, link.path);
}

function removeLink(link: Link): void {
  if (isLinked(link)) removeFile(link.path);
}

/** True when carrying out would change nothing. */
export function isDone({ files, links, removedLinks }: InstallPlan): boolean {
  return files.every(({ now, text }) => now === text) && links.every(isLinked) &&
    !removedLinks.some(isLinked);
}

/**
 * Carry out a plan. What is known of it is kept first, so that an installation that was cut off in the middle can be taken
 * back too.
 */
export function applyPlan(
  plan: InstallPlan,
  { ledger, files }: { readonly ledger: string; readonly files: ConfigFiles },
): void {
  const entry: LedgerEntry | null = plan.entry;
  if (entry !== null) writeLedger(ledger, entry);
  plan.links.forEach(makeLink);
  for (const { path, now, text } of plan.files) {
    if (text !== now) files.replace(path, { now, text });
  }
  plan.removedLinks.forEach(removeLink);
  if (entry === null) removeFile(ledger);
}
