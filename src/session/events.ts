/** What a session reports while it runs a command. Every front end only formats these. */
import type { Block } from "../feedback/block.ts";
import type { Waiting } from "../feedback/job_report.ts";
import type { StreamName } from "../output/summary.ts";
import type { CommandRecord } from "../record/record.ts";

/** One event of a command, in the order `started`, any number of `arrived`, `waiting`, `output` and `bytes`, `finished`. */
export type SessionEvent =
  | { readonly kind: "started"; readonly commandId: string }
  /** The command has written something, whatever is shown of it. */
  | { readonly kind: "arrived"; readonly stream: StreamName; readonly bytes: number }
  /** The command reads input that nobody has sent, or, with null, does so no longer. */
  | { readonly kind: "waiting"; readonly waits: Waiting | null }
  /** Redacted text to be shown, in order of arrival. */
  | { readonly kind: "output"; readonly stream: StreamName; readonly text: string }
  /** Redacted bytes to be passed on, in the place of `output` (`SessionOptions.raw`); valid until the sink returns. */
  | { readonly kind: "bytes"; readonly stream: StreamName; readonly bytes: Uint8Array }
  | {
    readonly kind: "finished";
    readonly record: CommandRecord;
    readonly block: Block;
    /** What a shell reports for this end: 0 to 255. */
    readonly exitStatus: number;
    /** True when the command asked the session to end (`exit`). */
    readonly endsSession: boolean;
  };

/** Receives events; called synchronously. */
export type EventSink = (event: SessionEvent) => void;
