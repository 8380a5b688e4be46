/**
 * Heads of HTTP/1.x messages, read strictly (RFC 9112): what two parsers could read differently is refused, not repaired. The
 * proxy writes every head anew from what it has understood, so origin and proxy never disagree about where a message ends.
 */
import { ProtocolError } from "./egress_stream.ts";

/** Largest head, in bytes; the limits of common servers lie between 8 and 64 KiB. */
export const MAX_HEAD = 32 * 1024;
/** Fields of one head. */
const MAX_FIELDS = 256;

/** One field line. */
export type Field = readonly [name: string, value: string];

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** The y of HTTP/1.y. */
  readonly minor: 0 | 1;
  readonly fields: readonly Field[];
}

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly minor: 0 | 1;
  readonly fields: readonly Field[];
}

/** How the end of a body is known. */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  /** Responses only. */
  | { readonly kind: "until-close" };

/** Fields between two neighbours only (RFC 9110, section 7.6.1), besides those that `Connection` names. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** One character for each byte, so that no byte is taken for another. */
const latin1 = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/** Parses a request head with its empty line. @throws {ProtocolError} */
export function parseRequestHead(bytes: Uint8Array): RequestHead {
  const { first, fields } = parseLines(bytes);
  const match = /^([^ ]{1,64}) ([\x21-\x7e]+) HTTP\/1\.([01])$/.exec(first);
  const [, method = "", target = "", minor] = match ?? [];
  if (!match || !TOKEN.test(method)) throw new ProtocolError("no HTTP/1.x request line");
  return { method, target, minor: minor === "0" ? 0 : 1, fields };
}

/** Parses a response head with its empty line. @throws {ProtocolError} */
export function parseResponseHead(bytes: Uint8Array): ResponseHead {
  const { first, fields } = parseLines(bytes);
  const match = /^HTTP\/1\.([01]) ([1-5][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?$/.exec(first);
  if (!match) throw new ProtocolError("no HTTP/1.x status line");
  const [, minor, status, reason = ""] = match;
  return { status: Number(status), reason, minor: minor === "0" ? 0 : 1, fields };
}

function parseLines(bytes: Uint8Array): { readonly first: string; readonly fields: Field[] } {
  const [first = "", ...lines] = latin1(bytes.subarray(0, -4)).split("\r\n");
  if (lines.length > MAX_FIELDS) throw new ProtocolError(`more than ${MAX_FIELDS} header fields`);
  return { first, fields: lines.map(parseField) };
}

function parseField(line: string): Field {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon));
  const value = trimmed(line.slice(colon + 1));
  // Among others bare CR and LF, NUL, continuation lines and blanks before the colon.
  if (!TOKEN.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(line.slice(colon + 1))) {
    throw new ProtocolError("a malformed header field");
  }
  return [name, value];
}

/** Without blanks and tabs around it; other white space is part of a value. */
function trimmed(text: string): string {
  const isBlank = (at: number) => text[at] === " " || text[at] === "\t";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** All values of a field, in order. */
export function valuesOf(fields: readonly Field[], name: string): readonly string[] {
  return fields.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/** What goes on to the other side: without the fields that are between neighbours, and without `dropped`. */
export function endToEnd(fields: readonly Field[], dropped: readonly string[]): readonly Field[] {
  const named = valuesOf(fields, "connection").join(",").split(",")
    .map((token) => token.trim().toLowerCase());
  const gone = new Set([...HOP_BY_HOP, ...named, ...dropped]);
  return fields.filter(([name]) => !gone.has(name.toLowerCase()));
}

/** The framing of a request's body. @throws {ProtocolError} for what could be read in two ways. */
export function requestFraming({ fields, minor }: RequestHead): Framing {
  return explicitFraming(fields, minor) ?? { kind: "none" };
}

/** The framing of the response to a request with this method. @throws {ProtocolError} */
export function responseFraming(head: ResponseHead, method: string): Framing {
  const { status, fields, minor } = head;
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) {
    return { kind: "none" };
  }
  return explicitFraming(fields, minor) ?? { kind: "until-close" };
}

function explicitFraming(fields: readonly Field[], minor: 0 | 1): Framing | null {
  const [lengths, encodings] = [
    valuesOf(fields, "content-length"),
    valuesOf(fields, "transfer-encoding"),
  ];
  if (encodings.length > 0) {
    if (encodings.length > 1 || encodings[0]?.toLowerCase() !== "chunked") {
      throw new ProtocolError('a transfer encoding other than "chunked"');
    }
    if (lengths.length > 0 || minor === 0) throw new ProtocolError("two ways to frame the body");
    return { kind: "chunked" };
  }
  if (lengths.length === 0) return null;
  const [length = ""] = lengths;
  if (lengths.length > 1 || !/^[0-9]{1,15}$/.test(length)) {
    throw new ProtocolError("no usable Content-Length");
  }
  return { kind: "length", bytes: Number(length) };
}

/** Writes a head. */
export function formatHead(first: string, fields: readonly Field[]): Uint8Array {
  const lines = [first, ...fields.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Uint8Array.from(lines.join("\r\n"), (char) => char.charCodeAt(0));
}
