/** Events of the JSON lines protocol, as schemas that are published. */
import * as v from "valibot";
import { RecordSchema } from "../record/record_schema.ts";
import {
  type EndedEvent,
  ERROR_CODES,
  type ErrorEvent,
  type HelloEvent,
  type OutputEvent,
  PROTOCOL_VERSION,
  type ResultEvent,
  type StartedEvent,
  type WaitingEvent,
} from "./events.ts";
import { BlockSchema, type Fields, RESULT_SCHEMAS, STATUS_FIELDS } from "./result_schemas.ts";
import type { Results } from "./results.ts";

const id = v.pipe(v.string(), v.description("Of the request."));

const result = <T extends keyof Results>(of: T) =>
  v.looseObject(
    {
      type: v.literal("result"),
      id,
      of: v.literal(of),
      result: RESULT_SCHEMAS[of],
    } satisfies Fields<
      ResultEvent
    >,
  );

/** Schemas of all events. */
export const EVENT_SCHEMAS: readonly v.GenericSchema[] = [
  v.looseObject(
    {
      type: v.literal("hello"),
      protocol: v.literal(PROTOCOL_VERSION),
      ...STATUS_FIELDS,
    } satisfies Fields<HelloEvent>,
  ),
  v.looseObject(
    { type: v.literal("started"), id, command_id: v.string() } satisfies Fields<StartedEvent>,
  ),
  v.looseObject(
    { type: v.picklist(["stdout", "stderr"]), id, text: v.string() } satisfies Fields<OutputEvent>,
  ),
  v.looseObject(
    {
      type: v.literal("waiting"),
      id,
      waits: v.nullable(v.looseObject({ asks: v.nullable(v.string()) })),
    } satisfies Fields<WaitingEvent>,
  ),
  v.looseObject(
    {
      type: v.literal("ended"),
      id,
      exit_status: v.number(),
      record: RecordSchema,
      block: BlockSchema,
    } satisfies Fields<EndedEvent>,
  ),
  ...(Object.keys(RESULT_SCHEMAS) as (keyof Results)[]).map(result),
  v.looseObject(
    {
      type: v.literal("error"),
      id: v.nullable(v.string()),
      code: v.picklist(ERROR_CODES),
      message: v.string(),
    } satisfies Fields<ErrorEvent>,
  ),
];
