/** One record, whole: what happened, what was expected, what was refused, and both tails. */
import { buildBlock } from "../../feedback/block.ts";
import { enforcementGap } from "../../feedback/enforcement_gap.ts";
import { denialText, gotText, headline } from "../../feedback/render.ts";
import type { CommandRecord } from "../../record/record.ts";
import { visibleText } from "../../record/visible_text.ts";
import type { Entry } from "./entry.ts";
import { type Line, line, span, type Style, wrapTo } from "./styled_line.ts";
import { counted } from "../../output/counted.ts";

/** Columns of the names in front. */
const NAME_COLUMNS = 10;

/** Below so many columns names stand above, not in front. */
const NARROW = 60;

/** Characters of one field, and items of one list, that are shown; `debrief show` has all. */
const MAX_CHARS = 4_000;
const MAX_ITEMS = 40;

/** A field of the record. */
interface Field {
  readonly name: string;
  readonly texts: readonly string[];
  readonly style?: Style;
}

/** All lines of the view. Everything in it is text from outside, made visible. */
export function detailLines(entry: Entry, columns: number): readonly Line[] {
  const { record, style } = entry;
  const head = wrapTo(visibleText(headline(buildBlock({ record }), false)), columns - 1);
  return [
    ...head.map((piece) => line([span(` ${piece}`, style)])),
    line([]),
    ...fieldsOf(record).flatMap((field) => fieldLines(field, columns)),
    ...tailLines(record, "stdout", columns),
    ...tailLines(record, "stderr", columns),
  ];
}

function fieldsOf(record: CommandRecord): readonly Field[] {
  const block = buildBlock({ record });
  const { agent_note, error, outcome, parent_command_id, sandbox } = record;
  const one = (name: string, text: string | null, style?: Style): Field => ({
    name,
    texts: text === null ? [] : [text],
    style,
  });
  const [command, argv] = [record.command.join(" "), record.argv.join(" ")];
  const gap = enforcementGap(record);
  return [
    { name: "command", texts: command.split("\n"), style: "strong" },
    one("expected", agent_note),
    one("got", agent_note === null ? null : gotText(block)),
    one("outcome", `${outcome.kind}: ${outcome.reason}`),
    one("error", error, "bad"),
    {
      name: "denied",
      texts: record.denials.map((denial) => denialText(denial).slice(8)),
      style: "bad",
    },
    one("sandbox", gap, "warn"),
    {
      name: "redacted",
      texts: Object.entries(record.redactions).map(([rule, count]) => `${rule} ${count}`),
      style: "warn",
    },
    { name: "truncated", texts: truncationTexts(record), style: "warn" },
    { name: "jobs", texts: record.jobs.map(jobText), style: "warn" },
    { name: "restored", texts: record.changed, style: "warn" },
    { name: "next", texts: record.suggestions.map(({ text }) => text) },
    { name: "feedback", texts: record.feedback.flatMap((text) => text.split("\n")) },
    one("argv", argv === "" || argv === command ? null : argv),
    one("directory", record.cwd),
    one("started", record.started_at),
    one("session", record.session_id),
    one("task", record.task_id),
    one("retries", parent_command_id),
    one("policy", `${sandbox.policy}, ${sandbox.backend}`),
  ];
}

function truncationTexts({ truncations }: CommandRecord): readonly string[] {
  return (["stdout", "stderr"] as const).flatMap((name) => {
    const cut = truncations[name];
    return cut === null ? [] : [`${cut.lines} lines/${cut.bytes} B of ${name} not shown`];
  });
}

function jobText({ pid, command, state }: CommandRecord["jobs"][number]): string {
  return `${pid} ${command} (${state})`;
}

function fieldLines({ name, texts, style = "plain" }: Field, columns: number): readonly Line[] {
  if (texts.length === 0) return [];
  const left = texts.length - MAX_ITEMS;
  const listed = left > 0 ? [...texts.slice(0, MAX_ITEMS), `${left} more`] : texts;
  const isNarrow = columns < NARROW;
  const indent = isNarrow ? 2 : NAME_COLUMNS + 2;
  const pieces = listed.flatMap((text) =>
    wrapTo(visibleText(text.slice(0, MAX_CHARS)), columns - indent)
  );
  const title = span(` ${name.padEnd(indent - 1)}`, "dim");
  const blank = span(" ".repeat(indent));
  if (isNarrow) return [line([title]), ...pieces.map((text) => line([blank, span(text, style)]))];
  return pieces.map((text, index) => line([index === 0 ? title : blank, span(text, style)]));
}

function tailLines(
  record: CommandRecord,
  name: "stdout" | "stderr",
  columns: number,
): readonly Line[] {
  const tail = name === "stdout" ? record.stdout_tail : record.stderr_tail;
  const count = record.lines[name];
  const title = `${name}: ${counted(count, "line")}/${record.bytes[name]} B`;
  const shown = tail === "" ? [] : tail.replace(/\n$/, "").split("\n");
  const which = shown.length > 0 && shown.length < count ? `, the last ${shown.length}` : "";
  return [
    line([]),
    line([span(` ${title}${which} `, "title")]),
    ...shown.flatMap((text) => outputPieces(text, columns).map((piece) => line([span(piece)]))),
  ];
}

/** A line of output as lines of the screen. Tabs become blanks, as they would on a terminal. */
export function outputPieces(text: string, columns: number): readonly string[] {
  return wrapTo(visibleText(text.replaceAll("\t", "    ")), columns);
}
