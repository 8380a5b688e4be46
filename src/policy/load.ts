/** Finds, loads and checks the policy of a session. An invalid policy stops the program; nothing falls back to another. */
import { PolicyError, reasonOf, UsageError } from "../errors.ts";
import { loadLayers, parseChoice, type PolicyLayer, type PolicyOrigin } from "./extend.ts";
import { describeRule } from "./match.ts";
import { mergeLayers } from "./merge.ts";
import { narrowPolicy } from "./narrow.ts";
import { resolveAbsolute } from "./paths.ts";
import type { Policy, PolicyVariables } from "./policy.ts";
import { findWritableFile } from "./writable_file.ts";

/** Where a policy is looked for, and what its entries mean. */
export interface LoadOptions {
  /** `--policy`: a built-in name or a path; null when the flag was not given. */
  readonly choice: string | null;
  /** The value of `DEBRIEF_POLICY`; null or empty when it is not set. */
  readonly envChoice: string | null;
  /** The user's configuration directory (`.../debrief`), which may hold `policy.jsonc`. */
  readonly configDir: string;
  readonly variables: PolicyVariables;
  /** `--trust-policy`: accept a policy file that commands can change. */
  readonly trustPolicy: boolean;
}

/** A policy together with the files that it was read from. */
interface Loaded {
  readonly policy: Policy;
  readonly layers: readonly PolicyLayer[];
}

/**
 * Loads the policy that the user chose: `choice`, else `DEBRIEF_POLICY`, else the user's `policy.jsonc`, else `default`.
 *
 * When the user has a `policy.jsonc`, `DEBRIEF_POLICY` can only narrow it: whoever starts the shell sets the environment, and that may
 * be a project's script.
 *
 * @throws {UsageError} When the choice names nothing or cannot be read.
 * @throws {PolicyError} When a policy file is invalid, or writable for commands without `trustPolicy`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { checkRun, loadPolicy } from "@debrief/debrief";
 *
 * const path = Deno.makeTempFileSync({ suffix: ".jsonc" });
 * Deno.writeTextFileSync(path, '{ "extends": "readonly", "run": { "deny": ["git push"] } }');
 * const variables = { WORKSPACE: "/work", HOME: "/home/me", TMP: "/var/tmp/private" };
 * const configDir = "/nonexistent";
 * const policy = loadPolicy({ choice: path, envChoice: null, configDir, variables, trustPolicy: false });
 * const push = { name: "git", args: ["-C", "x", "push"], text: "git -C x push" };
 * assertEquals(checkRun([push], policy).map(({ rule }) => rule), ['run.deny "git push"']);
 * ```
 */
export function loadPolicy(options: LoadOptions): Policy {
  const loaded = choose(options);
  const policy = loaded.map((one) => one.policy).reduce(narrowPolicy);
  if (!options.trustPolicy) refuseWritable(policy, loaded.flatMap((one) => one.layers));
  return policy;
}

function choose({ choice, envChoice, configDir, variables }: LoadOptions): Loaded[] {
  const cwd = Deno.cwd();
  const own = resolveAbsolute(configDir, "policy.jsonc");
  if (choice !== null) return [load(parseChoice(choice, cwd), variables)];
  const user = exists(own) ? [load({ kind: "file", path: own }, variables)] : [];
  if (envChoice) return [...user, load(parseChoice(envChoice, cwd), variables)];
  return user.length > 0 ? user : [load({ kind: "builtin", name: "default" }, variables)];
}

function load(origin: PolicyOrigin, variables: PolicyVariables): Loaded {
  const layers = loadLayers(origin);
  const name = origin.kind === "builtin" ? origin.name : origin.path;
  return { policy: mergeLayers(layers, { name, variables }), layers };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    const state = reasonOf(error);
    throw new UsageError(`Cannot look for the policy "${path}": ${state}`);
  }
}

function refuseWritable(policy: Policy, layers: readonly PolicyLayer[]): void {
  const paths = layers.map((layer) => layer.path).filter((path) => path !== null);
  refuseWritableFile(policy, { paths, what: "policy file" });
  const values = policy.redact.values.map((file) => file.pattern);
  refuseWritableFile(policy, { paths: values, what: "file of redacted values" });
}

function refuseWritableFile(
  policy: Policy,
  files: { readonly paths: readonly string[]; readonly what: string },
): void {
  const writable = findWritableFile(policy, files.paths);
  if (!writable) return;
  const { path, rule } = writable;
  throw new PolicyError(
    `Cannot use the ${files.what} "${path}": commands could change it, because ${
      describeRule(rule)
    } covers it; ` +
      `move the file, or accept it with --trust-policy`,
    rule.source,
  );
}
