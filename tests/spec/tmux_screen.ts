/** Runs a program on a terminal that tmux draws: keys are sent, the screen is read. */
import { join } from "node:path/posix";
import type { TestPlace } from "../session/test_session.ts";

const TMUX = "/usr/bin/tmux";

/** Longest wait for a screen in ms, on the slowest of machines. */
const WAIT_MS = 60_000;

/** Time between two looks at the screen, in ms. */
const LOOK_MS = 40;

/** The file of settings: programs may copy, and their end stays to be seen. */
const SETTINGS = `
set -g status off
set -g remain-on-exit on
set -g default-terminal screen-256color
set -s set-clipboard on
set -s escape-time 0
`;

/** What is run, and on which terminal. */
export interface ScreenOptions {
  readonly place: TestPlace;
  readonly words: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Registers a test that needs tmux. Without it the test is ignored; on a build server that is a failure. */
export function tmuxTest(name: string, run: () => Promise<void>): void {
  const isThere = hasTmux();
  const isRequired = Deno.env.get("CI") === "true" || Deno.env.get("REQUIRE_SANDBOX") === "1";
  const ignore = !isThere && !isRequired;
  Deno.test({
    name: ignore ? `${name} (ignored: tmux is not installed)` : name,
    ignore,
    fn: () => {
      if (!isThere) throw new Error(`Cannot test the screen: ${TMUX} is not installed`);
      return run();
    },
  });
}

function hasTmux(): boolean {
  try {
    return Deno.statSync(TMUX).isFile;
  } catch {
    return false;
  }
}

/** A terminal of its own server, which ends with it. */
export class TmuxScreen {
  readonly #socket: string;
  readonly #env: Readonly<Record<string, string>>;

  /** Starts the program. */
  constructor({ place, words, columns, rows, env }: ScreenOptions) {
    this.#socket = place.at(`tmux-${crypto.randomUUID().slice(0, 8)}`);
    this.#env = { ...place.environment, DENO_DIR: packages(), ...env };
    const size = ["-x", `${columns}`, "-y", `${rows}`];
    const settings = place.write("tmux.conf", SETTINGS);
    // One word alone would be given to the user's shell, and not every user has one.
    const program = ["/usr/bin/env", ...words];
    this.#tmux(["-f", settings, "new-session", "-d", ...size, "-c", place.at("work"), ...program]);
  }

  /** The text of the screen, without blanks at the ends of lines. With `styled` styles stay, as escape sequences. */
  text({ styled = false } = {}): string {
    return this.#tmux(["capture-pane", "-p", ...(styled ? ["-e"] : [])])
      .split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();
  }

  /** Presses keys, as tmux names them (`Enter`, `Down`, `x`). */
  press(...keys: readonly string[]): void {
    this.#tmux(["send-keys", ...keys]);
  }

  /** Pastes text as a terminal does that was asked to mark pastes. */
  paste(text: string): void {
    this.#tmux(["set-buffer", text]);
    this.#tmux(["paste-buffer", "-p"]);
  }

  /** Changes the size of the terminal. */
  resize(columns: number, rows: number): void {
    this.#tmux(["resize-window", "-x", `${columns}`, "-y", `${rows}`]);
  }

  /** What tmux says of the terminal, in its format language: `#{pane_title}`. */
  say(format: string): string {
    return this.#tmux(["display-message", "-p", format]).trimEnd();
  }

  /** What a program asked to copy. */
  copied(): string {
    return this.#tmux(["show-buffer"]);
  }

  /** Waits until the screen is as wanted and gives its text. @throws {Error} with the screen when it never is. */
  async until(wanted: string | ((text: string) => boolean)): Promise<string> {
    const isThere = typeof wanted === "string" ? (text: string) => text.includes(wanted) : wanted;
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const text = this.text();
      if (isThere(text)) return text;
      if (performance.now() > end) {
        throw new Error(`The screen never showed ${wanted}, but:\n${text}`);
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
  }

  /** Waits for the end of the program and gives its exit status. */
  async status(): Promise<number> {
    await this.until(() => this.say("#{pane_dead}") === "1");
    await this.until(() => {
      const isKnown = this.say("#{pane_dead_status}") !== "";
      // tmux 3.3a sees the terminal's end first, and then at times leaves the program a zombie until the next signal.
      if (!isKnown) Deno.kill(Number(this.say("#{pid}")), "SIGCHLD");
      return isKnown;
    });
    return Number(this.say("#{pane_dead_status}"));
  }

  /** Ends the program and the server, and waits for both, so that the place can be removed. */
  [Symbol.dispose](): void {
    const pids = [this.say("#{pid}"), this.say("#{pane_pid}")];
    this.#tmux(["kill-server"]);
    const nap = new Int32Array(new SharedArrayBuffer(4));
    const end = performance.now() + WAIT_MS;
    while (pids.some(isRunning) && performance.now() < end) Atomics.wait(nap, 0, 0, LOOK_MS);
  }

  #tmux(args: readonly string[]): string {
    const { success, stdout, stderr } = new Deno.Command(TMUX, {
      args: ["-u", "-S", this.#socket, ...args],
      clearEnv: true,
      env: { ...this.#env, LC_ALL: "C.UTF-8" },
      stdin: "null",
    }).outputSync();
    const [text, problem] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (!success) throw new Error(`Cannot run tmux ${args.join(" ")}: ${problem}`);
    return text ?? "";
  }
}

/** Where the source's packages are kept: with another HOME they would be fetched again. */
function packages(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/", ".cache");
  return Deno.env.get("DENO_DIR") ?? join(cache, "deno");
}

function isRunning(pid: string): boolean {
  try {
    return !Deno.readTextFileSync(`/proc/${pid}/stat`).includes(") Z ");
  } catch {
    return false;
  }
}

const ROOT = join(import.meta.dirname!, "../..");

/** The words that start `debrief review`: the compiled program that `DEBRIEF_BINARY` names, else the source. */
export function reviewWords(args: readonly string[] = []): readonly string[] {
  const binary = Deno.env.get("DEBRIEF_BINARY");
  if (binary) return [binary, "review", ...args];
  // By the lock file: without it Deno asks the registry which versions the screen's libraries need.
  const flags = ["run", "--quiet", "--no-prompt", "--cached-only", "--frozen", "-A"];
  return [Deno.execPath(), ...flags, join(ROOT, "main.ts"), "review", ...args];
}
