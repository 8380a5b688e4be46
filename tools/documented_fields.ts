/** Fields of a type or constant together with their documentation comments, read from source text. */
export interface Documented {
  readonly name: string;
  /** The type as written; the value for a constant. */
  readonly type: string;
  /** The comment as one paragraph, empty without one. */
  readonly doc: string;
}

const DECLARATION = (name: string) =>
  new RegExp(`^export (?:interface|const) ${name}\\b[^{\\n]*\\{\\n(.*?)^\\}`, "ms");

const FIELD =
  /^ {2}(?:\/\*\*(?<doc>(?:(?!\*\/).)*)\*\/\s+)?(?:readonly )?(?<name>\w+)\??: *(?<type>.*?)[;,]$/gms;

/**
 * The fields of an exported interface or object constant, in order.
 *
 * @throws {Error} when the text has no such declaration.
 */
export function documentedFields(source: string, declaration: string): readonly Documented[] {
  const body = DECLARATION(declaration).exec(source)?.[1];
  if (body === undefined) throw new Error(`Cannot read "${declaration}": it is not declared`);
  return [...body.matchAll(FIELD)].map(({ groups = {} }) => ({
    name: groups.name ?? "",
    type: plain(groups.type ?? "").replaceAll("readonly ", "").replace(/^\| /, ""),
    doc: plain((groups.doc ?? "").replaceAll(/^ *\* ?/gm, "")),
  }));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
