/** From a line of the JSON lines protocol to a request, or to the error that it is answered with. */
import { reasonOf } from "../../errors.ts";
import * as v from "valibot";
import type { ErrorCode } from "../../protocol/events.ts";
import { REQUEST_SCHEMAS } from "../../protocol/request_schemas.ts";
import type { Request, RequestType } from "../../protocol/requests.ts";
import { type InputLine, MAX_LINE_BYTES } from "./input_lines.ts";
import { readOrder } from "./read_order.ts";

/** A line that is no request. */
export interface BadLine {
  readonly kind: "bad";
  /** Null where the line has none that can be read. */
  readonly id: string | null;
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a line says. */
export type ReadLine = { readonly kind: "request"; readonly request: Request } | BadLine;

const Identified = v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)) });

function bad(code: ErrorCode, message: string, id: string | null = null): BadLine {
  return { kind: "bad", id, code, message };
}

/** Read a line. Never throws: every line is answered. */
export function readRequest(line: InputLine): ReadLine {
  if (line.kind === "too-long") {
    const most = `at most ${MAX_LINE_BYTES} are accepted`;
    return bad("line-too-long", `Cannot read a line of ${line.bytes} bytes: ${most}`);
  }
  if (line.kind === "not-utf-8") return bad("not-utf-8", "Cannot read the line: it is not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return bad("bad-json", "Cannot read the line: it is no JSON");
  }
  return requestOf(value);
}

function requestOf(value: unknown): ReadLine {
  const identified = v.safeParse(Identified, value);
  const id = identified.success ? identified.output.id : null;
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  if (!isType(type)) {
    const types = Object.keys(REQUEST_SCHEMAS).join(", ");
    return bad("unknown-type", `Cannot read the request: type is none of ${types}`, id);
  }
  try {
    const schema: v.GenericSchema<unknown, Request> = REQUEST_SCHEMAS[type];
    return { kind: "request", request: readOrder(schema, { value, what: `read ${type}` }) };
  } catch (error) {
    return bad("bad-request", reasonOf(error), id);
  }
}

function isType(type: unknown): type is RequestType {
  return typeof type === "string" && Object.hasOwn(REQUEST_SCHEMAS, type);
}
