/**
 * Writes the published JSON Schemas from the definitions that validate: `policies/schema.json` from
 * `src/policy/schema.ts`, `docs/record.schema.json` from `src/record/record_schema.ts`, `docs/handoff.schema.json` from
 * `src/record/handoff_schema.ts`, `docs/protocol.schema.json` from `src/protocol/`; with `--check` it writes nothing
 * and fails when a committed file is another.
 */
import { toJsonSchema } from "@valibot/to-json-schema";
import { PolicySchema } from "../src/policy/schema.ts";
import { protocolSchema } from "../src/protocol/json_schema.ts";
import { RECORD_VERSION } from "../src/record/record.ts";
import { RECORD_PROMISES, RecordSchema } from "../src/record/record_schema.ts";
import { HandoffSchema } from "../src/record/handoff_schema.ts";
import { documentedFields } from "./documented_fields.ts";

/** The dialect that every editor understands, and the generator's default. */
const DIALECT = "http://json-schema.org/draft-07/schema#";

function render(schema: object): string {
  return JSON.stringify({ $schema: DIALECT, ...schema }, null, 2) + "\n";
}

/** Returns the text of `policies/schema.json`. */
export function renderSchema(): string {
  // Checks in code (does a path start right?) have no JSON Schema form; the descriptions tell them.
  return render(toJsonSchema(PolicySchema, { errorMode: "ignore" }));
}

/** Returns the text of `docs/record.schema.json`. */
export function renderRecordSchema(): string {
  const source = Deno.readTextFileSync(new URL("../src/record/record.ts", import.meta.url));
  const docs = documentedFields(source, "CommandRecord");
  const { $schema: _, properties, ...rest } = toJsonSchema(RecordSchema);
  const described = Object.entries(properties ?? {}).map(([name, schema]) => {
    const description = docs.find((field) => field.name === name)?.doc;
    return [name, { description, ...(schema as object) }];
  });
  return render({
    title: `Debrief record, version ${RECORD_VERSION}`,
    ...rest,
    properties: Object.fromEntries(described),
    ...RECORD_PROMISES,
  });
}

/** Returns the text of `docs/handoff.schema.json`. */
export function renderHandoffSchema(): string {
  const { $schema: _, ...rest } = toJsonSchema(HandoffSchema);
  return render({ title: "Debrief handoff, version 1", ...rest });
}

/** Returns the text of `docs/protocol.schema.json`. */
export function renderProtocolSchema(): string {
  return JSON.stringify(protocolSchema(JSON.parse(renderRecordSchema())), null, 2) + "\n";
}

const TARGETS: Readonly<Record<string, () => string>> = {
  "policies/schema.json": renderSchema,
  "docs/record.schema.json": renderRecordSchema,
  "docs/handoff.schema.json": renderHandoffSchema,
  "docs/protocol.schema.json": renderProtocolSchema,
};

if (import.meta.main) {
  for (const [path, rendered] of Object.entries(TARGETS)) {
    const target = new URL(`../${path}`, import.meta.url);
    if (!Deno.args.includes("--check")) Deno.writeTextFileSync(target, rendered());
    else if (Deno.readTextFileSync(target) !== rendered()) {
      throw new Error(`Cannot accept "${path}": it is stale; run tools/generate_schema.ts`);
    }
  }
}
