/** Loads policies from text for the tests of this directory. */
import { type LoadOptions, loadPolicy } from "../../src/policy/load.ts";
import type { Policy, PolicyVariables } from "../../src/policy/policy.ts";

/** Variables that lead to no existing path. */
export const VARIABLES: PolicyVariables = {
  WORKSPACE: "/work/project",
  HOME: "/home/user",
  TMP: "/tmp/session",
};

/** A directory of files that is removed with `using`. */
export class PolicyDirectory {
  readonly path: string;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    this.path = Deno.realPathSync(Deno.makeTempDirSync());
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | Uint8Array): void {
    const path = `${this.path}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }

  load(name: string, options: Partial<LoadOptions> = {}): Policy {
    return loadPolicy({
      choice: `${this.path}/${name}`,
      envChoice: null,
      configDir: `${this.path}/no-such-directory`,
      variables: VARIABLES,
      trustPolicy: false,
      ...options,
    });
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** Loads one policy from its text. */
export function policyOf(
  text: string | Record<string, unknown>,
  options: Partial<LoadOptions> = {},
): Policy {
  using directory = new PolicyDirectory({
    "p.jsonc": typeof text === "string" ? text : JSON.stringify(text),
  });
  return directory.load("p.jsonc", options);
}

/** Returns the message of the error that loading a text ends in, with the file's path replaced by `F`. */
export function errorOf(text: string | Uint8Array | Record<string, unknown>): string {
  const content = typeof text === "string" || text instanceof Uint8Array
    ? text
    : JSON.stringify(text);
  using directory = new PolicyDirectory({ "p.jsonc": content });
  try {
    directory.load("p.jsonc");
  } catch (error) {
    if (error instanceof Error) return error.message.replaceAll(`${directory.path}/p.jsonc`, "F");
    throw error;
  }
  throw new Error("the policy was accepted");
}
