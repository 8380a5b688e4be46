/** Where the examples of one document run: a home, a project in it, and `debrief` on PATH. */
import { join } from "node:path";
import { ROOT } from "./documents.ts";

/** The program under test; without it Debrief runs from its source. */
const BINARY = Deno.env.get("DEBRIEF_BINARY");

/** True when the examples run the compiled program, which alone can be called from inside its own jail. */
export const IS_COMPILED = BINARY !== undefined;

const decoder = new TextDecoder();

/** Where Deno keeps its packages: the examples have another home, and none of them may need the network. */
export function denoDir(): string {
  const { DENO_DIR, XDG_CACHE_HOME, HOME } = Deno.env.toObject();
  return DENO_DIR ?? join(XDG_CACHE_HOME ?? join(HOME ?? "/", ".cache"), "deno");
}

/** What `deno task start` runs, with the files named absolutely. */
function startCommand(): string {
  const { tasks } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  const [, verb, ...words] = (tasks.start.command as string).split(" ");
  const files = words.map((word) => word === "main.ts" ? join(ROOT, word) : word);
  return [Deno.execPath(), verb, "--no-lock", ...files].map((word) => `'${word}'`).join(" ");
}

function installDebrief(path: string): void {
  if (BINARY !== undefined) return Deno.symlinkSync(BINARY, path);
  const script = `#!/bin/sh\nDENO_DIR='${denoDir()}' exec ${startCommand()} "$@"\n`;
  Deno.writeTextFileSync(path, script, { mode: 0o755 });
}

/** What a command of an example did. */
export interface Run {
  readonly status: number;
  /** Both streams in order. */
  readonly output: string;
}

/** A home directory for the examples of one document. */
export class ExamplePlace {
  readonly #base: string;
  readonly home: string;
  readonly project: string;

  /** Creates home, project (a new git repository) and program. */
  constructor() {
    this.#base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-docs-" }));
    this.home = join(this.#base, "home");
    this.project = join(this.home, "project");
    for (const path of [this.project, join(this.#base, "bin"), this.#temporary]) {
      Deno.mkdirSync(path, { recursive: true });
    }
    installDebrief(join(this.#base, "bin/debrief"));
    const made = this.run("git init --quiet --initial-branch=main");
    if (made.status !== 0) throw new Error(`Cannot create a repository: ${made.output}`);
  }

  get #temporary(): string {
    return join(this.#base, "tmp");
  }

  /** Run a command in the project as a person's shell would. `before` is `$?` as it finds it. */
  run(command: string, before = 0): Run {
    const source = `exec 2>&1\n(exit ${before})\n${command}`;
    const environment = {
      HOME: this.home,
      PATH: `${join(this.#base, "bin")}:/usr/local/bin:/usr/bin:/bin`,
      TMPDIR: this.#temporary,
      LANG: "C.UTF-8",
      USER: "you",
    };
    return this.#bash(source, { cwd: this.project, environment });
  }

  /** Run a task of the repository, as the documents ask for, with the Deno that runs the tests. */
  runTask(words: string): Run {
    const environment = {
      HOME: this.home,
      PATH: `${join(this.#base, "bin")}:/usr/local/bin:/usr/bin:/bin`,
      TMPDIR: this.#temporary,
      DENO_DIR: denoDir(),
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
    };
    return this.#bash(`exec 2>&1\n'${Deno.execPath()}' ${words}`, { cwd: ROOT, environment });
  }

  /** Write a file that the document names, `~/` being the home. */
  write(path: string, text: string): string {
    const file = path.replace(/^~/, this.home);
    Deno.mkdirSync(join(file, ".."), { recursive: true });
    Deno.writeTextFileSync(file, text);
    return file;
  }

  #bash(
    source: string,
    options: { readonly cwd: string; readonly environment: Record<string, string> },
  ): Run {
    const { code, stdout } = new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-c", source],
      cwd: options.cwd,
      env: options.environment,
      clearEnv: true,
      stdin: "null",
      stderr: "null",
    }).outputSync();
    return { status: code, output: decoder.decode(stdout) };
  }

  /** Remove everything. */
  [Symbol.dispose](): void {
    Deno.removeSync(this.#base, { recursive: true });
  }
}
