import { forEachChild, type SyntaxNode } from "unbash";

/**
 * Finds syntax that the parser lets pass and bash does not, each found by comparing the two on generated scripts. Bash would
 * refuse such text itself; refusing it first keeps what is shown to a user the same as what happens.
 */
export function shapeProblem(node: SyntaxNode, source: string): string | null {
  switch (node.type) {
    case "Command":
      return commandProblem(node, source);
    case "Pipeline":
      // A lone `time` or `!` ends where its line or command ends.
      return node.commands.length > 0 || /^[;\n#]?$/.test(nextCharacter(source, node.end))
        ? null
        : "expected command after 'time' or '!'";
    case "Redirect": {
      const target = node.target?.text ?? "";
      // Digits before an angle bracket are a descriptor, so the target is missing.
      return /^\d+$/.test(target) && /[<>]/.test(source[node.end] ?? "")
        ? "expected redirect target"
        : null;
    }
    case "ArithmeticFor":
      return /^for(?:[ \t]|\\\n)*\((?:\\\n)*\(/.test(source.slice(node.pos, node.body.pos))
        ? arithmeticProblem(source.slice(node.pos, headerEnd(node, source))) ??
          separatorProblem(node, source)
        : "unexpected token '('";
    case "ArithmeticCommand":
      return arithmeticProblem(source.slice(node.pos, node.end));
    case "If":
    case "While":
    case "For":
    case "Select":
    case "Case":
    case "CaseItem":
    case "BraceGroup":
      return separatorProblem(node, source);
    case "Subshell":
      return /^\((?:\\\n)*\(/.test(source.slice(node.pos, node.end))
        ? AMBIGUOUS
        : separatorProblem(node, source);
    case "CommandExpansion":
      if (/^\$(?:\\\n)*\((?:\\\n)*\(/.test(source.slice(node.pos, node.end))) return AMBIGUOUS;
      return isClosed(source.slice(node.pos, node.end)) ? null : "unterminated substitution";
    case "ArithmeticCommandExpansion":
    case "ArithmeticExpansion": {
      const text = source.slice(node.pos, node.end);
      return isClosed(text) ? arithmeticProblem(text) : "unterminated substitution";
    }
    case "ParameterExpansion":
    case "ProcessSubstitution":
      return isClosed(source.slice(node.pos, node.end)) ? null : "unterminated substitution";
    default:
      return null;
  }
}

// Bash decides between arithmetic and a subshell by how the parentheses end, in ways that are not repeated here.
const AMBIGUOUS = "ambiguous '((': put a blank between the parentheses";

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/**
 * Bash decides whether `$((` starts arithmetic by counting parentheses in the text, commands included, and otherwise
 * runs what is inside (`chk_arithsub` in its subst.c). So they must balance in every way of counting.
 */
function arithmeticProblem(text: string): string | null {
  const unquoted = text.replace(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g, "");
  const commands = /`|\$\(/.test(text) && /\bcase\b/.test(text);
  return commands || !isBalanced(text) || !isBalanced(unquoted) ? AMBIGUOUS : null;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [parenthesis] of text.matchAll(/[()]/g)) {
    depth += parenthesis === "(" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

// The header ends with the last parentheses before the body.
function headerEnd(node: Extract<SyntaxNode, { type: "ArithmeticFor" }>, source: string): number {
  return source.lastIndexOf("))", node.body.pos) + 2;
}

function isClosed(text: string): boolean {
  if (text.startsWith("`")) return text.length > 1 && text.endsWith("`");
  const open = /^[$<>](?:\\\n)*([({[])/.exec(text)?.[1];
  // Bash counts the brackets of `$[ ]`.
  if (open === "[" && text.split("[").length !== text.split("]").length) return false;
  return open === undefined || text.endsWith(CLOSERS[open]!);
}

function nextCharacter(source: string, end: number): string {
  return /^(?:[ \t]|\\\n)*([^]?)/.exec(source.slice(end, end + 4096))?.[1] ?? "";
}

// Between its parts a simple command has blanks only; the parser drops a stray parenthesis after the name.
function commandProblem(
  node: Extract<SyntaxNode, { type: "Command" }>,
  source: string,
): string | null {
  let end: number | null = null;
  for (
    const part of [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix]
  ) {
    if (end !== null && !/^(?:[ \t]|\\\n)*$/.test(source.slice(end, part.pos))) {
      return "unexpected token '('";
    }
    // `a<(b)` is one word to bash.
    if (end === part.pos && part.type === "Word") return "process substitution within a word";
    end = part.end;
  }
  return node.name !== undefined && nextCharacter(source, node.end) === "("
    ? "unexpected token '('"
    : null;
}

// A line cannot start with `;`, which the parser allows before `then`, `do`, `fi` and the like.
function separatorProblem(node: SyntaxNode, source: string): string | null {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  for (const [at, child] of children.entries()) {
    if (child.type !== "CompoundList" && child.type !== "Elif") continue;
    const list = child.type === "Elif" ? child.then : child;
    const gaps = [[list, children[at + 1]?.pos ?? node.end] as const];
    if (child.type === "Elif") gaps.push([child.clause, child.then.pos]);
    for (const [before, next] of gaps) {
      const start = Math.max(before.end, lastHeredocEnd(before, source));
      const gap = source.slice(start, next).replace(/(^|[\s;])#[^\n]*/g, "$1");
      if (/\n[ \t]*;(?![;&])/.test(gap)) return "unexpected token ';'";
    }
  }
  return null;
}

function lastHeredocEnd(list: SyntaxNode, source: string): number {
  if (!source.slice(list.pos, list.end).includes("<<")) return 0;
  let last = 0;
  const pending: SyntaxNode[] = [list];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (node.type === "HereDoc") last = Math.max(last, node.closing?.end ?? node.body.end);
    else if (node.type !== "Word") forEachChild(node, (child) => void pending.push(child));
  }
  return last;
}
