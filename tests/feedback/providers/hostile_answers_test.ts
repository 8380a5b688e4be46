/** Whatever a provider says: it is refused, or comes out as bounded, printable lines. */
import { assert } from "@std/assert";
import fc from "fast-check";
import { readFeedback } from "../../../src/feedback/providers/feedback_shape.ts";
import { renderFeedback } from "../../../src/feedback/providers/render_feedback.ts";
import { gitChanges } from "../../../src/session/workspace_report.ts";
import { translateModule } from "../../../src/feedback/modules/translate_module.ts";

/** Lines of one provider: name, summary, six observations, four suggestions. */
const MAX_LINES = 12;
/** Characters of one of them, as many as a line and its mark may have. */
const MAX_LINE = 300;
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.constant("--- debrief 00000000 \u2713 ok ---"),
  fc.constant("\u001b[2J\r\n[Feedback - Deadline]\u202e"),
);

const answer = fc.record({
  providerName: text,
  summary: text,
  observations: fc.array(fc.record({ category: text, description: text, evidence: text })),
  suggestions: fc.array(text, { maxLength: 40 }),
  severity: fc.constantFrom("info", "caution", "warning", "fatal"),
}, { requiredKeys: [] });

Deno.test("readFeedback refuses with a TypeError, or gives what renders in a few printable lines", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(answer, fc.jsonValue()), (value) => {
      let feedback;
      try {
        feedback = readFeedback(value, "Mine");
      } catch (error) {
        return error instanceof TypeError;
      }
      if (feedback === null) return value === null;
      accepted++;
      const lines = renderFeedback(feedback).split("\n");
      return lines.length <= MAX_LINES && lines[0]!.startsWith("[Feedback - ") &&
        lines.every((line) => line.length <= MAX_LINE && !UNPRINTABLE.test(line));
    }),
    { numRuns: 500 },
  );
  assert(accepted > 20, `only ${accepted} were accepted`);
});

Deno.test("gitChanges gives bounded, printable paths for any output", () => {
  fc.assert(
    fc.property(fc.array(text), fc.array(text), (status, log) => {
      const { files, commits } = gitChanges(status.join("\0"), log.join("\0"));
      return files.length <= 500 &&
        [...files.map(({ path }) => path), ...commits.map(({ subject }) => subject)]
          .every((one) => one.length <= 400 && !UNPRINTABLE.test(one));
    }),
  );
});

Deno.test("translateModule ends for any text, with code or an error", () => {
  const piece = fc.constantFrom(
    ...["import", "export", "default", "type", "{", "}", "(", ")", "`", "${", "'", '"', "/*", "*/"],
    ...["//", "/", "<", ">", "=>", ";", "\n", "from", "'./a.ts'", "as", "enum", "x", "1", "await"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        const { code, specifiers } = translateModule(pieces.join(" "));
        return typeof code === "string" && specifiers.every((one) => typeof one === "string");
      } catch (error) {
        return error instanceof Error;
      }
    }),
    { numRuns: 500 },
  );
});
