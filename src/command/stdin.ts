import {
  forEachChild,
  type HereDocBody,
  type PipelineNode,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import type { Stdin } from "./frame.ts";
import { type Arg, argOf, literalWord, templateOf } from "./word.ts";

const UNKNOWN: Stdin = { kind: "unknown" };

/** What the last redirection of descriptor 0 gives a command to read, else `inherited`. */
export function stdinOf(
  redirections: readonly Redirection[],
  source: string,
  inherited: Stdin,
): Stdin {
  let stdin = inherited;
  for (const redirection of redirections) {
    const { descriptor, operator } = redirection;
    const fd = descriptor === undefined
      ? (operator.startsWith("<") ? 0 : 1)
      : descriptor.type === "FileDescriptor"
      ? descriptor.value
      : null;
    if (fd === 0) stdin = readFrom(redirection, source);
  }
  return stdin;
}

function readFrom(redirection: Redirection, source: string): Stdin {
  if (redirection.type === "HereDoc") return heredocText(redirection, source);
  const { target } = redirection;
  if (target === undefined) return UNKNOWN;
  const literal = literalWord(source.slice(target.pos, target.end));
  if (redirection.type === "HereString") {
    if (literal !== null) return { kind: "text", text: literal.value, exact: true };
    const template = templateOf(target);
    return template === null ? UNKNOWN : { kind: "text", text: template, exact: false };
  }
  return redirection.operator === "<" && literal?.value === "/dev/null"
    ? { kind: "empty" }
    : UNKNOWN;
}

function heredocText(heredoc: Extract<Redirection, { type: "HereDoc" }>, source: string): Stdin {
  const { body, delimiter, closing } = heredoc;
  const raw = source.slice(body.pos, body.end);
  const text = heredoc.operator === "<<-" ? raw.replace(/^\t+/gm, "") : raw;
  // Where the delimiter is missing, more text may follow from outside.
  const complete = closing !== undefined;
  if (delimiter?.quoted) return { kind: "text", text, exact: complete };
  if (!hasExpansion(body)) {
    return {
      kind: "text",
      text: text.replace(/\\([$`\\\n])/g, (_, char) => char === "\n" ? "" : char),
      exact: complete,
    };
  }
  const template = templateOf(body);
  return template === null ? UNKNOWN : { kind: "text", text: template, exact: false };
}

function hasExpansion(body: HereDocBody): boolean {
  let found = false;
  forEachChild(body as SyntaxNode, (part) => {
    if (part.type !== "Literal") found = true;
  });
  return found;
}

/**
 * What a command of a pipeline hands to the next one: the text of a plain `echo`, `printf` or `cat`, where no function
 * or alias of that name is known to `isShadowed`.
 */
export function outputOf(
  node: PipelineNode,
  source: string,
  isShadowed: (name: string) => boolean,
): Stdin {
  if (node.type !== "Command" || node.name === undefined || node.prefix.length > 0) return UNKNOWN;
  const words = [node.name, ...node.args].map((word) =>
    argOf(word as SyntaxNode, source, { start: 0, end: 0 })
  );
  const name = words[0]!.value;
  if (name === null || isShadowed(name)) return UNKNOWN;
  if (name === "cat" && words.length === 1) return stdinOf(node.redirects, source, UNKNOWN);
  if (node.redirects.length > 0) return UNKNOWN;
  if (name === "echo") return echoText(words.slice(1));
  const format = words[1]?.value;
  const plain = name === "printf" && words.length === 2 && format !== undefined &&
    format !== null &&
    !/[%\\]/.test(format) && !format.startsWith("-");
  return plain ? { kind: "text", text: format, exact: true } : UNKNOWN;
}

function echoText(words: readonly Arg[]): Stdin {
  const args = words[0]?.value === "-n" ? words.slice(1) : words;
  const text = args.map((arg) => arg.template ?? "$_").join(" ");
  const known = args.every((arg) => arg.value !== null) && !text.includes("\\");
  const options = /^-[neE]/.test(text);
  return options ? UNKNOWN : { kind: "text", text, exact: known };
}
