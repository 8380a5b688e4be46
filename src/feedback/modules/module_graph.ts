/**
 * The modules of a provider, read once: the file that the policy names, and what it imports by relative path. No file of
 * them may be one that commands can change, or a command would speak with Debrief's voice.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path/posix";
import { PolicyError, reasonOf, type SourceLocation } from "../../errors.ts";
import { readBoundedText } from "../../policy/bounded_text.ts";
import { describeRule } from "../../policy/match.ts";
import type { Policy } from "../../policy/policy.ts";
import { findWritableFile } from "../../policy/writable_file.ts";
import { shortText } from "../../record/visible_text.ts";
import type { ProviderModule } from "./provider_protocol.ts";
import type { ProviderThread } from "./provider_thread.ts";

/** Modules of one provider, and bytes of each. */
const MAX = { modules: 32, bytes: 262_144 } as const;
/** Time in which one module is translated, in ms. */
const TRANSLATE_MS = 20_000;

/** What a provider consists of. */
export interface ModuleGraph {
  /** The file that the policy names first. */
  readonly modules: readonly ProviderModule[];
  /** SHA-256 (hex) over the paths and texts of all files. */
  readonly sha256: string;
}

/** What to read. */
export interface GraphRequest {
  /** Name of the provider. */
  readonly name: string;
  /** Absolute path as the policy names it. */
  readonly path: string;
  /** Where it does. */
  readonly source: SourceLocation;
  readonly policy: Policy;
}

/**
 * Reads a provider's modules.
 *
 * @param translator a thread that is nobody else's meanwhile; it stays open.
 * @throws {PolicyError} when one cannot be read, could be changed by commands, or imports what is not accepted; the
 *   message names file and import.
 */
export async function readModuleGraph(
  request: GraphRequest,
  translator: ProviderThread,
): Promise<ModuleGraph> {
  const hash = createHash("sha256");
  const modules: ProviderModule[] = [];
  const first = realFile(request, { path: request.path, from: null });
  const pending = [first];
  const seen = new Set(pending);
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    const source = readText(request, path);
    hash.update(JSON.stringify([path, source]));
    const order = { kind: "translate", path, source } as const;
    const { code, specifiers } = await translator
      .order(order, { reply: "translated", timeoutMs: TRANSLATE_MS })
      .catch((error: Error) => {
        throw refuseProvider(request, `"${path}": ${shortText(error.message, 200)}`);
      });
    const imports: Record<string, string> = {};
    for (const specifier of specifiers) {
      const target = resolveImport(request, { specifier, from: path });
      imports[specifier] = target;
      if (!seen.has(target)) pending.push(target);
      seen.add(target);
    }
    modules.push({ path, code, imports });
    if (seen.size > MAX.modules) {
      throw refuseProvider(request, `it has more than ${MAX.modules} modules`);
    }
  }
  return { modules, sha256: hash.digest("hex") };
}

/** A module that cannot be used. */
/** The error for a provider that cannot be used. */
export function refuseProvider({ name, source }: GraphRequest, state: string): PolicyError {
  return new PolicyError(`Cannot use the provider "${name}": ${state}`, source);
}

function resolveImport(
  request: GraphRequest,
  { specifier, from }: { readonly specifier: string; readonly from: string },
): string {
  const shown = `"${from}" imports "${shortText(specifier, 200)}"`;
  if (!/^\.{1,2}\//.test(specifier)) {
    throw refuseProvider(
      request,
      `${shown}: relative paths and imports of types alone are accepted`,
    );
  }
  if (!/\.m?[tj]s$/.test(specifier)) {
    throw refuseProvider(request, `${shown}: .ts, .mts, .js and .mjs are accepted`);
  }
  return realFile(request, { path: join(dirname(from), specifier), from: shown });
}

/** The real path of a file that commands cannot change; also no link on the way to it may be theirs. */
function realFile(
  request: GraphRequest,
  { path, from }: { readonly path: string; readonly from: string | null },
): string {
  const what = from === null ? `"${path}"` : `${from}, and "${path}"`;
  let real: string;
  try {
    real = Deno.realPathSync(path);
  } catch (error) {
    const state = error instanceof Deno.errors.NotFound ? "does not exist" : String(error);
    throw refuseProvider(request, `${what} ${state}`);
  }
  const writable = findWritableFile(request.policy, [path, real]);
  if (writable !== null) {
    const rule = describeRule(writable.rule);
    throw refuseProvider(
      request,
      `${what} could be changed by commands, because ${rule} covers it`,
    );
  }
  return real;
}

function readText(request: GraphRequest, path: string): string {
  try {
    return readBoundedText(path, MAX.bytes);
  } catch (error) {
    const state = reasonOf(error);
    throw refuseProvider(request, `Cannot read "${path}": ${state}`);
  }
}
