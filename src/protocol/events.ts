/** Events of the JSON lines protocol: what the server writes, one JSON object on each line. */
import type { Block } from "../feedback/block.ts";
import type { Waiting } from "../feedback/job_report.ts";
import type { CommandRecord } from "../record/record.ts";
import type { Results, ServiceStatus } from "./results.ts";

/** Version of the protocol. Within it fields, requests, events and error codes are only ever added. */
export const PROTOCOL_VERSION = 1;

/** Why a request was not carried out. */
export const ERROR_CODES = [
  "bad-json",
  "not-utf-8",
  "line-too-long",
  "unknown-type",
  "bad-request",
  "duplicate-id",
  "unknown-target",
  "too-many",
  "refused",
  "internal",
] as const;

/** One of them. */
export type ErrorCode = typeof ERROR_CODES[number];

/** The first line of all: what serves here. */
export interface HelloEvent extends ServiceStatus {
  readonly type: "hello";
  readonly protocol: typeof PROTOCOL_VERSION;
}

/** A command runs. */
export interface StartedEvent {
  readonly type: "started";
  readonly id: string;
  readonly command_id: string;
}

/** Redacted text that a command printed. */
export interface OutputEvent {
  readonly type: "stdout" | "stderr";
  readonly id: string;
  readonly text: string;
}

/** A command reads input that nobody has sent; with null it does so no longer. */
export interface WaitingEvent {
  readonly type: "waiting";
  readonly id: string;
  readonly waits: Waiting | null;
}

/** A command has ended; nothing follows for its id. */
export interface EndedEvent {
  readonly type: "ended";
  readonly id: string;
  /** What a shell would report, 0 to 255. */
  readonly exit_status: number;
  readonly record: CommandRecord;
  readonly block: Block;
}

/** The answer to any other request. */
export interface ResultEvent<T extends keyof Results = keyof Results> {
  readonly type: "result";
  readonly id: string;
  /** The request's type. */
  readonly of: T;
  readonly result: Results[T];
}

/** A request that was not carried out, or a line that is none: then without an id where it has none that can be read. */
export interface ErrorEvent {
  readonly type: "error";
  readonly id: string | null;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Any event. */
export type ProtocolEvent =
  | HelloEvent
  | StartedEvent
  | OutputEvent
  | WaitingEvent
  | EndedEvent
  | { [T in keyof Results]: ResultEvent<T> }[keyof Results]
  | ErrorEvent;
