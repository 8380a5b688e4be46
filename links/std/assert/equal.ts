/**
 * Deep equality as assertions mean it. Unlike `node:util`'s strict form it takes 0 for -0, an
 * object without a prototype for a plain one, and, like it, NaN for NaN; a key that is undefined
 * differs from a key that is missing.
 *
 * @throws {TypeError} on two WeakMaps or two WeakSets, which cannot be looked into.
 */
export function equal(a: unknown, b: unknown): boolean {
  return same(a, b, new Map());
}

/** Pairs under comparison, taken for equal when met again: a cycle adds nothing. */
type Seen = Map<object, object>;

function same(a: unknown, b: unknown, seen: Seen): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return a === b || (Number.isNaN(a) && Number.isNaN(b));
  }
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  return sameBuiltIn(a, b, seen) ?? sameObject(a, b, seen);
}

/** The verdict on values with content outside their properties, undefined for all others. */
function sameBuiltIn(a: object, b: object, seen: Seen): boolean | undefined {
  if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b);
  if (a instanceof URL && b instanceof URL) return a.href === b.href;
  if (a instanceof Date && b instanceof Date) {
    return same(a.getTime(), b.getTime(), seen);
  }
  if (!sameClass(a, b)) return false;
  for (const Weak of [WeakMap, WeakSet]) {
    if (!(a instanceof Weak) && !(b instanceof Weak)) continue;
    if (!(a instanceof Weak && b instanceof Weak)) return false;
    throw new TypeError(`Cannot compare ${Weak.name} instances`);
  }
  if (a instanceof WeakRef && b instanceof WeakRef) return same(a.deref(), b.deref(), seen);
  return undefined;
}

function sameClass(a: object, b: object): boolean {
  return (a.constructor || Object) === (b.constructor || Object);
}

function sameObject(a: object, b: object, seen: Seen): boolean {
  if (seen.get(a) === b) return true;
  if (Object.keys(a).length !== Object.keys(b).length) return false;
  seen.set(a, b);
  if (a instanceof Set && b instanceof Set) return sameEntries(pairs(a), pairs(b), seen);
  if (a instanceof Map && b instanceof Map) return sameEntries([...a], [...b], seen);
  const left = a as Record<PropertyKey, unknown>;
  const right = b as Record<PropertyKey, unknown>;
  return Reflect.ownKeys({ ...left, ...right }).every((key) =>
    key in left === key in right && same(left[key], right[key], seen)
  );
}

type Entry = [key: unknown, value: unknown];

function pairs(set: Set<unknown>): Entry[] {
  return [...set].map((value) => [value, value]);
}

function sameEntries(left: Entry[], right: Entry[], seen: Seen): boolean {
  if (left.length !== right.length) return false;
  if (left.every(([key]) => isPrimitive(key))) {
    const wanted = new Map(right);
    return left.every(([key, value]) => wanted.has(key) && same(value, wanted.get(key), seen));
  }
  return left.every(([key, value]) =>
    right.some(([otherKey, otherValue]) =>
      same(key, otherKey, seen) && same(value, otherValue, seen)
    )
  );
}

function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== "object" && typeof value !== "function");
}
