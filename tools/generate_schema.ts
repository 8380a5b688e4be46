/**
 * Writes `policies/schema.json` from the one definition in `src/policy/schema.ts`; with `--check` it writes nothing and fails
 * when the committed file is another.
 */
import { toJsonSchema } from "npm:@valibot/to-json-schema@1.8.0";
import { PolicySchema } from "../src/policy/schema.ts";

const target = new URL("../policies/schema.json", import.meta.url);

/** The dialect that every editor understands, and the generator's default. */
const DIALECT = "http://json-schema.org/draft-07/schema#";

/** Returns the text of `schema.json`. */
export function renderSchema(): string {
  // Checks in code (does a path start right?) have no JSON Schema form; the descriptions tell them.
  const schema = toJsonSchema(PolicySchema, { errorMode: "ignore" });
  return JSON.stringify({ $schema: DIALECT, ...schema }, null, 2) + "\n";
}

if (import.meta.main) {
  if (!Deno.args.includes("--check")) Deno.writeTextFileSync(target, renderSchema());
  else if (Deno.readTextFileSync(target) !== renderSchema()) {
    throw new Error(
      'Cannot accept "policies/schema.json": it is stale; run tools/generate_schema.ts',
    );
  }
}
