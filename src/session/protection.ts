/** What is protected in a session, before and after each of its commands. */
import { join } from "node:path/posix";
import { SystemCallError } from "../errors.ts";
import { coversPath, decidePath } from "../policy/match.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";
import { realPathOfMaybeAbsent } from "../sandbox/exclusions.ts";
import { JailError } from "../sandbox/jail.ts";
import { status } from "../sandbox/linux/files.ts";
import type { ProtectedFile } from "../sandbox/protect/executable.ts";
import { ProtectedPaths } from "../sandbox/protect/protected_paths.ts";

/** What a session's protection is made from. */
export interface ProtectionParts {
  readonly policy: Policy;
  readonly variables: PolicyVariables;
  /** Debrief's own executable, null where commands cannot write it. */
  readonly executable: ProtectedFile | null;
  /** The user's state directory. */
  readonly state: string;
}

/** What was found. */
export interface Protected {
  /** What was put back, in words. */
  readonly changed: readonly string[];
  readonly notices: readonly string[];
}

/** How to look. */
export interface ProtectionCheck {
  /** Processes of the session still run. */
  readonly busy: boolean;
  /** How long the command took; null looks everywhere for repositories. */
  readonly tookMs: number | null;
  /** Deletes a directory from inside the jail. */
  readonly remove: (path: string) => Promise<void>;
}

/** Directories that a wide grant covers and that hold no files of the user's. */
const SYSTEM = ["/proc", "/sys", "/dev"];

/** Directory beneath the state directory through which sessions tell each other what they have seen. */
const SHARED = "protected";

/** Said when something was put back while others could go on changing it. */
const STILL_RUNNING =
  "processes that go on running can change protected files again until the next check, after the next command";

/** Real paths of the directories that commands write, but for the private one, which ends with the session. */
function rootsOf({ policy, variables }: ProtectionParts): readonly string[] {
  const allowed = policy.write.allow.map(({ pattern }) => realPathOfMaybeAbsent(pattern));
  const writes = (path: string) => allowed.some((pattern) => coversPath(pattern, path));
  // The home directory is looked at on its own where a grant is too wide to be walked.
  const wide = [variables.WORKSPACE, variables.HOME].filter(writes);
  const excluded = [...SYSTEM, variables.TMP];
  return [...new Set([...allowed, ...wide])].filter((path) =>
    status(path, { follow: false })?.kind === "directory" &&
    !excluded.some((one) => coversPath(one, path))
  );
}

/** @throws {JailError} for what keeps sessions from telling each other what they have seen. */
function orRefuse<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SystemCallError || error instanceof SyntaxError)) throw error;
    throw new JailError(`Cannot share "${directory}" with other sessions: ${error.message}`);
  }
}

/** The protection of one session. */
export class Protection {
  readonly #executable: ProtectedFile | null;
  readonly #paths: ProtectedPaths | null;
  readonly #policyFiles: ReadonlySet<string>;
  readonly #shared: string;
  /** A process ran on after the last check. */
  #ran = false;
  #pending = false;

  /** Takes down what is there now. @throws {JailError} when the state directory cannot be used. */
  constructor(parts: ProtectionParts) {
    const { policy, variables } = parts;
    const roots = rootsOf(parts);
    const excepted = policy.protect.except.map(({ pattern }) => realPathOfMaybeAbsent(pattern));
    const allowed = policy.write.allow.map(({ pattern }) => realPathOfMaybeAbsent(pattern));
    this.#executable = parts.executable;
    this.#shared = join(parts.state, SHARED);
    this.#paths = roots.length === 0 ? null : orRefuse(this.#shared, () =>
      new ProtectedPaths({
        roots,
        anchors: [...roots.filter((path) => path !== "/"), variables.WORKSPACE, variables.HOME],
        paths: [
          ...policy.protect.add.map(({ pattern }) => pattern),
          ...policy.files.filter((file) => file.startsWith("/")),
        ],
        excepted,
        isWritable: (path) =>
          allowed.some((pattern) => coversPath(pattern, path)) ||
          decidePath(policy, { permission: "write", path }).allowed,
        home: variables.HOME,
        shared: this.#shared,
      }));
    this.#policyFiles = new Set(
      policy.files.filter((file) => file.startsWith("/")).map((file) =>
        realPathOfMaybeAbsent(file)
      ),
    );
  }

  /** True when something may have changed that was not looked at yet. */
  get pending(): boolean {
    return this.#pending;
  }

  /**
   * Before a command; `busy` when a process of the session runs already.
   *
   * @throws {JailError} when nothing can be protected beside other sessions, or the policy is not the user's.
   */
  begin(busy: boolean): void {
    const policy = orRefuse(this.#shared, () => this.#paths?.begin({ quiet: !busy }) ?? []).find((
      path,
    ) => this.#policyFiles.has(path));
    if (policy !== undefined) {
      throw new JailError(
        `Cannot use the policy file "${policy}": another session's command has changed it`,
      );
    }
    this.#ran ||= busy;
    this.#pending = true;
  }

  /** After a command, or at the end of the session. */
  async check({ busy, tookMs, remove }: ProtectionCheck): Promise<Protected> {
    const report = this.#paths?.check({ all: busy || this.#ran, walk: tookMs ?? "whole" });
    this.#ran = busy;
    this.#pending = busy || tookMs !== null;
    for (const path of report?.doomed ?? []) await remove(path).catch(() => {});
    const executable = this.#executable?.restore() ?? null;
    if (!busy && tookMs !== null) this.#rest();
    const changed = [...report?.restored ?? [], ...(executable === null ? [] : [executable])];
    return {
      changed: [...new Set(changed)],
      notices: [
        ...report?.notices ?? [],
        ...(busy && changed.length > 0 ? [STILL_RUNNING] : []),
      ],
    };
  }

  #rest(): void {
    try {
      this.#paths?.rest();
    } catch (error) {
      // Others then go on taking its last look for what has to be: too strict, and never too little.
      if (!(error instanceof SystemCallError)) throw error;
    }
  }

  /** Let go of what is open. */
  close(): void {
    this.#paths?.close();
  }
}
