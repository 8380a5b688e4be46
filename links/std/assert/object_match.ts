import { assertEquals } from "./equals.ts";

type Loose = Record<PropertyKey, unknown>;

/** Throws unless `actual` has at least what `expected` has, in every depth. */
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void {
  // Both sides are cut, so that classes compare as the plain objects that cutting makes of them.
  assertEquals(cut(actual, expected, new Map()), cut(expected, expected, new Map()), msg);
}

/** The part of an object whose keys the other has too. */
function cut(actual: Loose, expected: Loose, seen: Map<unknown, unknown>): Loose {
  if (seen.get(actual) === expected) return actual;
  seen.set(actual, expected);
  const result: Loose = {};
  for (const key of Reflect.ownKeys(actual)) {
    if (!(key in expected)) continue;
    Object.defineProperty(result, key, {
      value: cutValue(actual[key], expected[key], seen),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return result;
}

function cutValue(value: unknown, wanted: unknown, seen: Map<unknown, unknown>): unknown {
  if (!isObject(value) || !isObject(wanted) || value instanceof RegExp) return value;
  if (Array.isArray(value)) {
    return Array.isArray(wanted) ? cut({ ...value }, { ...wanted }, seen) : value;
  }
  if (value instanceof Map && wanted instanceof Map) {
    const kept = [...value].filter(([key]) => wanted.has(key));
    return new Map(kept.map(([key, item]) => [key, cutValue(item, wanted.get(key), seen)]));
  }
  if (value instanceof Set && wanted instanceof Set) {
    return new Set([...value].filter((item) => wanted.has(item)));
  }
  return cut(value, wanted, seen);
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}
