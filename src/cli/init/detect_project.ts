/** What a project consists of, told by the files that describe it. Nothing of it is run, and of its words only plain ones are taken. */
import { join } from "node:path/posix";
import { parse as parseJsonc } from "@std/jsonc";
import { canonicalHost } from "../../policy/net_entry.ts";
import { isProjectFile, projectText } from "./project_files.ts";

/** One thing that was found. */
export interface Toolchain {
  /** In a word. */
  readonly name: string;
  /** The file that says so. */
  readonly file: string;
  /** Where its packages come from, `host:port`. */
  readonly hosts: readonly string[];
  /** Commands that check the project. */
  readonly checks: readonly string[];
  /** Commands that hand something to everybody. */
  readonly publishes: readonly string[];
  /** True for one whose builds take minutes. */
  readonly slow: boolean;
}

/** A project. */
export interface Project {
  readonly toolchains: readonly Toolchain[];
  /** Where the remote `origin` is fetched from by HTTPS, `host:port`; null when it is not. */
  readonly remote: string | null;
}

/** Names of scripts, tasks and targets that check something. */
const CHECKS: readonly string[] = ["test", "lint", "typecheck", "check", "build"];

const NPM = ["registry.npmjs.org:443"];

/** What is looked for, in the order in which a project of several lists them. */
const LOOKS: readonly ((at: Look) => Toolchain | null)[] = [node, deno, rust, python, go, make];

/** A project's directory, looked at. */
class Look {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  text(name: string): string | null {
    return projectText(join(this.#directory, name));
  }

  has(name: string): boolean {
    return isProjectFile(join(this.#directory, name));
  }
}

/** Looks at a project. @param directory a real path. */
export function detectProject(directory: string): Project {
  const look = new Look(directory);
  return {
    toolchains: LOOKS.map((one) => one(look)).filter((found) => found !== null),
    remote: remoteOf(look.text(".git/config") ?? ""),
  };
}

function node(look: Look): Toolchain | null {
  const text = look.text("package.json");
  if (text === null) return null;
  const name = look.has("pnpm-lock.yaml")
    ? "pnpm"
    : look.has("yarn.lock")
    ? "yarn"
    : look.has("bun.lock") || look.has("bun.lockb")
    ? "bun"
    : "npm";
  const run = (script: string) =>
    name === "npm" && script === "test" ? "npm test" : `${name} run ${script}`;
  return {
    name,
    file: "package.json",
    hosts: name === "yarn" ? [...NPM, "registry.yarnpkg.com:443"] : NPM,
    checks: CHECKS.filter((one) => keysOf(text, "scripts").includes(one)).map(run),
    publishes: [`${name} publish`],
    slow: false,
  };
}

function deno(look: Look): Toolchain | null {
  const file = ["deno.json", "deno.jsonc"].find((name) => look.has(name));
  if (file === undefined) return null;
  const tasks = keysOf(look.text(file) ?? "", "tasks");
  const checks = CHECKS.filter((one) => tasks.includes(one)).map((one) => `deno task ${one}`);
  return {
    name: "deno",
    file,
    hosts: ["jsr.io:443", "deno.land:443", ...NPM],
    checks: checks.length > 0 ? checks : ["deno test"],
    publishes: ["deno publish"],
    slow: false,
  };
}

function rust(look: Look): Toolchain | null {
  if (!look.has("Cargo.toml")) return null;
  return {
    name: "cargo",
    file: "Cargo.toml",
    hosts: ["index.crates.io:443", "static.crates.io:443"],
    checks: ["cargo test", "cargo clippy"],
    publishes: ["cargo publish"],
    slow: true,
  };
}

function python(look: Look): Toolchain | null {
  const file = ["pyproject.toml", "requirements.txt", "setup.py"].find((name) => look.has(name));
  if (file === undefined) return null;
  const usesPytest = /\bpytest\b/.test(look.text(file) ?? "") || look.has("pytest.ini");
  const test = usesPytest ? "pytest" : "python3 -m unittest";
  const uv = look.has("uv.lock");
  return {
    name: uv ? "uv" : "python",
    file,
    hosts: ["pypi.org:443", "files.pythonhosted.org:443"],
    checks: [uv ? `uv run ${test}` : test],
    publishes: ["twine upload", "uv publish", "poetry publish"],
    slow: false,
  };
}

function go(look: Look): Toolchain | null {
  if (!look.has("go.mod")) return null;
  return {
    name: "go",
    file: "go.mod",
    hosts: ["proxy.golang.org:443", "sum.golang.org:443"],
    checks: ["go test ./...", "go vet ./..."],
    publishes: [],
    slow: true,
  };
}

function make(look: Look): Toolchain | null {
  const file = ["GNUmakefile", "Makefile", "makefile"].find((name) => look.has(name));
  if (file === undefined) return null;
  const targets = [...(look.text(file) ?? "").matchAll(/^([a-z]{1,16}):(?!=)/gm)]
    .map(([, name]) => name);
  return {
    name: "make",
    file,
    hosts: [],
    checks: CHECKS.filter((one) => targets.includes(one)).map((one) => `make ${one}`),
    publishes: [],
    slow: true,
  };
}

/** The keys of an object in a JSON file; none for what is none. */
function keysOf(text: string, key: string): readonly string[] {
  try {
    const value = (parseJsonc(text) as Readonly<Record<string, unknown>> | null)?.[key];
    return typeof value === "object" && value !== null ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/**
 * The host of `origin` in the text of a git configuration. Names with a dot only: an address would let commands reach it
 * also where it is a private one, and the project itself says what stands here.
 */
export function remoteOf(config: string): string | null {
  let inOrigin = false;
  for (const line of config.split("\n")) {
    if (/^\s*\[/.test(line)) inOrigin = /^\s*\[remote "origin"\]\s*$/.test(line);
    const url = inOrigin ? /^\s*url\s*=\s*(\S+)\s*$/.exec(line)?.[1] : undefined;
    if (url === undefined) continue;
    const host = /^https:\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+)(?::443)?\//.exec(url)?.[1];
    const name = host === undefined ? null : canonicalHost(host);
    return name !== null && /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(name)
      ? `${name}:443`
      : null;
  }
  return null;
}
