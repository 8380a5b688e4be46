/**
 * Which refusals of the sandbox a command met, found from what it complained about.
 *
 * The kernel tells nobody but the command why a call failed. So a complaint alone is never enough: a path or host that
 * it names must also be one that the plan refuses. A permission error that the policy did not cause is not reported.
 */
import { dirname, isAbsolute, join, resolve } from "node:path/posix";
import { denial, type Refusal } from "../policy/denial.ts";
import { coversPath, decideNet, decidePath } from "../policy/match.ts";
import type { Denial, Rule } from "../policy/policy.ts";
import { mayExecute } from "./execution.ts";
import { type FileStatus, realPath, status } from "./linux/files.ts";
import { hostIn, type HostInLine, isBashSocket, isConnectionOnly } from "./net_complaints.ts";
import type { Plan } from "./plan.ts";

/** A path that the script itself names, with the access that it would need. */
export interface NamedPath {
  readonly permission: "read" | "write";
  readonly path: string;
}

/** What is known of the command besides its complaints. */
export interface AttributionContext {
  readonly cwd: string;
  readonly home: string;
  /** Redirection targets and words of the script that look like paths; only used to tell reading from writing. */
  readonly named: readonly NamedPath[];
}

const MAX_DENIALS = 16;
const MAX_UNPROXIED = 4;
/** Landlock answers EACCES. EPERM comes from ownership and capabilities, which no rule of a policy is about. */
const MISSING = /no such file or directory|enoent/i;
const FILE_COMPLAINT = /permission denied|eacces|read-only file system/i;
/** Mounting is no command's to do, whatever is mounted where. */
const NO_FILE = /^u?mount: /;
/** Absolute or home-relative paths in a line, quoted or bare. */
const PATHS = /(?:^|[\s'"`:=(<\u2018])((?:~|\.{1,2})?\/[^\s'"`:<>()\u2019]+|~)/g;
const QUOTED = /['"`\u2018]([^'"`\u2018\u2019]{1,400})['"`\u2019]/g;
/** `prog: NAME: Permission denied`, where NAME has no slash. */
const BARE = /(?:^|: )([^\s:'"][^:'"]{0,200}): (?:permission denied|read-only file system)/i;
function pathsIn(line: string, context: AttributionContext): readonly string[] {
  const found = new Set<string>();
  const paths = [...line.matchAll(PATHS)];
  // A program that complains under its full name is not what it complains about.
  const own = paths.length > 1 && paths[0]!.index === 0 && line[paths[0]![0].length] === ":";
  for (const match of own ? paths.slice(1) : paths) found.add(match[1]!);
  for (const match of line.matchAll(QUOTED)) found.add(match[1]!);
  const bare = line.match(BARE)?.[1];
  if (bare) found.add(bare);
  return [...found].map((path) => {
    if (path === "~" || path.startsWith("~/")) return join(context.home, path.slice(1));
    return isAbsolute(path) ? resolve(path) : resolve(context.cwd, path);
  });
}

/** Words by which a program says that it meant to change something. */
const WRITES =
  /\b(creat|writ|mkdir|remov|unlink|delet|renam|mov|touch|truncat|chang|sav|append|link|instal|lock)/i;

/** What a shell says of a script whose interpreter it cannot start: nothing was to be changed. */
const EXECUTION = /bad interpreter/i;

/** A refusal with the rule behind it; `note` says why the rule applies where that cannot be seen from it. */
export interface PathRefusal {
  readonly permission: "read" | "write" | "run";
  readonly rule: Rule | null;
  readonly note?: string;
}

/**
 * The plan's own answer, not only the policy's: a directory that holds something denied is granted entry by entry.
 *
 * @param path a real path. @returns null when the plan grants it.
 */
export function refusedPath(
  plan: Plan,
  { permission, path }: NamedPath,
): PathRefusal | null {
  const cover = plan.covering.covers.find((cover) =>
    coversPath(cover.path, path) && (permission === "write" || !cover.readable)
  );
  if (
    !cover && plan.grants.some((grant) => grant[permission] && coversPath(grant.path, path))
  ) return null;
  const { allowed, rule } = decidePath(plan.policy, { permission, path });
  if (!allowed) return { permission, rule };
  if (cover?.isProtected) {
    return { permission, rule: null, note: "protected: protect.except would lift it" };
  }
  const below = plan.policy[permission].deny.find(({ pattern }) => coversPath(path, pattern));
  return { permission, rule: below ?? null, note: "granted entry by entry" };
}

/** The access that was refused: what the script says of the path, else what the line says, else what the plan lacks. */
function refusalOf(
  path: string,
  options: { line: string; plan: Plan; context: AttributionContext },
): PathRefusal | null {
  const info = status(path, { follow: true });
  const decide = (permission: "read" | "write") =>
    (permission === "write" ? !changeableByMode(path) : isUnreadableByMode(info))
      ? null
      : refusedPath(options.plan, { permission, path: realPath(path) ?? path });
  const named = options.context.named.find((entry) => entry.path === path);
  if (named) return decide(named.permission);
  // A missing file cannot be refused for reading: the kernel then says that it is missing.
  if (info === null) return decide("write");
  if (WRITES.test(options.line)) {
    return decide("write") ?? (readableByMode(info) ? decide("read") : null);
  }
  return decide("read") ?? refusedExecution(options.plan, path, info) ??
    (readableByMode(info) && !EXECUTION.test(options.line) ? decide("write") : null);
}

/** A program that may be read and, by its mode, be executed, and that no rule of `run` lets be. */
function refusedExecution(plan: Plan, path: string, info: FileStatus): PathRefusal | null {
  const byMode = info.kind === "file" && permitted(info, 0o111);
  if (!byMode || mayExecute(plan.execution, realPath(path) ?? path)) return null;
  return { permission: "run", rule: null, note: "no listed program lies there" };
}

function permitted({ mode, uid }: FileStatus, bits: number): boolean {
  return (mode & bits & (uid === Deno.uid() ? 0o700 : 0o077)) !== 0;
}

/**
 * True when a file's mode lets the user read it, so that reading cannot be what failed. A jailed root has no capability
 * either, so only ownership and mode count.
 */
function readableByMode({ mode, uid }: FileStatus): boolean {
  return (mode & (uid === Deno.uid() ? 0o400 : 0o004)) !== 0;
}

/** True when a file's mode keeps the user from reading it, whatever groups the user is in. */
function isUnreadableByMode(info: FileStatus | null): boolean {
  return info !== null && (info.mode & (info.uid === Deno.uid() ? 0o400 : 0o044)) === 0;
}

/**
 * False when neither a path nor the directory above it can be changed by its mode, so that the policy is not what refused
 * it. Whoever belongs to its group may be this user.
 */
function changeableByMode(path: string): boolean {
  return [path, dirname(path)].some((one) => {
    const info = status(one, { follow: true });
    if (info === null) return false;
    return (info.mode & (info.uid === Deno.uid() ? 0o200 : 0o022)) !== 0;
  }) || status(dirname(path), { follow: true }) === null;
}

/** True when connections to a host fail whoever listens there, and nobody but the program knows of it. */
function isCutOff({ kind }: HostInLine, plan: Plan): boolean {
  // Supervised connections are reported exactly. Elsewhere there is no network but a loopback device of the command's own.
  return !plan.supervised && (kind === "address" || (kind === "loopback" && !plan.loopback));
}

/** The host that a line says could not be reached, if the policy refuses it. */
function refusedHost(line: string, plan: Plan) {
  const target = plan.net === "all" ? null : hostIn(line);
  if (target === null) return null;
  // By host the proxy decides, and reports it exactly; what goes past it can fail for its name only.
  if (plan.net === "proxy" && target.kind !== "name") return null;
  if (isConnectionOnly(line) && !isCutOff(target, plan)) return null;
  const { allowed, rule } = decideNet(plan.policy, target);
  return allowed ? null : { resource: target.resource, rule };
}

/**
 * Hosts that the policy allows and that a program could not find, because it went past the proxy: at most 4, in order of
 * appearance.
 */
export function unproxiedHosts(lines: readonly string[], plan: Plan): readonly string[] {
  if (plan.net !== "proxy") return [];
  const found = lines.map(hostIn).filter((target) =>
    target?.kind === "name" && decideNet(plan.policy, target).allowed
  );
  return [...new Set(found.map((target) => target!.host))].slice(0, MAX_UNPROXIED);
}

/**
 * Attribute complaints to the plan.
 *
 * @param lines redacted lines of the output that look like complaints.
 * @returns at most 16 denials, each resource once, in order of appearance.
 */
export function attributeDenials(
  lines: readonly string[],
  options: { plan: Plan; context: AttributionContext },
): Denial[] {
  const { plan, context } = options;
  // Nothing is refused by what is not there.
  if (plan.backend.kind === "none") return [];
  const found = new Map<string, Denial>();
  const add = (resource: string, refusal: Pick<Refusal, "permission" | "rule" | "note">) => {
    const key = `${refusal.permission} ${resource}`;
    if (!found.has(key) && found.size < MAX_DENIALS) {
      found.set(key, denial(plan.policy, { ...refusal, resource, by: "sandbox" }));
    }
  };
  for (const line of lines) {
    const missing = plan.backend.kind === "bubblewrap" && MISSING.test(line);
    const about = (FILE_COMPLAINT.test(line) || missing) && !NO_FILE.test(line);
    if (about && !isBashSocket(line)) {
      for (const path of pathsIn(line, context)) {
        // In a jail of mounts what is not granted does not exist; what does not exist outside either was not refused.
        if (missing && status(path, { follow: true }) === null) continue;
        const refusal = refusalOf(path, { line, plan, context });
        if (refusal) add(path, refusal);
      }
    }
    const refused = refusedHost(line, plan);
    if (refused) add(refused.resource, { permission: "net", rule: refused.rule });
  }
  return [...found.values()];
}
