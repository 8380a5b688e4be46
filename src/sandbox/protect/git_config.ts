/**
 * Git's configuration format, strictly: git-config(1), "Syntax", and `config.c` of Git 2.39. No npm package reads it as git
 * does (continuation lines, subsections, quotes within a value), and what is read otherwise than by git would be judged
 * otherwise than it acts. Whatever git itself would refuse, and a few forms that nobody writes, is `null`.
 */

/** One `key = value` with the lines that it stands on. */
export interface ConfigEntry {
  /** Lower case. */
  readonly section: string;
  /** Exact; null without one. Lower case in the old form `[section.sub]`. */
  readonly subsection: string | null;
  /** Lower case. */
  readonly key: string;
  /** Null for a key without `=`, which git takes for true. */
  readonly value: string | null;
  /** Offset of its first line, in characters. */
  readonly start: number;
  /** Offset behind its last line. */
  readonly end: number;
}

const SECTION = /^[ \t]*\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\][ \t]*/;
const KEY = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*/;
const NOTHING = /^[ \t]*(?:[#;].*)?$/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  b: "\b",
  '"': '"',
  "\\": "\\",
};
/** A byte order mark, which git skips at the beginning. */
const MARK = "\ufeff";

/** Where an entry belongs. */
interface Heading {
  readonly section: string;
  readonly subsection: string | null;
}

function headingOf(name: string, quoted: string | undefined): Heading | null {
  if (quoted !== undefined) {
    // A dot in the name besides a quoted subsection is the old form mixed with the new one.
    if (name.includes(".")) return null;
    return { section: name.toLowerCase(), subsection: quoted.replace(/\\(.)/g, "$1") };
  }
  const dot = name.indexOf(".");
  const lower = name.toLowerCase();
  return dot < 0
    ? { section: lower, subsection: null }
    : { section: lower.slice(0, dot), subsection: lower.slice(dot + 1) };
}

/** A value as git unquotes it, from the lines that it may go on over; null when git would refuse it. */
function readValue(
  lines: readonly string[],
  at: { readonly line: number; readonly column: number },
): { readonly value: string; readonly lines: number } | null {
  let value = "";
  let blanks = "";
  let quoted = false;
  for (let line = at.line; line < lines.length; line++) {
    const text = lines[line]!;
    let continued = false;
    for (let index = line === at.line ? at.column : 0; index < text.length; index++) {
      const character = text[index]!;
      if (!quoted && (character === " " || character === "\t")) {
        // Blanks count only between other characters.
        if (value !== "") blanks += character;
        continue;
      }
      if (!quoted && (character === "#" || character === ";")) break;
      if (character === '"') {
        quoted = !quoted;
        // What is quoted is no leading blank, even when nothing is.
        value += blanks;
        blanks = "";
        continue;
      }
      if (character !== "\\") {
        value += blanks + character;
        blanks = "";
        continue;
      }
      value += blanks;
      blanks = "";
      const next = text[++index];
      if (next === undefined) {
        continued = true;
        break;
      }
      const meant = ESCAPES[next];
      if (meant === undefined) return null;
      value += meant;
    }
    if (!continued) return quoted ? null : { value, lines: line - at.line + 1 };
  }
  // The file ends in a backslash.
  return null;
}

/**
 * All entries of a configuration file in their order, includes not followed.
 *
 * @returns null for what git would not read, and for a header with a key behind it on one line.
 */
export function parseGitConfig(text: string): readonly ConfigEntry[] | null {
  if (text.includes("\0") || text.slice(1).includes(MARK)) return null;
  const body = text.startsWith(MARK) ? text.slice(1) : text;
  const skipped = text.length - body.length;
  const raw = body.split("\n");
  // Git drops a carriage return before a line feed only; elsewhere one is part of a value, which nobody means.
  const lines = raw.map((line, index) =>
    index < raw.length - 1 && line.endsWith("\r") ? line.slice(0, -1) : line
  );
  if (lines.some((line) => line.includes("\r"))) return null;
  const entries: ConfigEntry[] = [];
  let heading: Heading | null = null;
  let offset = skipped;
  for (let index = 0; index < lines.length;) {
    const line = lines[index]!;
    const start = offset;
    const advance = (count: number): number => {
      for (const end = index + count; index < end; index++) offset += raw[index]!.length + 1;
      return Math.min(offset, text.length);
    };
    if (NOTHING.test(line)) {
      advance(1);
      continue;
    }
    const header = SECTION.exec(line);
    if (header) {
      heading = headingOf(header[1]!, header[2]);
      if (heading === null || !NOTHING.test(line.slice(header[0].length))) return null;
      advance(1);
      continue;
    }
    const key = KEY.exec(line);
    if (!key || heading === null) return null;
    const rest = line.slice(key[0].length);
    const name = { ...heading, key: key[1]!.toLowerCase(), start };
    if (rest === "") {
      entries.push({ ...name, value: null, end: advance(1) });
      continue;
    }
    if (!rest.startsWith("=")) return null;
    const read = readValue(lines, { line: index, column: key[0].length + 1 });
    if (read === null) return null;
    entries.push({ ...name, value: read.value, end: advance(read.lines) });
  }
  return entries;
}

/** The name as git prints it. */
export function configName({ section, subsection, key }: ConfigEntry): string {
  return [section, ...(subsection === null ? [] : [subsection]), key].join(".");
}

function quote(text: string): string {
  return `"${
    text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
      .replaceAll("\t", "\\t").replaceAll("\b", "\\b")
  }"`;
}

/** One entry as a section of its own, which may stand anywhere. */
export function formatEntry({ section, subsection, key, value }: ConfigEntry): string {
  const sub = subsection === null
    ? ""
    : ` "${subsection.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  return `[${section}${sub}]\n\t${key}${value === null ? "" : ` = ${quote(value)}`}\n`;
}
