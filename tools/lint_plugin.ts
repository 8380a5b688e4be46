/**
 * Rules of this repository that `deno lint` decides on the syntax tree: who may open native
 * libraries, start processes and print.
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

/** Names, of anything that is called `Deno`, that a file takes hold of. */
function useOf(name: string, report: (node: Deno.lint.Node) => void): Deno.lint.LintVisitor {
  return {
    MemberExpression(node) {
      if (isDeno(node.object) && keyOf(node.property) === name) report(node);
    },
    VariableDeclarator(node) {
      if (!node.init || !isDeno(node.init) || node.id.type !== "ObjectPattern") return;
      for (const property of node.id.properties) {
        if (property.type === "RestElement" || keyOf(property.key) === name) report(property);
      }
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
  visitor: (report: (node: Deno.lint.Node) => void) => Deno.lint.LintVisitor,
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
      (report) => useOf("dlopen", report),
      `Only ${FFI.join(" and ")} open native libraries`,
    ),
    "no-unjailed-process": rule(
      (path) => isSource(path) && path !== AGENT_PROCESS && path !== CLIENT_PROCESS,
      (report) => ({
        ...useOf("Command", report),
        ImportDeclaration(node) {
          if (PROCESS_MODULES.includes(node.source.value)) report(node);
        },
        ImportExpression(node) {
          if (PROCESS_MODULES.includes(keyOf(node.source) ?? "")) report(node);
        },
      }),
      "Only the jail starts processes",
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
