/** Requests of the JSON lines protocol: one JSON object on each line. */
import type {
  AimsOrder,
  InputOrder,
  JobsOrder,
  KillOrder,
  OutputOrder,
  RunOrder,
} from "./orders.ts";

/** What each type of request takes. */
export interface RequestFields {
  readonly run: RunOrder;
  readonly cancel: Target;
  readonly write_stdin: Target & InputOrder & {
    /** Bytes to send, in place of text. */
    readonly base64?: string | undefined;
  };
  readonly close_stdin: Target;
  readonly jobs: Partial<Target> & Omit<JobsOrder, "id">;
  readonly kill: Target & KillOrder;
  readonly output: Target & OutputOrder;
  readonly aims: AimsOrder;
  readonly status: Readonly<Record<never, never>>;
}

/** Which command is meant. */
export interface Target {
  /** The id of a run request of this connection, or of a command of this session. */
  readonly target: string;
}

/** Types of requests. */
export type RequestType = keyof RequestFields;

/** A request of a type. */
export type RequestOf<T extends RequestType> = RequestFields[T] & {
  readonly type: T;
  /** Chosen by the client; every answer repeats it. Free again after the last answer. */
  readonly id: string;
};

/** Any request. */
export type Request = { [T in RequestType]: RequestOf<T> }[RequestType];
