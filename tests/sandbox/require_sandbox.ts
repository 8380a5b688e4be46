/** Registers tests that need a kernel feature or a user, and says why one was left out. */
import { findBubblewrap } from "../../src/sandbox/find_bubblewrap.ts";
import { probeHost } from "../../src/sandbox/host.ts";
import { REQUIRED_ABI } from "../../src/sandbox/landlock_abi.ts";
import { TempTree } from "./temp_tree.ts";
import { policyFor } from "./test_jail.ts";

/** What a test needs besides Landlock and seccomp. */
export interface Needs {
  /** The user must be root, because the test shows that root loses what only root has. */
  readonly root?: boolean;
  /** Programs of `/usr/bin` that the test runs. */
  readonly programs?: readonly string[];
}

/** What the host lacks for a real jail, in words; null when a jail can be started. */
function missingFeature(): string | null {
  const host = probeHost();
  if (!host.seccomp) return "the kernel has no seccomp filters";
  if (host.landlockAbi >= REQUIRED_ABI) return null;
  return `the kernel has Landlock ABI ${host.landlockAbi}, ${REQUIRED_ABI} is needed`;
}

function isInstalled(program: string): boolean {
  try {
    return Deno.statSync(`/usr/bin/${program}`).isFile;
  } catch {
    return false;
  }
}

function unmet(needs: Needs): string | null {
  if (needs.root && Deno.uid() !== 0) return "root is needed";
  const absent = needs.programs?.filter((program) => !isInstalled(program)) ?? [];
  return absent.length > 0 ? `not installed: ${absent.join(", ")}` : null;
}

/**
 * Registers a test that starts a real jail.
 *
 * Without the kernel features it is ignored, with the reason in its name; under `REQUIRE_SANDBOX=1` it fails instead, so
 * that a build server cannot lose these tests without a word. A missing user or program is always a reason to ignore.
 */
export function jailTest(name: string, run: () => Promise<void>, needs: Needs = {}): void {
  register(name, run, { needs, missing: missingFeature() });
}

/** Why bubblewrap cannot be used here, in words; null when it can. */
function missingBubblewrap(): string | null {
  using tree = new TempTree({ work: { directory: true }, tmp: { directory: true } });
  const found = findBubblewrap(policyFor(tree, "readonly"));
  return found.kind === "available" ? null : `bubblewrap: ${found.reason} (${found.remedy})`;
}

/** Registers a test that starts a jail of bubblewrap's; otherwise as `jailTest`. */
export function bubblewrapTest(name: string, run: () => Promise<void>, needs: Needs = {}): void {
  register(name, run, { needs, missing: missingBubblewrap() });
}

function register(
  name: string,
  run: () => Promise<void>,
  { needs, missing }: { readonly needs: Needs; readonly missing: string | null },
): void {
  const required = Deno.env.get("REQUIRE_SANDBOX") === "1";
  const reason = unmet(needs) ?? (required ? null : missing);
  Deno.test({
    name: reason === null ? name : `${name} (ignored: ${reason})`,
    ignore: reason !== null,
    fn: () => {
      if (missing !== null) throw new Error(`Cannot test the jail: ${missing}`);
      return run();
    },
  });
}
