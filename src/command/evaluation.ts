import type { SyntaxNode } from "unbash";
import type { Span } from "./script.ts";

const ARITHMETIC_TESTS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
/** Builtins that evaluate subscripts within their operands. */
const EVALUATING_BUILTINS = new Set(
  "let read mapfile readarray unset declare typeset local export readonly getopts wait".split(" "),
);
/** Syntax that the other Bourne shells do not have, or read as something else. */
const FOREIGN = new Set<SyntaxNode["type"]>([
  "TestCommand",
  "ArithmeticCommand",
  "ArithmeticFor",
  "ProcessSubstitution",
  "Coproc",
  "Select",
  "ArrayValue",
  "HereString",
  "AnsiCQuoted",
  "LocaleString",
  "ExtendedGlob",
  "Time",
]);

/** Tells whether a shell other than bash could start something else at this node, as `((rm x))` does in dash. */
export function foreignSyntax(node: SyntaxNode): boolean {
  if (FOREIGN.has(node.type)) return true;
  if (node.type === "Redirect") {
    return node.operator.startsWith("&") || node.descriptor?.type === "FileDescriptorVariable";
  }
  return node.type === "Pipeline" && node.operators.includes("|&");
}

/**
 * Watches for commands that hide in data: arithmetic evaluates the subscripts in a variable's value, so `x='a[$(id)]'; ((x))`
 * runs id. Text that looks so counts once the script evaluates anything.
 */
export class Evaluation {
  #dormant: { text: string; span: Span } | null = null;
  #evaluates = false;

  visit(node: SyntaxNode, span: Span): void {
    switch (node.type) {
      case "SingleQuoted":
      case "AnsiCQuoted":
      case "Literal":
        return this.#text(node.value, span);
      case "Word":
        if (node.text.includes("\\")) this.#text(node.value, span);
        return;
      case "HereDocBody":
        return this.#text(node.text, span);
      case "ArithmeticExpansion":
      case "ArithmeticCommand":
      case "ArithmeticFor":
      case "Slice":
        this.#evaluates = true;
        return;
      case "Assignment":
        this.#evaluates ||= node.index !== undefined;
        return;
      case "ParameterExpansion":
        this.#evaluates ||= node.prefix === "!" || node.index !== undefined;
        return;
      case "TestUnary":
        this.#evaluates ||= node.operator === "-v" || node.operator === "-R";
        return;
      case "TestBinary":
        this.#evaluates ||= ARITHMETIC_TESTS.has(node.operator);
    }
  }

  builtin(name: string, args: readonly (string | null)[]): void {
    const tests = (name === "test" || name === "[" || name === "printf") &&
      args.some((arg) => arg !== null && /^-[vR]/.test(arg));
    this.#evaluates ||= tests || EVALUATING_BUILTINS.has(name);
  }

  /** The text that may start something, or null. */
  result(): { text: string; span: Span } | null {
    return this.#evaluates ? this.#dormant : null;
  }

  #text(value: string, span: Span): void {
    if (this.#dormant !== null) return;
    const subscript = value.indexOf("[");
    if (subscript < 0) return;
    if (value.indexOf("$(", subscript) > 0 || value.indexOf("`", subscript) > 0) {
      this.#dormant = { text: value, span };
    }
  }
}
