/**
 * What to try inside a jail so that its plan is proven: for each rule one small act that must work or must fail. What would
 * fail without the jail as well proves nothing, and is not tried.
 */
import { decideRun } from "../policy/check.ts";
import { formatLocation } from "../policy/denial.ts";
import { describeRule, listsAddress } from "../policy/match.ts";
import type { Rule } from "../policy/policy.ts";
import { parseRun } from "../policy/run_entry.ts";
import { hasWildcard, matchesWildcard } from "../policy/wildcard.ts";
import { quoteWord } from "../command/quote.ts";
import { refusedPath } from "../sandbox/denials.ts";
import { isReadable } from "../sandbox/host.ts";
import { syscall } from "../sandbox/linux/ffi.ts";
import { directoryNames, type FileStatus, realPath, status } from "../sandbox/linux/files.ts";
import type { Plan } from "../sandbox/plan.ts";
import type { PlannedRule } from "../sandbox/plan_rules.ts";
import { basename, dirname, join } from "node:path/posix";

/** One thing to try, or the reason why it cannot be. */
export type Probe =
  /** Bash that ends with 0 when the act gets through. */
  | {
    readonly kind: "act";
    readonly about: string;
    readonly script: string;
    readonly works: boolean;
    /** A file that it makes. */
    readonly leaves?: string;
  }
  /** Known without a jail. */
  | { readonly kind: "known"; readonly about: string; readonly holds: boolean }
  | { readonly kind: "skip"; readonly about: string; readonly reason: string };

/** What probes need besides the plan. */
export interface ProbeContext {
  readonly plan: Plan;
  /** A file of the state directory, which no policy can grant. */
  readonly hidden: string;
  /** Names of the variables that a command gets. */
  readonly env: readonly string[];
  /** A port of 127.0.0.1 on which something outside the jail listens. */
  readonly port: number;
}

const WRITE = 0o222;
const READ = 0o444;
/** Variables that bash makes itself. */
const BASH_OWN = ["PWD", "OLDPWD", "SHLVL", "_"];
/** Most files that one pattern is tried on. */
const MAX_MATCHES = 3;
/** Most entries that are looked at for a file. */
const MAX_LOOKS = 64;

/** True when mode and owner alone permit an act: a jailed root has no capability to go past them. */
function permits({ mode, uid }: FileStatus, bits: number): boolean {
  return (mode & bits & (uid === Deno.uid() ? 0o700 : 0o007)) !== 0;
}

/** Opens for reading; a directory too. */
function readScript(path: string): string {
  return `: <${quoteWord(path)}`;
}

/** Opens for writing and changes nothing; in a directory a file is made. */
function writeScript(path: string): string {
  return `: >>${quoteWord(path)}`;
}

/** What is tried of one file. */
function probeFile(
  plan: Plan,
  options: {
    readonly about: string;
    readonly permission: "read" | "write";
    readonly path: string;
    readonly denies: boolean;
  },
): Probe {
  const { about, permission, path, denies } = options;
  const skip = (reason: string): Probe => ({ kind: "skip", about, reason });
  const real = realPath(path);
  const info = real === null ? null : status(real, { follow: false });
  if (real === null || info === null) return skip("it does not exist");
  if (info.kind !== "file" && info.kind !== "directory") {
    return skip(`it is neither a file nor a directory`);
  }
  const reading = permission === "read";
  if (!permits(info, reading ? READ : WRITE) || !isReadable(real)) {
    return skip("its mode refuses it without the jail as well");
  }
  const directory = info.kind === "directory";
  if (reading && directory && denies) return skip("no file was found in it");
  const listed = reading && directory &&
    plan.grants.some((grant) => grant.list && grant.path === real);
  const works = listed || refusedPath(plan, { permission, path: real }) === null;
  if (reading) return { kind: "act", about, script: readScript(path), works };
  if (!directory) return { kind: "act", about, script: writeScript(path), works };
  const leaves = join(path, `.debrief-probe-${crypto.randomUUID()}`);
  return { kind: "act", about, script: writeScript(leaves), works, leaves };
}

/**
 * A file beneath a directory, null when the first few entries hold none. A denied directory is tried by one: where the
 * directory above may be listed, Landlock lets its names be listed, too.
 */
function fileBeneath(directory: string): string | null {
  const queue = [directory];
  for (let looked = 0; looked < MAX_LOOKS; looked++) {
    const path = queue.shift();
    if (path === undefined) return null;
    const kind = status(path, { follow: false })?.kind;
    if (kind === "file") return path;
    if (kind !== "directory") continue;
    queue.push(...(directoryNames(path) ?? []).slice(0, MAX_LOOKS).map((name) => join(path, name)));
  }
  return null;
}

