import { parse, type ParsedScript, type SyntaxNode } from "unbash";
import type { Frame, Stdin } from "./frame.ts";
import type { Span } from "./script.ts";
import { findProblem } from "./verify.ts";
import type { Arg } from "./word.ts";

/** Where a node stands while a tree is walked. */
export interface Place {
  /** The text that positions index. */
  readonly source: string;
  /** The span to report instead, within text that is not the script's own. */
  readonly outer: Span | null;
  readonly frame: Frame;
}

/** The frame of the commands that stand in the script itself. */
export function outermost(source: string): Frame {
  const span = { start: 0, end: source.length };
  const stdin: Stdin = { kind: "unknown" };
  return { via: [], span, stdin, shell: "bash", own: true, inFunction: false, aliases: [] };
}

/** The frame of a command or part at its place. */
export function at(node: SyntaxNode, place: Place): Frame {
  return { ...place.frame, span: place.outer ?? { start: node.pos, end: node.end } };
}

/** The place in the script of a node. */
export function spanIn(node: SyntaxNode, place: Place): Span {
  return place.outer ?? { start: node.pos, end: node.end };
}

/** What commands of a group find on their input: a text can be read by the first of them only. */
export function shared(stdin: Stdin): Stdin {
  return stdin.kind === "text" ? { kind: "unknown" } : stdin;
}

/** The place of a command that is part of another one. */
export function spanOf(argv: readonly Arg[], fallback: Span): Span {
  const start = argv[0]!.span?.start ?? fallback.start;
  const last = argv.findLast((arg) => arg.span !== null);
  return { start, end: Math.max(start, last?.span?.end ?? fallback.end) };
}

/** Parses nested text; null when it is no script that can be relied on. */
export function parsed(text: string): ParsedScript | null {
  try {
    const root = parse(text);
    return root.errors === undefined && findProblem(root, text) === null ? root : null;
  } catch {
    // A stack that overflows in the parser: as good as unreadable.
    return null;
  }
}
