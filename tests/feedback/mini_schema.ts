/** The part of JSON Schema that the block's schema uses. Returns the first mismatch, null when valid. */
// deno-lint-ignore no-explicit-any -- a schema is read as plain data here
export function mismatch(schema: any, value: any, at = "$"): string | null {
  if (schema.anyOf !== undefined) {
    return schema.anyOf.some((one: unknown) => mismatch(one, value, at) === null)
      ? null
      : `${at}: no alternative fits`;
  }
  if (schema.const !== undefined && value !== schema.const) return `${at}: not ${schema.const}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `${at}: not one of ${schema.enum}`;
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type: string) => hasType(type, value))) {
    return `${at}: not ${types}`;
  }
  if (schema.minimum !== undefined && value < schema.minimum) {
    return `${at}: below ${schema.minimum}`;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => mismatch(schema.items, item, `${at}[${index}]`)).find((m) =>
      m !== null
    ) ?? null;
  }
  if (typeof value !== "object" || value === null) return null;
  for (const name of schema.required ?? []) if (!(name in value)) return `${at}.${name}: missing`;
  for (const [name, item] of Object.entries(value)) {
    const known = schema.properties?.[name] ?? schema.additionalProperties;
    if (known === false || known === undefined) return `${at}.${name}: unknown`;
    const found = mismatch(known, item, `${at}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

function hasType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  if (type === "string") return typeof value === "string";
  return type === "number" && typeof value === "number";
}
