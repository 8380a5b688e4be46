/** One user's little world: a home with secrets, a workspace, and files that no command may reach. */
import { dirname, join } from "node:path";
import { type InstalledProgram, type Program, run } from "./program.ts";
import type { User } from "./sandbox_users.ts";

/** The content of every file that must stay secret. */
export const SECRET = "kept-from-commands";

/** Files of the home that no command may read, by the names under which tools keep them. */
export const SECRET_FILES = [
  ".ssh/id_ed25519",
  ".ssh/known_hosts",
  ".gnupg/private-keys-v1.d/key",
  ".aws/credentials",
  ".azure/accessTokens.json",
  ".config/gcloud/credentials.db",
  ".config/gh/hosts.yml",
  ".config/debrief/notes",
  ".docker/config.json",
  ".kube/config",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".pgpass",
  ".bash_history",
  ".python_history",
  ".zsh_history",
  ".claude/settings.json",
  "diary.txt",
] as const;

/** How a program ended. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings of one start. */
export interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** The directories, deleted at the end. */
export class Place implements AsyncDisposable {
  readonly root: string;
  readonly #user: User;
  readonly #program: Program;

  private constructor(root: string, parts: { user: User; program: Program }) {
    this.root = root;
    this.#user = parts.user;
    this.#program = parts.program;
  }

  /** Create the directories and give them to the user. */
  static async create(installed: InstalledProgram, user: User): Promise<Place> {
    const root = await Deno.makeTempDir({ prefix: "escape-" });
    const place = new Place(root, { user, program: await installed.as(user) });
    for (const path of SECRET_FILES) await place.write(`home/${path}`, `${SECRET}\n`);
    await place.write("home/.bashrc", "# start-up file\n");
    await place.write("home/.gitconfig", "[user]\n\tname = A\n\temail = a@example.org\n");
    await place.write("outside/secret", `${SECRET}\n`);
    await place.write("outside/victim", "unharmed\n");
    for (const name of ["doomed", "directory/file", "movable/file"]) {
      await place.write(`outside/${name}`, "unharmed\n");
    }
    await place.write("work/.git/HEAD", "ref: refs/heads/main\n");
    await place.write("private/copies/record", "a copy\n");
    await Deno.mkdir(join(root, "private/tmp"));
    for (const name of ["tmp", "state", "outside/empty"]) await Deno.mkdir(join(root, name));
    await place.own();
    return place;
  }

  /** True when commands run as root. */
  get isRoots(): boolean {
    return this.#user.uid === 0;
  }

  /** The directory that commands work in. */
  get workspace(): string {
    return join(this.root, "work");
  }

  /** Write a file, given by its path beneath the root, with the directories above it. */
  async write(path: string, text: string, mode = 0o644): Promise<void> {
    const absolute = join(this.root, path);
    await Deno.mkdir(dirname(absolute), { recursive: true });
    await Deno.writeTextFile(absolute, text);
    await Deno.chmod(absolute, mode);
  }

  /** Give everything to the user. */
  async own(): Promise<void> {
    if (Deno.uid() === 0) {
      await run("chown", "-R", `${this.#user.uid}:${this.#user.gid}`, this.root);
    }
  }

  /** The environment in which everything is started. */
  get environment(): Readonly<Record<string, string>> {
    return {
      HOME: join(this.root, "home"),
      XDG_STATE_HOME: join(this.root, "state"),
      PATH: "/usr/local/bin:/usr/bin:/bin",
      TMPDIR: join(this.root, "tmp"),
      LANG: "C.UTF-8",
    };
  }

  /** The words that start Debrief with the given arguments. */
  words(...args: readonly string[]): readonly string[] {
    return [...this.#program.argv, ...args];
  }

  /** Run Debrief with the given arguments. */
  debrief(args: readonly string[], start: Start = {}): Promise<Result> {
    return this.bare(this.words(...args), {
      ...start,
      env: { ...this.#program.environment, ...start.env },
    });
  }

  /** Run a program without a jail: the control of what a jail refuses. */
  async bare([program, ...args]: readonly string[], start: Start = {}): Promise<Result> {
    const child = this.spawn([program!, ...args], start);
    const output = child.output();
    if (start.stdin !== undefined) {
      const writer = child.stdin.getWriter();
      // A program that ends before it has read everything closes the pipe: not this test's matter.
      await writer.write(new TextEncoder().encode(start.stdin)).catch(() => {});
      await writer.close().catch(() => {});
    }
    const { code, stdout, stderr } = await output;
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  }

  /** Start a program as the user, without waiting for it. */
  spawn([program, ...args]: readonly string[], start: Start = {}): Deno.ChildProcess {
    const { uid, gid } = this.#user;
    return new Deno.Command(program!, {
      args: [...args],
      cwd: start.cwd ?? this.workspace,
      clearEnv: true,
      env: { ...this.environment, ...this.#program.environment, ...start.env },
      stdin: start.stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
      ...(Deno.uid() === 0 ? { uid, gid } : {}),
    }).spawn();
  }

  /** Every file beneath the given directories with its mode, links and content: what must not change. */
  async picture(...directories: readonly string[]): Promise<string> {
    const list = directories.map((name) => join(this.root, name));
    return await run(
      "find",
      ...list,
      "-printf",
      "%p %y %m %n %s %l\\n",
      "-type",
      "f",
      "-exec",
      "cat",
      "{}",
      ";",
    );
  }

  /** Another process of the user, which does nothing until it is disposed of. */
  idle(): Deno.ChildProcess {
    const { uid, gid } = this.#user;
    return new Deno.Command("sleep", {
      args: ["600"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
      ...(Deno.uid() === 0 ? { uid, gid } : {}),
    }).spawn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Trees may be deeper than the test process can walk, and directories may be closed.
    await run("chmod", "-R", "u+rwX", this.root).catch(() => "");
    await run("rm", "-rf", "--", this.root);
  }
}
