/** Requests of the JSON lines protocol, as the schemas that check them and that are published. */
import * as v from "valibot";
import {
  AIM_FIELDS,
  INPUT_FIELDS,
  JOB_FIELDS,
  OUTPUT_FIELDS,
  RUN_FIELDS,
  SIGNAL_FIELDS,
} from "./order_fields.ts";
import type { RequestOf, RequestType } from "./requests.ts";

/** Characters of an id. */
const MAX_ID = 128;

const id = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(MAX_ID),
  v.description("Chosen by the client; every answer repeats it. Free again after the last answer."),
);
const target = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(MAX_ID),
  v.description("The id of a run request of this connection, or of a command of this session."),
);
const { id: _id, ...jobFields } = JOB_FIELDS;

/** All requests by type. */
export const REQUEST_SCHEMAS = {
  run: v.strictObject({ type: v.literal("run"), id, ...RUN_FIELDS }),
  cancel: v.strictObject({ type: v.literal("cancel"), id, target }),
  write_stdin: v.strictObject({
    type: v.literal("write_stdin"),
    id,
    target,
    ...INPUT_FIELDS,
    base64: v.optional(
      v.pipe(v.string(), v.base64(), v.description("Bytes to send, in place of text.")),
    ),
  }),
  close_stdin: v.strictObject({ type: v.literal("close_stdin"), id, target }),
  jobs: v.strictObject({
    type: v.literal("jobs"),
    id,
    target: v.optional(target),
    ...jobFields,
  }),
  kill: v.strictObject({ type: v.literal("kill"), id, target, ...SIGNAL_FIELDS }),
  output: v.strictObject({ type: v.literal("output"), id, target, ...OUTPUT_FIELDS }),
  aims: v.strictObject({ type: v.literal("aims"), id, ...AIM_FIELDS }),
  status: v.strictObject({ type: v.literal("status"), id }),
} as const satisfies { [T in RequestType]: v.GenericSchema<unknown, RequestOf<T>> };
