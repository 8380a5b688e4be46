import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { shapeProblem } from "./shape.ts";
import { literalWord } from "./word.ts";

/** Why a tree cannot be relied on, with an offset into the text that was parsed first. */
export interface Problem {
  readonly message: string;
  readonly offset: number;
}

/** Levels of the tree: some 150 nested groups or 100 conditionals, far beyond what is written, far below the stack's end. */
const MAX_TREE_DEPTH = 500;
/** Nested substitutions. The parser reads a nested text once per level, so this bounds its time as well. */
const MAX_SUBSTITUTIONS = 32;

type Substitution = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

interface Frame {
  readonly node: SyntaxNode;
  readonly source: string;
  /** Offset to report instead of the node's own, once positions index decoded text. */
  readonly anchor: number | null;
  readonly depth: number;
  readonly substitutions: number;
}

// What starts a command where bash expands; a continued line may stand inside.
const STARTER = /\\[^]|`|[$<>](?:\\\n)*\(|\$(?:\\\n)*\[|\$(?:\\\n)*\{(?:\\\n)*[\s|]/g;
const REGION_STARTER = /`|[$<>](?:\\\n)*\(|\$(?:\\\n)*\{(?:\\\n)*[\s|]/g;
// Arithmetic knows no process substitution: `a<(b)` compares.
const ARITHMETIC_STARTER = /`|\$(?:\\\n)*\(|\$(?:\\\n)*\{(?:\\\n)*[\s|]/g;

// Bash takes some words with these in a subscript for a command's name.
const ODD_SUBSCRIPT = /\n|<<|(?:^|[^$])\(/;

/**
 * Walks the whole tree, so that every lazily parsed part is parsed, and returns the first reason not to trust it:
 * an error in any nested script, too deep nesting, or text that could start a command and belongs to no node. The last is
 * a net below the parser: nothing that bash could run may be missing from the tree.
 */
export function findProblem(root: ParsedScript, source: string): Problem | null {
  const stack: Frame[] = [{ node: root, source, anchor: null, depth: 0, substitutions: 0 }];
  while (stack.length > 0) {
    const frame = stack.pop()!;
    const message = problemOf(frame) ?? shapeProblem(frame.node, frame.source);
    if (message !== null) return { message, offset: frame.anchor ?? frame.node.pos };
    if (frame.node.type === "Script" && frame.node.errors?.[0] !== undefined) {
      const error = frame.node.errors[0];
      return { message: error.message, offset: frame.anchor ?? error.pos };
    }
    const start = stack.length;
    forEachChild(frame.node, (child) => void stack.push(childFrame(frame, child)));
    // Popped in the order of the text, so the first problem is reported.
    if (stack.length - start > 1) reverseFrom(stack, start);
  }
  return null;
}

function childFrame(frame: Frame, node: SyntaxNode): Frame {
  const nested = node.type === "Script";
  const decoded = node.type === "Script" && node.source !== undefined;
  return {
    node,
    source: decoded ? node.source! : frame.source,
    anchor: decoded ? frame.anchor ?? frame.node.pos : frame.anchor,
    depth: frame.depth + 1,
    substitutions: frame.substitutions + (nested ? 1 : 0),
  };
}

function reverseFrom(stack: Frame[], start: number): void {
  for (let low = start, high = stack.length - 1; low < high; low++, high--) {
    [stack[low], stack[high]] = [stack[high]!, stack[low]!];
  }
}

function problemOf({ node, source, depth, substitutions }: Frame): string | null {
  if (depth > MAX_TREE_DEPTH) return "it is nested too deeply";
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return substitutionProblem(node, source, substitutions);
    case "Unknown":
      return "bad substitution";
    case "Literal":
    case "SimpleExpansion":
      return leafProblem(source, node.pos, node.end);
    case "Word":
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return node.parts === undefined ? leafProblem(source, node.pos, node.end) : null;
    case "HereDoc":
      if (isOddDelimiter(node.delimiter?.text ?? "")) return "unexpected here-document delimiter";
      return node.delimiter?.quoted === false ? bodyProblem(node.body, source) : null;
    case "ParameterExpansion":
      return regionProblem(node, {
        source,
        start: node.pos + 2,
        end: node.end,
        starter: REGION_STARTER,
      });
    // Bash evaluates subscripts and arithmetic whatever the quoting: `$(('$(x)'))` runs x.
    case "ArithmeticExpansion":
      return regionProblem(node, {
        source,
        start: node.pos + 2,
        end: node.end,
        starter: ARITHMETIC_STARTER,
      });
    case "ArithmeticCommand":
      return regionProblem(node, {
        source,
        start: node.pos,
        end: node.end,
        starter: ARITHMETIC_STARTER,
      });
    case "ArithmeticFor":
      return regionProblem(node, {
        source,
        start: node.pos,
        end: node.body.pos,
        starter: ARITHMETIC_STARTER,
      });
    case "Assignment":
      if (node.index === undefined) return null;
      if (ODD_SUBSCRIPT.test(source.slice(node.index.pos, node.index.end))) {
        return "unexpected subscript";
      }
      return subscriptProblem([node.index], source);
    case "ArrayValue":
      return subscriptProblem(
        node.elements.filter((element) => source[element.pos] === "["),
        source,
      );
    default:
      return null;
  }
}

function bodyProblem(body: SyntaxNode & { type: "HereDocBody" }, source: string): string | null {
  if (body.parts === undefined) return leafProblem(source, body.pos, body.end);
  // Bash joins continued lines before it reads the commands in a body, even within quotes and comments.
  const joined = source.slice(body.pos, body.end).includes("\\\n") &&
    nestedSpans(body).some(({ pos, end }) => source.slice(pos, end).includes("\\\n"));
  return joined ? "line continuation in a substitution of a here-document" : null;
}

function isOddDelimiter(word: string): boolean {
  return /[`(]|\$\{/.test(word) || literalWord(word.replace(/[^'"\\]/g, "x")) === null;
}

function substitutionProblem(node: Substitution, source: string, depth: number): string | null {
  if (node.script === undefined || depth >= MAX_SUBSTITUTIONS) return "it is nested too deeply";
  // Before bash 5.3 `${ x; }` is no substitution and ends at the first brace; both readings must agree.
  if (source[node.pos] !== "$" || source[node.end - 1] !== "}") return null;
  return /[}#'"\\]/.test(source.slice(node.pos + 2, node.end - 1))
    ? "ambiguous command substitution in braces"
    : null;
}

function leafProblem(source: string, start: number, end: number): string | null {
  const text = source.slice(start, end);
  for (const [match] of text.matchAll(STARTER)) {
    if (match[0] !== "\\") return "unexpected substitution";
  }
  return null;
}

function subscriptProblem(words: readonly SyntaxNode[], source: string): string | null {
  for (const word of words) {
    const region = { source, start: word.pos, end: word.end, starter: REGION_STARTER };
    const problem = regionProblem(word, region);
    if (problem !== null) return problem;
  }
  return null;
}

interface Region {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly starter: RegExp;
}

// Every start of a command within the region must lie in a nested node, which is checked by itself. Escapes and
// quotes count for nothing here.
function regionProblem(node: SyntaxNode, { source, start, end, starter }: Region): string | null {
  const text = source.slice(start, end);
  if (text.search(starter) < 0) return null;
  const covered = nestedSpans(node);
  let next = 0;
  for (const match of text.matchAll(starter)) {
    const at = start + match.index;
    while (next < covered.length && covered[next]!.end <= at) next++;
    if (next === covered.length || covered[next]!.pos > at) return "unexpected substitution";
  }
  return null;
}

function nestedSpans(region: SyntaxNode): { pos: number; end: number }[] {
  const spans: { pos: number; end: number }[] = [];
  const pending: SyntaxNode[] = [region];
  while (pending.length > 0) {
    const node = pending.pop()!;
    const nested = node.type === "CommandExpansion" || node.type === "ProcessSubstitution" ||
      node.type === "ArithmeticCommandExpansion" || node.type === "ArithmeticExpansion";
    if (nested && node !== region) spans.push({ pos: node.pos, end: node.end });
    else if (node.type !== "CompoundList") forEachChild(node, (child) => void pending.push(child));
  }
  return spans.sort((a, b) => a.pos - b.pos);
}
