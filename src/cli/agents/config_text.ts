/**
 * Changes to the text of a configuration that keep its comments, its unknown keys and its order. After each change the
 * text is read again: what it says must be what was meant, else nothing is written.
 */
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml, patch, stringify } from "@decimalturn/toml-patch";
import { type Assignment, equal, isTable, type KeyPath, type Table } from "./config_change.ts";
import { valueAt, withValue } from "./config_change.ts";
import { assignInJsonc } from "./jsonc_edit.ts";

/** The languages of the agents' configurations. */
export type ConfigFormat = "jsonc" | "toml";

/** One way to read and change a text. */
interface Language {
  read(text: string): unknown;
  assign(text: string, assignment: Assignment): string;
}

const JSONC: Language = {
  read(text) {
    if (text.trim() === "") return {};
    const errors: ParseError[] = [];
    const value = parse(text, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error === undefined) return value;
    const line = text.slice(0, error.offset).split("\n").length;
    throw new Error(`${printParseErrorCode(error.error)} in line ${line}`);
  },
  assign: assignInJsonc,
};

/** A table of its own at the end reads best, but is not always what the text before it allows. */
function appended(text: string, { path, value }: { path: KeyPath; value: Table }): string {
  const nested = path.reduceRight<Table>((inner, key) => ({ [key]: inner }), value);
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  const header = path.map((key) => /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));
  const body = stringify({ ...value }).trimEnd() + "\n";
  const result = `${text}${gap}[${header.join(".")}]\n${body}`;
  return equal(valueAt(parseToml(result), path), valueAt(nested, path)) ? result : text;
}

const TOML: Language = {
  read: (text) => parseToml(text),
  assign(text, { path, value }) {
    const table = parseToml(text) as Table;
    const wanted = withValue(table, path, value);
    try {
      const result = isTable(value) && path.length > 1 && valueAt(table, path) === undefined
        ? appended(text, { path, value })
        : text;
      if (equal(parseToml(result), wanted)) return result;
    } catch {
      // The text does not allow it: the library finds a place.
    }
    return patch(text, wanted);
  },
};

const LANGUAGES: Readonly<Record<ConfigFormat, Language>> = { jsonc: JSONC, toml: TOML };

/** Read a configuration. An empty text is an empty table. @throws {Error} when it is not well-formed or no table. */
export function readConfig(text: string, format: ConfigFormat): Table {
  const value = LANGUAGES[format].read(text);
  if (!isTable(value)) throw new Error("it is no table of keys");
  return value;
}

/**
 * The text with one key changed.
 *
 * @throws {Error} when the text cannot be changed so that it says just that.
 */
export function assignInText(
  text: string,
  { assignment, format }: { readonly assignment: Assignment; readonly format: ConfigFormat },
): string {
  const wanted = withValue(readConfig(text, format), assignment.path, assignment.value);
  const result = LANGUAGES[format].assign(text, assignment);
  if (equal(readConfig(result, format), wanted)) return result;
  throw new Error(
    `Cannot change "${assignment.path.join(".")}" and keep all else: edit it by hand`,
  );
}
