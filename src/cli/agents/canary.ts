/** A command that can be told from every other one, and what the journal says of it. */
import { randomBytes } from "node:crypto";
import { newestFirst } from "../../record/read.ts";

/** The command. */
export interface Canary {
  /** What it prints. */
  readonly word: string;
  /** What is run; the word does not stand in it, so that only who runs it can know it. */
  readonly command: string;
  /** A part of the command that no quoting changes. */
  readonly mark: string;
}

/** What became of it: null where there is no record of it. */
export interface CanaryRecord {
  readonly id: string;
  readonly exit: number | null;
  /** The kernel reported the restrictions of its process. */
  readonly isProven: boolean;
}

/** Records that are looked at: more may be written meanwhile by others. */
const NEWEST = 500;

/** A new one. */
export function newCanary(): Canary {
  const mark = randomBytes(6).toString("hex");
  return {
    word: `debrief-canary-${mark}`,
    command: `printf 'debrief-%s-%s\\n' canary ${mark}`,
    mark,
  };
}

/** Its record in the journal of this directory. */
export function canaryRecord({ mark }: Canary, directory: string): CanaryRecord | null {
  let seen = 0;
  for (const record of newestFirst({ directory }, () => {})) {
    if (++seen > NEWEST) break;
    if (!record.command.some((text) => text.includes(mark))) continue;
    const { command_id: id, exit_code: exit, sandbox } = record;
    return { id, exit, isProven: sandbox.proof !== null };
  }
  return null;
}
