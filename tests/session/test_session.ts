/** A session around a temporary workspace, driven in-process the way that a front end drives it. */
import { prepareSpawn } from "../../src/sandbox/linux/posix_spawn.ts";
import { join } from "node:path/posix";
import { close, open, prctl } from "../../src/sandbox/linux/ffi.ts";
import { OPEN, PR } from "../../src/sandbox/linux/uapi.ts";
import type { CommandRecord } from "../../src/record/record.ts";
import { readNewest } from "../../src/record/read.ts";
import type { CommandRequest } from "../../src/session/carry_out.ts";
import type { CommandText } from "../../src/session/decide.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { Session } from "../../src/session/session.ts";
import type { SessionContext, SessionOptions } from "../../src/session/session_context.ts";

// A library that a test opened would count as its leak.
prepareSpawn();

/** The event that ends a command. */
export type Finished = Extract<SessionEvent, { kind: "finished" }>;

/** What one command came to. */
export interface Ran extends Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly kinds: readonly SessionEvent["kind"][];
}

/** How a test's session differs from an ordinary one. */
export interface TestOptions extends Partial<Omit<SessionOptions, "environment">> {
  readonly environment?: Readonly<Record<string, string>>;
  /** A policy document: it is written outside of the workspace and chosen. */
  readonly policyText?: string;
  /** A place to work in that outlives the session. */
  readonly place?: TestPlace;
}

/** Directories of a user: `home`, `state`, `tmp`, `work` with `.git`, and `outside`, which no policy grants. */
export class TestPlace {
  readonly root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-session-" }));

  constructor() {
    for (const name of ["home", "tmp", "work/.git", "outside"]) {
      Deno.mkdirSync(this.at(name), { recursive: true });
    }
  }

  /** An absolute path. */
  at(name: string): string {
    return join(this.root, name);
  }

  /** Write a file and return its path. */
  write(name: string, text: string, mode = 0o644): string {
    const path = this.at(name);
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.writeTextFileSync(path, text);
    Deno.chmodSync(path, mode);
    return path;
  }

  /** The environment of the shell itself. */
  get environment(): Record<string, string> {
    return {
      HOME: this.at("home"),
      XDG_STATE_HOME: this.at("state"),
      TMPDIR: this.at("tmp"),
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LANG: "C.UTF-8",
    };
  }

  /** Records of the journal, oldest first. */
  records(): readonly CommandRecord[] {
    return readNewest({ directory: this.at("state/debrief"), limit: 1000 }).records.toReversed();
  }

  /** What is left in the temporary directory. */
  leftovers(): readonly string[] {
    return [...Deno.readDirSync(this.at("tmp"))].map(({ name }) => name);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** An open session. */
export class TestSession {
  readonly session: Session;
  readonly place: TestPlace;
  readonly #owned: boolean;
  readonly #stdin: number;

  constructor(options: TestOptions = {}) {
    const { environment, policyText, place, ...rest } = options;
    this.place = place ?? new TestPlace();
    this.#owned = place === undefined;
    const policy = policyText === undefined ? null : this.place.write("policy.jsonc", policyText);
    this.#stdin = open("/dev/null", OPEN.RDONLY);
    try {
      this.session = Session.open({
        environment: { ...this.place.environment, ...environment },
        cwd: this.place.at("work"),
        policy,
        trustPolicy: false,
        journal: null,
        workspace: null,
        timeoutMs: 20_000,
        task: null,
        passThrough: false,
        ansi: false,
        keepsState: true,
        ...rest,
      });
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  get context(): Readonly<SessionContext> {
    return this.session.context;
  }

  /** Run shell text, or exact words. */
  async run(
    what: string | readonly string[],
    request: Partial<Omit<CommandRequest, "text">> & { readonly parameters?: readonly string[] } =
      {},
  ): Promise<Ran> {
    const { parameters, ...rest } = request;
    const text: CommandText = typeof what === "string"
      ? { kind: "script", source: what, ...(parameters ? { parameters } : {}) }
      : { kind: "argv", argv: what };
    const shown = { stdout: "", stderr: "" };
    const kinds: SessionEvent["kind"][] = [];
    let finished: Finished | null = null;
    await this.session.run({ text, stdin: this.#stdin, ...rest }, (event) => {
      kinds.push(event.kind);
      if (event.kind === "output") shown[event.stream] += event.text;
      if (event.kind === "finished") finished = event;
    });
    if (finished === null) throw new Error("no end was reported");
    return { ...(finished as Finished), ...shown, kinds };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    this.#release();
  }

  #release(): void {
    close(this.#stdin);
    prctl(PR.SET_CHILD_SUBREAPER, 0);
    if (this.#owned) this.place[Symbol.dispose]();
  }
}
