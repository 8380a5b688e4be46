/** Reading and replacing files of the user whole. */
import { readWithin, replaceFile, type Replacement } from "../replace_file.ts";
import type { AgentScope } from "./agent_names.ts";

/** Bytes of a configuration that are read; agents' own files are far smaller. */
const CONFIG_BYTES = 64 * 1024 * 1024;

/** The text of a file, null where there is none. @throws {Error} for what is no file of text. */
export function readText(path: string): string | null {
  try {
    const { size, isFile } = Deno.statSync(path);
    if (!isFile || size > CONFIG_BYTES) {
      throw new Error(`Cannot use "${path}": it is no ordinary file of text`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Deno.readFileSync(path),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (error instanceof TypeError) throw new Error(`Cannot use "${path}": it is not UTF-8`);
    throw error;
  }
}

/** The files of one installation. Those of a project lie where commands can write: there no link is followed. */
export class ConfigFiles {
  readonly #project: string | null;

  /** @param wish.project without links. */
  constructor({ scope, project }: { readonly scope: AgentScope; readonly project: string }) {
    this.#project = scope === "project" ? project : null;
  }

  /** The text of a file, null where there is none. @throws {Error} for what is no file of text. */
  read(path: string): string | null {
    const within = this.#within(path);
    return within === null ? readText(path) : readWithin(path, within);
  }

  /** Replace a file that was read before. @throws {Error} as `replaceFile`. */
  replace(path: string, { now, text }: Pick<Replacement, "now" | "text">): void {
    replaceFile(path, { now, text, mode: 0o600, within: this.#within(path) });
  }

  #within(path: string): string | null {
    const project = this.#project;
    return project !== null && path.startsWith(`${project}/`) ? project : null;
  }
}

/** Remove a file; nothing where there is none. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
