/** A retry chain: all attempts at one thing, oldest first, and how it stands. */
import { chainStanding } from "../../record/chain_standing.ts";
import { succeeded } from "../../record/succeeded.ts";
import { rowLine, windowStart } from "./list_view.ts";
import type { Chain } from "./review_state.ts";
import { type Line, line, span, wrapTo } from "./styled_line.ts";

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
  const records = entries.map(({ record }) => record);
  const last = records.at(-1);
  const isOk = last !== undefined && succeeded(last);
  const facts = chainStanding({ records, missing, cyclic });
  return [
    ...facts.flatMap((fact, index) =>
      wrapTo(fact, columns - 1).map((piece) =>
        line([span(` ${piece}`, index === 0 ? (isOk ? "ok" : "bad") : "warn")])
      )
    ),
    line([]),
  ];
}
