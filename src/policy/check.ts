/**
 * Decides which programs of a script the `run` rules refuse, on the parse tree, before anything runs.
 *
 * The two effects match differently on purpose. An **allow** needs certainty: the same program, and the pattern's words as
 * exactly the leading arguments. A **deny** must be hard to dodge: the words may occur anywhere among the arguments as long as
 * their order is kept (`git -C x push origin --force` is covered by `git push --force`), the program may be reached by any path, and
 * an argument that is known only at run time counts as every word that it could be.
 */
import type { Denial, Policy, Rule } from "./policy.ts";
import { denial } from "./denial.ts";
import type { RuleDecision } from "./match.ts";
import { baseName, parentOf, resolveAbsolute } from "./paths.ts";
import { parseRun, type RunPattern } from "./run_entry.ts";
import { SUBCOMMAND_PROGRAMS } from "./subcommand_programs.ts";
import { matchesWildcard } from "./wildcard.ts";

/** One program that a script can start, as far as its text says. */
export interface RunnableProgram {
  /** The program's word after quotes are removed; null when it is known only at run time. */
  readonly name: string | null;
  /** The arguments after quotes are removed; null stands for any number of them that are known only at run time. */
  readonly args: readonly (string | null)[];
  /** The source text, for messages. */
  readonly text: string;
  /** True when the shell itself carries it out: then no permission is needed, but a deny still holds. */
  readonly builtin?: boolean;
}

/** Directories whose programs a bare name in an allow stands for; the default of the shell's own search path. */
const SYSTEM_DIRECTORIES = new Set([
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
]);

const DYNAMIC_NAME = "the program is known only when the script runs";
const DYNAMIC_ARGUMENT = "an argument that is known only when the script runs could match";

/**
 * Returns one denial for each refused program, in order and without repetitions; empty when all may run.
 *
 * A program whose name is known only at run time is refused unless `run` allows everything; then it passes, even where deny rules
 * exist, because the jail and not this check is the boundary.
 */
export function checkRun(programs: readonly RunnableProgram[], policy: Policy): Denial[] {
  const rules = { allow: parseRules(policy.run.allow), deny: parseRules(policy.run.deny) };
  const denials = programs.map((program) => {
    const refusal = refuse(program, rules);
    return refusal &&
      denial(policy, { permission: "run", resource: program.text, by: "policy", ...refusal });
  }).filter((found) => found !== null);
  return [...new Map(denials.map((found) => [JSON.stringify(found), found])).values()];
}

/** What is decided about one program, with the rule behind it. */
export interface RunDecision extends RuleDecision {
  /** Why the rule applies where that cannot be seen from it. */
  readonly note: string | null;
}

/** Decide about one program as `checkRun` does, and say by which rule also where it may run. */
export function decideRun(program: RunnableProgram, policy: Policy): RunDecision {
  const rules = { allow: parseRules(policy.run.allow), deny: parseRules(policy.run.deny) };
  const refusal = refuse(program, rules);
  if (refusal) return { allowed: false, rule: refusal.rule, note: refusal.note ?? null };
  const { name, args } = program;
  const granting = rules.allow.find(({ pattern }) =>
    pattern === null || (name !== null && matchesAllowed(pattern, name, args))
  );
  const note = granting ? null : "the shell carries it out itself";
  return { allowed: true, rule: granting?.rule ?? null, note };
}

/** True when `run` is a list, also an empty one: then what it does not name may not be started. */
export function listsPrograms({ run }: Policy): boolean {
  const everything = ({ pattern }: Rule) => pattern === "*";
  return !run.allow.some(everything) || run.deny.some(everything);
}

/** True when an allow pattern surely covers a program: the same program, and exactly the leading arguments. */
function matchesAllowed(
  pattern: RunPattern,
  name: string,
  args: readonly (string | null)[],
): boolean {
  if (!isAllowedProgram(pattern.program, name)) return false;
  return pattern.words.every((word, index) => {
    const arg = args[index];
    // What is known only at run time may be no word or several: every place after it is uncertain, too.
    const known = args.slice(0, index).every((earlier) => earlier !== null);
    return known && typeof arg === "string" && matchesWildcard(word, arg);
  });
}

/** Whether a deny pattern covers a program: surely, because a dynamic part could match, or not at all. */
export function matchesDenied(
  pattern: RunPattern,
  name: string,
  args: readonly (string | null)[],
): "yes" | "possibly" | "no" {
  if (!isDeniedProgram(pattern.program, name)) return "no";
  if (isOtherSubcommand(pattern, name, args)) return "no";
  let next = 0;
  for (const arg of args) {
    const word = pattern.words[next];
    if (word === undefined) break;
    if (arg === null) return "possibly";
    if (matchesWildcard(word, arg)) next++;
  }
  return next === pattern.words.length ? "yes" : "no";
}

/** A rule with its pattern taken apart; null for the one that covers everything. */
interface ParsedRule {
  readonly rule: Rule;
  readonly pattern: RunPattern | null;
}

function parseRules(rules: readonly Rule[]): ParsedRule[] {
  return rules.map((rule) => ({
    rule,
    pattern: rule.pattern === "*" ? null : parseRun(rule.pattern),
  }));
}

function refuse(
  { name, args, builtin }: RunnableProgram,
  { allow, deny }: { readonly allow: readonly ParsedRule[]; readonly deny: readonly ParsedRule[] },
): { readonly rule: Rule | null; readonly note?: string } | null {
  const everything = deny.find(({ pattern }) => pattern === null);
  if (everything) return { rule: everything.rule };
  const allowsAll = allow.some(({ pattern }) => pattern === null);
  if (name === null) return allowsAll ? null : { rule: null, note: DYNAMIC_NAME };
  for (const { rule, pattern } of deny) {
    const match = pattern ? matchesDenied(pattern, name, args) : "no";
    if (match === "yes") return { rule };
    if (match === "possibly") return { rule, note: DYNAMIC_ARGUMENT };
  }
  if (allowsAll || builtin) return null;
  return allow.some(({ pattern }) => pattern && matchesAllowed(pattern, name, args))
    ? null
    : { rule: null };
}

function isAllowedProgram(pattern: string, name: string): boolean {
  if (!name.includes("/")) return matchesWildcard(pattern, name);
  if (!name.startsWith("/")) return false;
  const path = resolveAbsolute("/", name);
  if (pattern.startsWith("/")) return path === pattern;
  return SYSTEM_DIRECTORIES.has(parentOf(path)) &&
    matchesWildcard(pattern, baseName(path));
}

function isDeniedProgram(pattern: string, name: string): boolean {
  const base = baseName(name);
  if (!pattern.startsWith("/")) return matchesWildcard(pattern, base);
  // A bare or relative name may lead to the path that is denied.
  return name.startsWith("/") ? resolveAbsolute("/", name) === pattern : base === baseName(pattern);
}

function isOtherSubcommand(
  pattern: RunPattern,
  name: string,
  args: readonly (string | null)[],
): boolean {
  const word = pattern.words[0] ?? "-";
  const first = args[0] ?? "-";
  // "+" begins a toolchain for cargo and rustup; after an option, the next word may be its value.
  const isOption = /^[-+]/.test(first) || /^[-+]/.test(word);
  if (isOption || !SUBCOMMAND_PROGRAMS.has(baseName(name))) return false;
  return !matchesWildcard(word, first);
}
