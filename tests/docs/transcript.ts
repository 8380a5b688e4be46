/**
 * Transcripts in documents: a line that begins with `$ ` is a command, lines that begin with `> ` continue it, what
 * follows is its output, both streams in order.
 *
 * Output is compared exactly, except for what differs from run to run. The pattern language:
 *
 *     c6q0zt3f, s5gw8t2y     an id: any other; the same id again must be the same again, also in later commands
 *     --- debrief 321959950   a nonce: any other
 *     , 18ms,                a duration between commas or before two blanks: any other
 *     2026-11-21 23:50:19Z   a time: any other
 *     built-in:default:9     a line of a built-in policy: any other
 *     /home/you              the example's home directory; the workspace is /home/you/project
 *     [...]                  within a line: any text; on a line of its own: any lines
 */

/** One command of a transcript with the output that the document shows. */
export interface Exchange {
  readonly command: string;
  readonly output: string;
}

/** Ids of the document and the ones that they stand for in this run. */
export type Bindings = Map<string, string>;

/** Where the examples of documents take place. */
const SHOWN_HOME = "/home/you";

/** Letters and digits of an id, without those that are mistaken for one another (src/record/ids.ts). */
const ID = "[cs][0-9a-hjkmnp-tv-z]{7}";

/**
 * Parts of shown output that stand for others. An id of letters alone is taken for a word.
 */
const PARTS = new RegExp(
  [
    String.raw`(?<lines>^\[\.\.\.\]\n)`,
    String.raw`(?<text>\[\.\.\.\])`,
    String.raw`(?<nonce>(?<=--- debrief |"debrief_block":")[0-9]{9}\b)`,
    String.raw`(?<id>\b(?=[a-z]*\d)${ID}\b)`,
    String.raw`(?<time>\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{3})?Z)`,
    String.raw`(?<duration>(?<=, )\d+(?:\.\d+)?m?s(?=,)| *\d+(?:\.\d+)?m?s(?=  ))`,
    String.raw`(?<line>(?<=built-in:[a-z]+:)\d+)`,
    String.raw`(?<home>${SHOWN_HOME}\b)`,
  ].join("|"),
  "gm",
);

const STANDS_FOR: Readonly<Record<string, string>> = {
  lines: "(?:.*\\n)*?",
  text: ".*",
  nonce: "[0-9]{9}",
  time: "\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?Z",
  duration: " *\\d+(?:\\.\\d+)?(?:ms|s|m|h)(?: \\d+s)?",
  line: "\\d+",
};

/** Takes a transcript apart. @throws {Error} when it does not begin with a command. */
export function exchangesOf(text: string): readonly Exchange[] {
  const found: { command: string; output: string }[] = [];
  for (const line of text.split("\n")) {
    const last = found.at(-1);
    if (line.startsWith("$ ")) found.push({ command: line.slice(2), output: "" });
    else if (last === undefined) throw new Error(`Cannot read "${line}": no command before it`);
    else if (line.startsWith("> ") && last.output === "") last.command += `\n${line.slice(2)}`;
    else last.output += `${line}\n`;
  }
  return found;
}

/** A command with the ids of this run. */
export function bind(command: string, bindings: Bindings): string {
  return command.replace(new RegExp(`\\b${ID}\\b`, "g"), (id) => bindings.get(id) ?? id);
}

/** The pattern of a shown output; `names` are the ids that it captures, in order. */
function patternOf(
  shown: string,
  context: { readonly home: string; readonly bindings: Bindings },
): { readonly pattern: RegExp; readonly names: readonly string[] } {
  const names: string[] = [];
  let source = "";
  let end = 0;
  for (const match of shown.matchAll(PARTS)) {
    source += RegExp.escape(shown.slice(end, match.index));
    end = match.index + match[0].length;
    const [kind = ""] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ??
      [];
    source += kind === "home" ? RegExp.escape(context.home) : STANDS_FOR[kind] ?? idOf(match[0]);
  }
  return { pattern: new RegExp(`^${source}${RegExp.escape(shown.slice(end))}$`), names };

  function idOf(id: string): string {
    const known = context.bindings.get(id);
    if (known !== undefined) return known;
    const position = names.indexOf(id);
    if (position >= 0) return `\\${position + 1}`;
    names.push(id);
    return `(${ID})`;
  }
}

/** True when an output is what the document shows; the ids of the document are bound to those in it. */
export function matches(
  actual: string,
  options: { readonly shown: string; readonly home: string; readonly bindings: Bindings },
): boolean {
  const { pattern, names } = patternOf(options.shown, options);
  const match = pattern.exec(actual);
  names.forEach((name, index) => {
    const id = match?.[index + 1];
    if (id !== undefined) options.bindings.set(name, id);
  });
  return match !== null;
}
