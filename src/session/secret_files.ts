/** Values to hide that stand in files, as `redact.values` of a policy names them. */
import { PolicyError, reasonOf } from "../errors.ts";
import { MIN_SECRET } from "../output/encoded_forms.ts";
import { readBoundedText } from "../policy/bounded_text.ts";
import type { ListedPath } from "../policy/policy.ts";
import type { NamedValue } from "./known_secrets.ts";

/** Largest accepted file in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Values of all files together: with all their encoded forms they must fit among the needles of a session. */
const MAX_VALUES = 512;
const ASSIGNED = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(["']?)(.*)\2$/;

/**
 * Read the values of all files: every line is one, and of a line `NAME=VALUE` what is assigned is one as well.
 *
 * @throws {PolicyError} for a file that cannot be read, and for a line that is too short to be hidden: a value that is
 * not hidden must be known before anything is shown.
 */
export function secretsInFiles(files: readonly ListedPath[]): NamedValue[] {
  const values = files.flatMap(valuesOf);
  const last = files.at(-1);
  if (last !== undefined && values.length > MAX_VALUES) {
    throw new PolicyError(
      `Cannot hide ${values.length} values of files: at most ${MAX_VALUES} are accepted`,
      last.source,
    );
  }
  return values;
}

function valuesOf(file: ListedPath): NamedValue[] {
  const refuse = (state: string): never => {
    throw new PolicyError(`Cannot hide the values of "${file.pattern}": ${state}`, file.source);
  };
  const label = file.pattern.slice(file.pattern.lastIndexOf("/") + 1);
  return textOf(file.pattern, refuse).split("\n").flatMap((written, index) => {
    const line = written.trim();
    if (line === "") return [];
    if (byteLength(line) < MIN_SECRET) {
      refuse(
        `line ${index + 1} is shorter than ${MIN_SECRET} bytes, which would hide harmless text`,
      );
    }
    const [, name = "", , value = ""] = ASSIGNED.exec(line) ?? [];
    const assigned = byteLength(value) < MIN_SECRET ? [] : [{ name, value }];
    return [...assigned, { name: label, value: line }];
  });
}

function textOf(path: string, refuse: (state: string) => never): string {
  try {
    return readBoundedText(path, MAX_BYTES);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return refuse("not found");
    return refuse(reasonOf(error));
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
