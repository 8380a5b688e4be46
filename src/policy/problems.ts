/** Turns what the schema finds wrong with a value into problems with a key path, all of them at once. */
import * as v from "valibot";
import { nearest } from "./nearest.ts";
import { type PolicyFile, PolicySchema, REFUSED_PERMISSIONS } from "./schema.ts";
import { showValue } from "./show_value.ts";

/** The way from the root of a file to a value: keys and list positions. */
export type KeyPath = readonly (string | number)[];

/** One mistake in a file. */
export interface Problem {
  readonly path: KeyPath;
  readonly message: string;
}

/** The parts of a valibot schema that the walk over keys looks at. */
interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly options?: readonly unknown[];
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
}

/** Validates a parsed file; the value is null exactly when there are problems. */
export function validatePolicy(
  value: unknown,
): { readonly value: PolicyFile | null; readonly problems: readonly Problem[] } {
  const misplaced = misplacedKeys(PolicySchema, { path: [], value });
  if (!isObject(value)) return { value: null, problems: misplaced };
  const result = v.safeParse(PolicySchema, value);
  const issues = (result.issues ?? []).flatMap((issue) => fromIssue(issue, []));
  const problems = [...misplaced, ...issues];
  return { value: result.success && problems.length === 0 ? result.output : null, problems };
}

/**
 * Unknown keys, and lists where an object is expected. valibot reports only the first unknown key of an object and
 * takes a list for an object, so both are looked for here.
 */
function misplacedKeys(
  schema: SchemaNode,
  at: { readonly path: KeyPath; readonly value: unknown },
): Problem[] {
  const { path, value } = at;
  if (schema.wrapped) return misplacedKeys(schema.wrapped, at);
  if (schema.type === "array" && schema.item && Array.isArray(value)) {
    const item = schema.item;
    return value.flatMap((entry, index) =>
      misplacedKeys(item, { path: [...path, index], value: entry })
    );
  }
  if (schema.type === "union") {
    return optionFor(schema, value).flatMap((option) => misplacedKeys(option, at));
  }
  if (!schema.entries && schema.type !== "record") return [];
  if (!isObject(value)) {
    const reported = !Array.isArray(value) && path.length > 0;
    return reported
      ? []
      : [{ path, message: `Cannot use ${showValue(value)}: accepted is an object` }];
  }
  const entries = schema.entries;
  if (!entries) return [];
  return Object.keys(value).flatMap((key) => {
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (!known) {
      return [{
        path: [...path, key],
        message: unknownKey(key, Object.keys(entries), path.length === 0),
      }];
    }
    return misplacedKeys(known, { path: [...path, key], value: value[key] });
  });
}

function optionFor(schema: SchemaNode, value: unknown): SchemaNode[] {
  const wanted = Array.isArray(value) ? "array" : isObject(value) ? "strict_object" : "";
  return (schema.options as SchemaNode[]).filter((option) => option.type === wanted);
}

function unknownKey(key: string, known: readonly string[], top: boolean): string {
  const reason = top && Object.hasOwn(REFUSED_PERMISSIONS, key)
    ? REFUSED_PERMISSIONS[key]
    : undefined;
  if (reason) return `Cannot grant "${key}": Debrief does not grant it; ${reason}`;
  const near = nearest(key, known);
  const hint = near ? `did you mean "${near}"; ` : "";
  return `Cannot use the key ${showValue(key)}: it is unknown; ${hint}accepted are ${
    known.map((name) => `"${name}"`).join(", ")
  }`;
}

function fromIssue(issue: v.BaseIssue<unknown>, base: KeyPath): Problem[] {
  const items = issue.path ?? [];
  const path = [...base, ...items.map((item) => item.key as string | number)];
  if (issue.type === "strict_object" && issue.expected === "never") return [];
  if (issue.kind !== "schema") return [{ path, message: issue.message }];
  const wanted = Array.isArray(issue.input) ? "array" : "object";
  const deeper = (issue.issues ?? []).filter((nested) => nested.path?.[0]?.type === wanted);
  // A mistake inside the list or object that was written says more than "none of these forms fits".
  if (deeper.length > 0) return deeper.flatMap((nested) => fromIssue(nested, path));
  if (issue.expected?.startsWith('"') && issue.input === undefined) {
    return [{
      path: path.slice(0, -1),
      message: `Cannot use the object: the key ${issue.expected} is missing`,
    }];
  }
  return [{ path, message: `Cannot use ${showValue(issue.input)}: accepted is ${issue.message}` }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