/** The files that a rule is tried on: a pattern stands for some that match. */
function targetsOf({ effect, permission, pattern }: Rule): readonly string[] {
  const paths = matchesOf(pattern);
  return effect === "allow" || permission === "write"
    ? paths
    : paths.map((path) => fileBeneath(realPath(path) ?? path) ?? path);
}

function matchesOf(pattern: string): readonly string[] {
  const glob = basename(pattern);
  if (!hasWildcard(glob)) return [pattern];
  const directory = dirname(pattern);
  return (directoryNames(directory) ?? [])
    .filter((name) => matchesWildcard(glob, name, { single: true }))
    .slice(0, MAX_MATCHES).map((name) => join(directory, name));
}

function probePathRule(plan: Plan, { rule }: PlannedRule): readonly Probe[] {
  const about = `${describeRule(rule)} (${formatLocation(rule.source)})`;
  const permission = rule.permission as "read" | "write";
  const targets = targetsOf(rule);
  if (targets.length === 0) return [{ kind: "skip", about, reason: "nothing matches it" }];
  const probes = targets.map((path) =>
    probeFile(plan, { about, permission, path, denies: rule.effect === "deny" })
  );
  // The plan's word is what is tried; that it is also the rule's is checked here.
  const wrong = rule.effect === "deny" &&
    probes.some((probe) => probe.kind === "act" && probe.works);
  return wrong ? [{ kind: "known", about, holds: false }] : probes;
}

function probeRunRule(plan: Plan, { rule }: PlannedRule): Probe {
  const about = `${describeRule(rule)} (${formatLocation(rule.source)})`;
  if (rule.pattern === "*") return { kind: "skip", about, reason: "it is about every program" };
  const { program, words } = parseRun(rule.pattern);
  const literal = (word: string) => word.replaceAll("*", "x");
  const name = literal(program);
  const args = words.map(literal);
  const { allowed } = decideRun({ name, args, text: [name, ...args].join(" ") }, plan.policy);
  if (rule.effect === "deny") return { kind: "known", about, holds: !allowed };
  return allowed
    ? { kind: "known", about, holds: true }
    : { kind: "skip", about, reason: "a deny covers it" };
}

function probeNet({ plan, port }: ProbeContext): readonly Probe[] {
  const works = plan.net === "all" || listsAddress(plan.policy, { host: "127.0.0.1", port });
  const about = `net: connecting to a server outside the jail ${works ? "works" : "fails"}`;
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}`;
  return [{ kind: "act", about, script, works }];
}

function probeSignals(): Probe {
  const about = "signals: processes outside the jail cannot be reached";
  const parent = Deno.ppid;
  const reachable = status(`/proc/${parent}`, { follow: true })?.uid === Deno.uid() &&
    syscall("kill", parent, 0) === 0;
  return reachable
    ? { kind: "act", about, script: `kill -0 ${parent}`, works: false }
    : { kind: "skip", about, reason: "no process of this user is there to try" };
}

function probeEnv({ env }: ProbeContext): Probe {
  const names = [...env, ...BASH_OWN].join(" ");
  const script = `for n in $(compgen -e); do case ${
    quoteWord(` ${names} `)
  } in *" $n "*) ;; *) exit 1 ;; esac; done`;
  return { kind: "act", about: "env: no other variable than the listed", script, works: true };
}

/** Everything that can be tried of a plan. */
export function probesOf(context: ProbeContext): readonly Probe[] {
  const { plan, hidden } = context;
  const own = (act: string, script: string): Probe => ({
    kind: "act",
    about: `Debrief's own state cannot be ${act}`,
    script,
    works: false,
  });
  return [
    ...plan.rules.flatMap((planned): readonly Probe[] => {
      const { rule: { permission }, enforced, reason } = planned;
      if (enforced === "unsupported") {
        const about = `${describeRule(planned.rule)} (${formatLocation(planned.rule.source)})`;
        return [{ kind: "skip", about, reason: `not enforced: ${reason}` }];
      }
      if (permission === "read" || permission === "write") return probePathRule(plan, planned);
      return permission === "run" ? [probeRunRule(plan, planned)] : [];
    }),
    own("read", readScript(hidden)),
    own("written", writeScript(hidden)),
    ...probeNet(context),
    probeEnv(context),
    probeSignals(),
  ];
}
