/**
 * Edits of JSON with comments that touch nothing but the place that is meant. `jsonc-parser` finds the place; its own
 * formatting would also lay out the neighbours, so what goes in is laid out here.
 */
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  parseTree,
} from "jsonc-parser";
import { type Assignment, equal, type KeyPath } from "./config_change.ts";

/** How a text is laid out. */
interface Layout {
  readonly unit: string;
  readonly eol: string;
}

function layoutOf(text: string): Layout {
  return {
    unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ",
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** White space at the beginning of the line that an offset is in. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The innermost object or list on the way to a place that exists. */
function containerOf(root: Node | undefined, path: KeyPath): Node | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node?.type === "object" || node?.type === "array") return node;
  }
  return undefined;
}

/** Where members of a container stand: at the beginning of a line with this indentation, or null, all in one line. */
function memberIndent(
  text: string,
  { node, layout }: { node: Node; layout: Layout },
): string | null {
  const [first] = node.children ?? [];
  if (first === undefined) return indentAt(text, node.offset) + layout.unit;
  const indent = indentAt(text, first.offset);
  const alone = text.slice(0, first.offset).endsWith(`\n${indent}`);
  return alone ? indent : null;
}

/** The members of a text such as `"a":1` or `{"b":2}`, laid out in lines. */
function laidOut(members: string, { node, indent, layout }: {
  readonly node: Node;
  readonly indent: string;
  readonly layout: Layout;
}): string {
  const [open, close] = node.type === "array" ? ["[", "]"] : ["{", "}"];
  const value: unknown = JSON.parse(`${open}${members}${close}`);
  const lines = JSON.stringify(value, null, layout.unit).split("\n").slice(1, -1);
  return lines.map((line) => layout.eol + indent + line.slice(layout.unit.length)).join("");
}

/** Put a new member into a container. */
function inserted(text: string, path: readonly (string | number)[], value: unknown): string {
  const isArrayInsertion = typeof path.at(-1) === "number";
  const [edit] = modify(text, [...path], value, { isArrayInsertion });
  const node = containerOf(parseTree(text), path.filter((key) => typeof key === "string"));
  if (edit === undefined || node === undefined) return text;
  const layout = layoutOf(text);
  const indent = memberIndent(text, { node, layout });
  if (indent === null) return applyEdits(text, [edit]);
  const comma = edit.content.startsWith(",") ? "," : "";
  const members = laidOut(edit.content.slice(comma.length), { node, indent, layout });
  const end = node.children?.length ? "" : layout.eol + indentAt(text, node.offset);
  return applyEdits(text, [{ ...edit, content: comma + members + end }]);
}

/** The text with one value set, or removed where it is undefined. */
export function assignInJsonc(text: string, { path, value }: Assignment): string {
  const base = text.trim() === "" ? "{}\n" : text;
  const root = parseTree(base, undefined, { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (node === undefined) return inserted(base, path, value);
  const list: unknown = getNodeValue(node);
  const longer = Array.isArray(list) && Array.isArray(value) && value.length === list.length + 1 &&
    equal(value.slice(0, -1), list);
  if (longer) return inserted(base, [...path, list.length], value.at(-1));
  return applyEdits(base, modify(base, [...path], value, {}));
}
