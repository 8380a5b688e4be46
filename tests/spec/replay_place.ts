/** A directory for replays: a workspace with one working directory, and a home, state and temporary directory beside it. */
import { join } from "node:path/posix";
import type { CommandRecord } from "../../src/record/record.ts";
import { sandboxedEnvironment } from "./sandboxed_environment.ts";
import type { CaseFile } from "./replay_table.ts";

/** Where real bash and Debrief take turns, so that every path is the same for both. */
export class ReplayPlace {
  readonly #root: string;
  /** The working directory, a subdirectory of the workspace. */
  readonly cwd: string;

  constructor() {
    this.#root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "replay-" }));
    this.cwd = join(this.#root, "workspace/case");
    Deno.mkdirSync(this.cwd, { recursive: true });
    for (const name of ["home", "tmp", "workspace/.git"]) Deno.mkdirSync(join(this.#root, name));
  }

  /** The environment of Debrief itself. */
  get environment(): Record<string, string> {
    return sandboxedEnvironment(this.#root);
  }

  /** Empty the working directory and put files into it. */
  prepare(files: readonly CaseFile[]): void {
    for (const { name } of [...Deno.readDirSync(this.cwd)]) {
      Deno.removeSync(join(this.cwd, name), { recursive: true });
    }
    for (const { name, text, mode } of files) {
      const path = join(this.cwd, name);
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeTextFileSync(path, text, { mode });
    }
  }

  /** A file outside of the working directory with this text, or the empty device; what becomes standard input. */
  input(text: string | null): string {
    if (text === null) return "/dev/null";
    const path = join(this.#root, "stdin");
    Deno.writeTextFileSync(path, text);
    return path;
  }

  /** The records of the journal, oldest first. */
  records(): readonly CommandRecord[] {
    const path = join(this.#root, "state/debrief/journal.jsonl");
    const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line));
  }

  /** Remove everything. */
  [Symbol.dispose](): void {
    Deno.removeSync(this.#root, { recursive: true });
  }
}
