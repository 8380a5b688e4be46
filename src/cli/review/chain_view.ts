/** A retry chain: all attempts at one thing, oldest first, and how it stands. */
import { succeeded } from "../../record/succeeded.ts";
import { visibleText } from "../../record/visible_text.ts";
import { rowLine, windowStart } from "./list_view.ts";
import type { Chain } from "./review_state.ts";
import { type Line, line, span, wrapTo } from "./styled_line.ts";
import { counted } from "../../output/counted.ts";

/** Parents that one line names. */
const LISTED = 4;

/** The lines of the view, at most so many: what is known of the chain, then the attempts around the cursor. */
export function chainLines(
  { chain, cursor }: { readonly chain: Chain; readonly cursor: number },
  size: { readonly columns: number; readonly lines: number },
): readonly Line[] {
  const head = headLines(chain, size.columns);
  const lines = Math.max(1, size.lines - head.length);
  const { entries } = chain;
  const first = windowStart(cursor, { length: entries.length, lines });
  const rows = entries.slice(first, first + lines).map((entry, index) =>
    rowLine(entry, {
      columns: size.columns,
      selected: first + index === cursor,
      latestFailure: null,
    })
  );
  return [...head, ...rows];
}

function headLines({ entries, missing, cyclic }: Chain, columns: number): readonly Line[] {
  const last = entries.at(-1);
  const isOk = last !== undefined && succeeded(last.record);
  const end = isOk
    ? "succeeded"
    : last?.record.exit_code === null
    ? "has no exit status"
    : `failed with exit status ${last?.record.exit_code}`;
  const names = missing.slice(0, LISTED).map(visibleText).join(", ");
  const more = missing.length > LISTED ? ", ..." : "";
  const facts = [
    `${counted(entries.length, "attempt")}, the last ${end}`,
    ...(missing.length > 0 ? [`no longer in the journal: ${names}${more}`] : []),
    ...(cyclic ? ["its links form a circle"] : []),
  ];
  return [
    ...facts.flatMap((fact, index) =>
      wrapTo(fact, columns - 1).map((piece) =>
        line([span(` ${piece}`, index === 0 ? (isOk ? "ok" : "bad") : "warn")])
      )
    ),
    line([]),
  ];
}
