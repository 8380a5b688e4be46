/** The protocols' schemas as JSON Schema, draft 2020-12. Loaded only where one is published. */
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { BLOCK_SCHEMA } from "../feedback/block_schema.ts";
import { RecordSchema } from "../record/record_schema.ts";
import { EVENT_SCHEMAS } from "./event_schemas.ts";
import { PROTOCOL_VERSION } from "./events.ts";
import { REQUEST_SCHEMAS } from "./request_schemas.ts";
import { BlockSchema } from "./result_schemas.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** What stands in the place of a schema that has a published one of its own. */
export interface References {
  readonly block: JsonSchema;
  readonly record: JsonSchema;
}

const { $schema: DIALECT, title: _title, ...BLOCK } = BLOCK_SCHEMA;

/** Each in place, for a reader that follows no references. */
const INLINE: References = { block: BLOCK, record: { type: "object" } };

/** One schema as JSON Schema, without naming the dialect. */
export function jsonSchemaOf(
  schema: v.GenericSchema,
  references: References = INLINE,
): JsonSchema {
  const { $schema: _, ...rendered } = toJsonSchema(schema, {
    target: "draft-2020-12",
    overrideSchema: ({ valibotSchema }) => {
      if (valibotSchema === BlockSchema) return references.block;
      return valibotSchema === RecordSchema ? references.record : undefined;
    },
  });
  return rendered;
}

/** The published schema: a line from a client is a `request`, one from the server an `event`. */
export function protocolSchema(record: JsonSchema): JsonSchema {
  const references = { block: { $ref: "#/$defs/block" }, record: { $ref: "#/$defs/record" } };
  const { $schema: _, ...recordSchema } = record;
  const render = (schema: v.GenericSchema) => jsonSchemaOf(schema, references);
  return {
    $schema: DIALECT,
    title: `Debrief JSON lines, protocol version ${PROTOCOL_VERSION}`,
    anyOf: [{ $ref: "#/$defs/request" }, { $ref: "#/$defs/event" }],
    $defs: {
      request: { oneOf: Object.values(REQUEST_SCHEMAS).map(render) },
      event: { oneOf: EVENT_SCHEMAS.map(render) },
      block: BLOCK,
      record: recordSchema,
    },
  };
}
