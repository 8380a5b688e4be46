/** The shape of what a custom provider says: it comes from a worker or a process, and is input like any other. */
import * as v from "valibot";
import type { Feedback } from "./provider.ts";

/** Characters of one text. */
const MAX_TEXT = 2_000;
/** Items of one list. */
const MAX_ITEMS = 32;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));

const Shape = v.object({
  providerName: v.optional(text),
  summary: text,
  observations: v.optional(
    v.pipe(
      v.array(v.object({ category: text, description: text, evidence: v.optional(text) })),
      v.maxLength(MAX_ITEMS),
    ),
    [],
  ),
  suggestions: v.optional(v.pipe(v.array(text), v.maxLength(MAX_ITEMS)), []),
  severity: v.optional(v.picklist(["info", "caution", "warning"]), "info"),
});

/** Reads feedback; lists, severity and name may be left out, null is none. @throws {TypeError} for anything else. */
export function readFeedback(value: unknown, name: string): Feedback | null {
  if (value === null) return null;
  const result = v.safeParse(Shape, value);
  if (!result.success) {
    const [issue] = result.issues;
    throw new TypeError(`what it said is no feedback: ${issue.message}`);
  }
  const { providerName, observations, ...rest } = result.output;
  return {
    ...rest,
    providerName: providerName ?? name,
    observations: observations.map(({ evidence, ...one }) =>
      evidence === undefined ? one : { ...one, evidence }
    ),
  };
}
