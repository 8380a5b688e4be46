/** A policy and everything that it extends, as a list of layers, base first. */
import { PolicyError, reasonOf, type SourceLocation, UsageError } from "../errors.ts";
import {
  BUILTIN_NAMES,
  builtinDocument,
  builtinLabel,
  type BuiltinName,
  isBuiltin,
} from "./builtins.ts";
import { PolicyDocument, readPolicyText } from "./document.ts";
import { nearest } from "./nearest.ts";
import { parentOf, resolveAbsolute } from "./paths.ts";
import { validatePolicy } from "./problems.ts";
import type { PolicyFile } from "./schema.ts";
import { showValue } from "./show_value.ts";

/** Longest chain of `extends`. */
const MAX_CHAIN = 8;

/** Most files of one policy: without it, a few files that extend each other widely would take long to load. */
const MAX_FILES = 64;

/** One file of a policy. */
export interface PolicyLayer {
  readonly document: PolicyDocument;
  readonly value: PolicyFile;
  /** Directory of the file; null for a built-in policy. */
  readonly directory: string | null;
  /** The path by which the file was reached, absolute; null for a built-in policy. */
  readonly path: string | null;
}

/** A place to load a policy from. */
export type PolicyOrigin =
  | { readonly kind: "builtin"; readonly name: BuiltinName }
  | { readonly kind: "file"; readonly path: string };

/**
 * Decides what a user's choice names: a built-in policy or, when it holds a slash or ends in `.json` or `.jsonc`, a file.
 *
 * @throws {UsageError} For any other word: a typo must not fall back to anything.
 */
export function parseChoice(choice: string, directory: string): PolicyOrigin {
  if (isBuiltin(choice)) return { kind: "builtin", name: choice };
  if (choice.includes("/") || /\.jsonc?$/.test(choice)) {
    return { kind: "file", path: resolveAbsolute(directory, choice) };
  }
  const near = nearest(choice, BUILTIN_NAMES);
  const hint = near ? `did you mean "${near}"; ` : "";
  throw new UsageError(
    `Cannot use the policy "${choice}": there is no built-in policy of this name; ${hint}accepted are ${
      BUILTIN_NAMES.join(", ")
    }, or the path of a .jsonc file`,
  );
}

/**
 * Loads a policy and what it extends. A file that is reached twice counts at its first place only, so that two
 * parents with a common base do not undo each other.
 *
 * @throws {UsageError} When the chosen file cannot be read.
 * @throws {PolicyError} When any file is invalid, extends itself, or cannot be found.
 */
export function loadLayers(origin: PolicyOrigin): readonly PolicyLayer[] {
  const loader = new LayerLoader();
  loader.add(origin, { chain: [], from: null });
  return loader.layers;
}

/** Who asked for a file. */
interface Request {
  readonly chain: readonly string[];
  readonly from: SourceLocation | null;
}

class LayerLoader {
  readonly layers: PolicyLayer[] = [];
  readonly #seen = new Set<string>();

  add(origin: PolicyOrigin, request: Request): void {
    const key = keyOf(origin, request.from);
    if (request.chain.includes(key)) {
      throw refuse(`it extends itself: ${[...request.chain, key].join(" -> ")}`, key, request.from);
    }
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (request.chain.length >= MAX_CHAIN) {
      throw refuse(`more than ${MAX_CHAIN} files extend each other`, key, request.from);
    }
    if (this.#seen.size > MAX_FILES) {
      throw refuse(`the policy has more than ${MAX_FILES} files`, key, request.from);
    }
    const file = origin.kind === "file";
    const { document, value } = file ? read(origin, { key, from: request.from }) : builtin(origin);
    const layer = {
      document,
      value,
      directory: file ? parentOf(key) : null,
      path: file ? origin.path : null,
    };
    this.#addParents(layer, [...request.chain, key]);
    this.layers.push(layer);
  }

  #addParents(layer: PolicyLayer, chain: readonly string[]): void {
    const parents = layer.value.extends ?? [];
    const names = typeof parents === "string" ? [parents] : parents;
    for (const [index, name] of names.entries()) {
      const from = layer.document.locate(
        typeof parents === "string" ? ["extends"] : ["extends", index],
      );
      this.add(parseParent(name, layer, from), { chain, from });
    }
  }
}

function parseParent(name: string, layer: PolicyLayer, from: SourceLocation): PolicyOrigin {
  if (isBuiltin(name)) return { kind: "builtin", name };
  if (/^(?:\.{1,2})?\//.test(name)) {
    return { kind: "file", path: resolveAbsolute(layer.directory ?? "/", name) };
  }
  const near = nearest(name, BUILTIN_NAMES);
  const hint = near ? `did you mean "${near}"; ` : "";
  throw new PolicyError(
    `Cannot extend ${showValue(name)}: ${hint}accepted are ${
      BUILTIN_NAMES.join(", ")
    }, or a path beginning with "./", "../" or "/"`,
    from,
  );
}

/** What tells a file from others: its real path. */
function keyOf(origin: PolicyOrigin, from: SourceLocation | null): string {
  if (origin.kind === "builtin") return builtinLabel(origin.name);
  try {
    return Deno.realPathSync(origin.path);
  } catch (error) {
    throw refuse(stateOf(error), origin.path, from);
  }
}

function textOf(
  { path }: Extract<PolicyOrigin, { kind: "file" }>,
  { key, from }: { readonly key: string; readonly from: SourceLocation | null },
): string {
  try {
    return readPolicyText(key);
  } catch (error) {
    throw refuse(stateOf(error), path, from);
  }
}

/** A document, and its value as the schema gives it. */
type Checked = Pick<PolicyLayer, "document" | "value">;

function read(
  origin: Extract<PolicyOrigin, { kind: "file" }>,
  at: { readonly key: string; readonly from: SourceLocation | null },
): Checked {
  const document = new PolicyDocument(textOf(origin, at), at.key);
  const { value, problems } = validatePolicy(document.value);
  if (value === null) throw document.error(problems);
  return { document, value };
}

/** The schema has accepted it when Debrief was made. */
function builtin({ name }: Extract<PolicyOrigin, { kind: "builtin" }>): Checked {
  const document = builtinDocument(name);
  return { document, value: document.value as PolicyFile };
}

function refuse(state: string, file: string, from: SourceLocation | null): UsageError {
  const message = from
    ? `Cannot extend "${file}": ${state}`
    : `Cannot use the policy "${file}": ${state}`;
  return from ? new PolicyError(message, from) : new UsageError(message);
}

function stateOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "it cannot be read: permission denied";
  return reasonOf(error);
}
