/** Policies for tests that need no place of their own. */
import { loadPolicy } from "../../src/policy/load.ts";
import type { Policy } from "../../src/policy/policy.ts";

/** The built-in policy `default`, or one that changes it by the given document. */
export function testPolicy(changes: Readonly<Record<string, unknown>> = {}): Policy {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-policy-" });
  try {
    const path = `${directory}/policy.jsonc`;
    Deno.writeTextFileSync(path, JSON.stringify({ extends: "default", ...changes }));
    return loadPolicy({
      choice: path,
      envChoice: null,
      configDir: directory,
      variables: { WORKSPACE: "/work", HOME: "/home/u", TMP: "/tmp/private" },
      trustPolicy: true,
    });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}
