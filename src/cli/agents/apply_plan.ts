/** Carrying out an installation: the only place that writes it. */
import { dirname } from "node:path/posix";
import type { Link } from "./agent_changes.ts";
import { readText, removeFile, writeWhole } from "./config_file.ts";
import { type LedgerEntry, writeLedger } from "./install_ledger.ts";
import type { FilePlan, InstallPlan } from "./install_plan.ts";

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

function write({ path, now, text }: FilePlan): void {
  if (text === now) return;
  if (readText(path) !== now) throw new Error(`Cannot change "${path}": it was changed meanwhile`);
  if (text === null) removeFile(path);
  else writeWhole(path, { text, mode: 0o600 });
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
export function applyPlan(plan: InstallPlan, ledger: string): void {
  const entry: LedgerEntry | null = plan.entry;
  if (entry !== null) writeLedger(ledger, entry);
  plan.links.forEach(makeLink);
  plan.files.forEach(write);
  plan.removedLinks.forEach(removeLink);
  if (entry === null) removeFile(ledger);
}
