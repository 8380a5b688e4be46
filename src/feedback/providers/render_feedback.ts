/** Feedback as the lines that a block shows. */
import { shortText } from "../../record/visible_text.ts";
import type { Feedback } from "./provider.ts";

/** Characters of one line, and lines of each kind: together below what a block has for one provider. */
const MAX = { line: 300, name: 60, category: 40, observations: 6, suggestions: 4 } as const;

/**
 * Renders what one provider says; every line is printable and bounded, whatever the provider made of it.
 *
 *     [Feedback - Deadline]
 *     You have 8 minutes remaining.
 *     * Progress: 4 of 6 tests pass
 *     -> Prioritize completing critical remaining work.
 */
export function renderFeedback(feedback: Feedback): string {
  const { providerName, summary, observations, suggestions } = feedback;
  return [
    `[Feedback - ${shortText(providerName, MAX.name)}]`,
    shortText(summary, MAX.line),
    ...observations.slice(0, MAX.observations).map(({ category, description, evidence }) =>
      shortText(
        `\u2022 ${shortText(category, MAX.category)}: ${description}${
          evidence ? ` (${evidence})` : ""
        }`,
        MAX.line,
      )
    ),
    ...suggestions.slice(0, MAX.suggestions).map((text) => shortText(`\u2192 ${text}`, MAX.line)),
  ].join("\n");
}
