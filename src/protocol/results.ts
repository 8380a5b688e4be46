/** What requests are answered with. */
import type { Block } from "../feedback/block.ts";
import type { JobView } from "../feedback/job_report.ts";

/** One line of an output, or the place of what was not kept. */
export interface OutputLine {
  readonly stream: "stdout" | "stderr";
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** `match` and `context` only with `grep`; `gap` stands for bytes that were not kept. */
  readonly kind: "line" | "match" | "context" | "gap";
}

/** A part of an output. */
export interface OutputPage {
  readonly lines: readonly OutputLine[];
  /** The first line that did not fit, null when all did. */
  readonly next: { readonly stream: "stdout" | "stderr"; readonly line: number } | null;
}

/** Goal, deadline, budget and task, and what was used. */
export interface AimsState {
  readonly goal: string | null;
  readonly task: string | null;
  /** In ms since 1970, and as it was written. */
  readonly deadline: { readonly at: number; readonly written: string } | null;
  readonly budget: { readonly tokens: number | null; readonly seconds: number | null };
  readonly used: { readonly tokens: number; readonly seconds: number };
  /** Commands so far. */
  readonly calls: number;
}

/** What is in force. */
export interface ServiceStatus {
  /** Of Debrief. */
  readonly version: string;
  readonly session_id: string;
  readonly workspace: string;
  /** Where commands begin. */
  readonly cwd: string;
  readonly policy: string;
  readonly enforcement: "required" | "best-effort";
  /** What builds the jail. */
  readonly backend: string;
  /** How each permission is enforced. */
  readonly enforced: Readonly<Record<string, string>>;
  /** Time limit of a command in ms, 0 for none. */
  readonly timeout_ms: number;
  /** Whether commands can run beside others. */
  readonly parallel: boolean;
  readonly aims: AimsState;
}

/** Commands that run and that ended lately, oldest first; or the one that was asked for, with its block. */
export interface JobList {
  readonly jobs: readonly JobView[];
  readonly block: Block | null;
}

/** A command after a signal; the block when that ended it. */
export interface KillResult {
  readonly job: JobView;
  readonly block: Block | null;
}

/** A command after input was sent to it. */
export interface SendResult {
  /** False when it ended before it took all of it. */
  readonly taken: boolean;
  readonly job: JobView;
}

/** Answers by the request's type. */
export interface Results {
  readonly cancel: Readonly<Record<string, never>>;
  readonly write_stdin: SendResult;
  readonly close_stdin: SendResult;
  readonly jobs: JobList;
  readonly kill: KillResult;
  readonly output: OutputPage;
  readonly aims: AimsState;
  readonly status: ServiceStatus;
}
