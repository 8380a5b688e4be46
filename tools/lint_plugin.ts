/**
 * Rules of this repository that `deno lint` decides on the syntax tree: who may open native
 * libraries, start processes, read through links and print.
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The only file that may open a native library. */
const FFI = ["src/sandbox/linux/ffi.ts", "src/sandbox/linux/posix_spawn.ts"];

/** The only file that may start a process outside of a jail: an agent, when its user installs or examines it. */
const AGENT_PROCESS = "src/cli/agents/agent_process.ts";

/** And where the library's caller, which is no session, has Debrief started. */
const CLIENT_PROCESS = "src/client/start_debrief.ts";

/** The modules through which Node code starts processes, under both spellings. */
const PROCESS_MODULES = ["node:child_process", "child_process"];

/** Functions that follow links to what they read; `src/sandbox/linux/files.ts` has those that need not. */
const READS = ["open", "readFile", "readTextFile", "stat", "readDir", "copyFile"]
  .flatMap((name) => [name, `${name}Sync`]);

/** The modules through which Node code reads, under all spellings. */
const READ_MODULES = ["node:fs", "fs", "node:fs/promises", "fs/promises"];

/** Who may follow links all the same: where commands could put one, the shell would read what they may not. */
const READERS = [
  // What the user names, or the system has.
  "src/policy/bounded_text.ts",
  ..."harden workspace".split(" ").map((name) => `src/sandbox/${name}.ts`),
  ..."own_links program_provider".split(" ").map((name) => `src/session/${name}.ts`),
  ..."gate_command version agents/agent_changes agents/config_file".split(" ")
    .map((name) => `src/cli/${name}.ts`),
  // What lies in the state directory.
  ..."spool_file spool_files spool_prune spool_read".split(" ")
    .map((name) => `src/output/${name}.ts`),
  "src/record/journal_files.ts",
  ..."caller_workspace copies private_directory".split(" ").map((name) => `src/session/${name}.ts`),
];

type Report = (node: Deno.lint.Node) => void;

/** Names, of anything that is called `Deno`, that a file takes hold of. */
function useOf(names: readonly string[], report: Report): Deno.lint.LintVisitor {
  const has = (node: Deno.lint.Node) => names.includes(keyOf(node) ?? "");
  return {
    MemberExpression(node) {
      if (isDeno(node.object) && has(node.property)) report(node);
    },
    VariableDeclarator(node) {
      if (!node.init || !isDeno(node.init) || node.id.type !== "ObjectPattern") return;
      for (const property of node.id.properties) {
        if (property.type === "RestElement" || has(property.key)) report(property);
      }
    },
  };
}

/** Modules that a file imports. */
function importOf(modules: readonly string[], report: Report): Deno.lint.LintVisitor {
  return {
    ImportDeclaration(node) {
      if (modules.includes(node.source.value)) report(node);
    },
    ImportExpression(node) {
      if (modules.includes(keyOf(node.source) ?? "")) report(node);
    },
  };
}

/** `Deno` and `globalThis.Deno`. */
function isDeno(node: Deno.lint.Node): boolean {
  if (node.type === "MemberExpression") return keyOf(node.property) === "Deno";
  return node.type === "Identifier" && node.name === "Deno";
}

function keyOf(node: Deno.lint.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function rule(
  applies: (path: string) => boolean,
  visitor: (report: Report) => Deno.lint.LintVisitor,
  message: string,
): Deno.lint.Rule {
  return {
    create(context) {
      const path = relative(ROOT, context.filename);
      if (!applies(path)) return {};
      return visitor((node) => context.report({ node, message }));
    },
  };
}

const isSource = (path: string) => path.startsWith("src/") || path === "main.ts";
const mayPrint = (path: string) => path.startsWith("src/cli/") || path === "main.ts";

const plugin: Deno.lint.Plugin = {
  name: "debrief",
  rules: {
    "dlopen-only-in-ffi": rule(
      (path) => !FFI.includes(path),
      (report) => useOf(["dlopen"], report),
      `Only ${FFI.join(" and ")} open native libraries`,
    ),
    "no-unjailed-process": rule(
      (path) => isSource(path) && path !== AGENT_PROCESS && path !== CLIENT_PROCESS,
      (report) => ({ ...useOf(["Command"], report), ...importOf(PROCESS_MODULES, report) }),
      "Only the jail starts processes",
    ),
    "no-following-read": rule(
      (path) => isSource(path) && !READERS.includes(path),
      (report) => ({ ...useOf(READS, report), ...importOf(READ_MODULES, report) }),
      "Reads follow no link, but in files that `READERS` lists",
    ),
    "console-only-in-cli": rule(
      (path) => isSource(path) && !mayPrint(path),
      (report) => ({
        MemberExpression(node) {
          if (node.object.type === "Identifier" && node.object.name === "console") report(node);
        },
      }),
      "Only src/cli prints",
    ),
  },
};

export default plugin;
