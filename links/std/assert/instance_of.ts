import { AssertionError } from "./assertion_error.ts";

/** Any constructor. */
// deno-lint-ignore no-explicit-any
export type AnyConstructor = new (...args: any[]) => any;

/** What a constructor makes. */
export type GetConstructorType<T extends AnyConstructor> = InstanceType<T>;

/** Throws unless the value is an instance of the class. */
export function assertInstanceOf<T extends AnyConstructor>(
  actual: unknown,
  expectedType: T,
  msg = "",
): asserts actual is GetConstructorType<T> {
  if (actual instanceof expectedType) return;
  const suffix = msg ? `: ${msg}` : ".";
  const found = nameOf(actual);
  const wanted = `Expected object to be an instance of "${expectedType.name}"`;
  if (found === expectedType.name) throw new AssertionError(`${wanted}${suffix}`);
  const but = found === "function" ? "was not an instanced object" : `was "${found}"`;
  throw new AssertionError(`${wanted} but ${but}${suffix}`);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  return value.constructor?.name ?? "Object";
}
