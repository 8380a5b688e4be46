/**
 * Local stand-in for `@std/assert`: what this project uses of it. Differences are printed by
 * `node:assert`, everything that decides follows upstream.
 *
 * @module
 */
export * from "./assert.ts";
export * from "./assertion_error.ts";
export * from "./equal.ts";
export * from "./equals.ts";
export * from "./exists.ts";
export * from "./fail.ts";
export * from "./false.ts";
export * from "./greater.ts";
export * from "./greater_or_equal.ts";
export * from "./instance_of.ts";
export * from "./is_error.ts";
export * from "./less.ts";
export * from "./less_or_equal.ts";
export * from "./match.ts";
export * from "./not_equals.ts";
export * from "./not_match.ts";
export * from "./not_strict_equals.ts";
export * from "./object_match.ts";
export * from "./rejects.ts";
export * from "./strict_equals.ts";
export * from "./string_includes.ts";
export * from "./throws.ts";
