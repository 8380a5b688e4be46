import { type Node, type ParseError, parseTree } from "jsonc-parser";

/** A value that JSON can hold, the same type that upstream re-exports from `@std/json`. */
export type JsonValue =
  | { [key: string]: JsonValue | undefined }
  | JsonValue[]
  | string
  | number
  | boolean
  | null;

/** Longest token, in UTF-16 units, that upstream quotes in a message before it cuts it. */
const MAX_QUOTED_TOKEN = 30;

/** The characters that upstream ends a bare token (a number or a literal) at. */
const TOKEN_END = /[[\]{}:,/ \t\r\n]/;

/**
 * Parses JSON with comments. Trailing commas are allowed, duplicate keys keep the last value, and
 * `__proto__` is an ordinary key, all as upstream has it.
 *
 * @throws {SyntaxError} on the first error, with upstream's wording.
 */
export function parse(text: string): JsonValue {
  if (new.target) {
    throw new TypeError("Cannot create an instance: parse is not a constructor");
  }
  const source = `${text}`;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first !== undefined) throw new SyntaxError(describe(source, first.offset));
  if (root === undefined) throw new SyntaxError(describe(source, source.length));
  return toValue(root);
}

// parseTree() and not the library's parse(), which assigns keys and so would set the prototype
// of the result from a "__proto__" key.
function toValue(node: Node): JsonValue {
  if (node.type === "array") return (node.children ?? []).map(toValue);
  if (node.type !== "object") return node.value as JsonValue;
  const target: { [key: string]: JsonValue } = {};
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    Object.defineProperty(target, key.value as string, {
      value: toValue(value),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return target;
}

function describe(text: string, offset: number): string {
  const position = tokenStart(text, offset);
  const token = tokenAt(text, position);
  if (token === "") return "Cannot parse JSONC: unexpected end of JSONC input";
  const quoted = token.length > MAX_QUOTED_TOKEN ? `${token.slice(0, MAX_QUOTED_TOKEN)}...` : token;
  return `Cannot parse JSONC: unexpected token "${quoted}" in JSONC at position ${position}`;
}

/** The library points into a token such as `01`, upstream at its begin. */
function tokenStart(text: string, offset: number): number {
  if ('{}[]:,"/'.includes(text[offset] ?? "/")) return offset;
  let start = offset;
  while (start > 0 && !TOKEN_END.test(text[start - 1] ?? " ")) start--;
  return start;
}

function tokenAt(text: string, offset: number): string {
  const first = text[offset];
  if (first === undefined || text.startsWith("/*", offset)) return "";
  if ("{}[]:,".includes(first)) return first;
  if (first === '"') return stringAt(text, offset);
  const length = text.slice(offset).search(TOKEN_END);
  return length === -1 ? text.slice(offset) : text.slice(offset, offset + Math.max(length, 1));
}

function stringAt(text: string, offset: number): string {
  for (let end = offset + 1; end < text.length; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return text.slice(offset, end + 1);
  }
  return text.slice(offset);
}
