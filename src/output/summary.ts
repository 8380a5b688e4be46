/** What is known of a command's output when it has ended: exact counts, bounded text, all of it redacted. */

/** One of the two streams of a command. */
export type StreamName = "stdout" | "stderr";

/** Lines and bytes that were left out between head and tail. */
export interface Truncation {
  readonly lines: number;
  readonly bytes: number;
}

/** Facts about one stream. */
export interface StreamSummary {
  /** Bytes as the command wrote them, before redaction. */
  readonly bytes: number;
  /** Lines: newline characters, plus one when the last line has none. */
  readonly lines: number;
  /** The last lines, redacted, at most 4,096 bytes of UTF-8. */
  readonly tail: string;
  /** What the shown text left out, null when it is complete. */
  readonly truncated: Truncation | null;
  /** Bytes that the spool left out because of its cap. */
  readonly spoolDropped: number;
  /** Set when the stream is binary: then it is described, not shown. */
  readonly binary: { readonly type: string; readonly sha256: string } | null;
}

/** Facts about both streams of one command. */
export interface OutputSummary {
  readonly stdout: StreamSummary;
  readonly stderr: StreamSummary;
  /** Redactions by rule name, both streams together; `{}` when there were none. */
  readonly redactions: Readonly<Record<string, number>>;
  /** Redacted lines that look like a refusal or an error, in order of arrival, at most 64 of at most 512 characters. */
  readonly notable: readonly string[];
  /** Why the spool is incomplete (`ENOSPC`, …), null when it is not. */
  readonly spoolError: string | null;
}

/** Redacted text to be shown now, in order. */
export interface Shown {
  readonly stream: StreamName;
  readonly text: string;
}
