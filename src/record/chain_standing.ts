/** How a retry chain stands, in words. */
import { counted } from "../output/counted.ts";
import type { CommandRecord } from "./record.ts";
import type { RetryChain } from "./retry_chain.ts";
import { succeeded } from "./succeeded.ts";
import { visibleText } from "./visible_text.ts";

/** Parents that one line names. */
const LISTED = 4;

/** The attempts with the end of the last one, then what is wrong with the chain: only status 0 is success. */
export function chainStanding(
  { records, missing, cyclic }:
    & Pick<RetryChain, "missing" | "cyclic">
    & { readonly records: readonly CommandRecord[] },
): readonly string[] {
  const names = missing.slice(0, LISTED).map(visibleText).join(", ");
  const more = missing.length > LISTED ? ", …" : "";
  return [
    `${counted(records.length, "attempt")}, the last ${endOf(records.at(-1))}`,
    ...(missing.length > 0 ? [`no longer in the journal: ${names}${more}`] : []),
    ...(cyclic ? ["its links form a circle"] : []),
  ];
}

function endOf(last: CommandRecord | undefined): string {
  if (last === undefined) return "is not there";
  if (succeeded(last)) return "succeeded";
  return last.exit_code === null
    ? "has no exit status"
    : `failed with exit status ${last.exit_code}`;
}
