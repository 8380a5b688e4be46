/** Ways to redact in tests. The rules are compiled once; everything a session learns starts anew. */
import type { CustomRule } from "../../src/output/custom_lines.ts";
import { RedactStream } from "../../src/output/redact_stream.ts";
import { RuleBook } from "../../src/output/rule_book.ts";
import { SecretStore } from "../../src/output/secret_store.ts";

const book = new RuleBook();
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a test session knows. */
export interface TestSession {
  readonly values?: readonly { readonly name: string; readonly value: string }[];
  readonly custom?: readonly CustomRule[];
}

/** UTF-8 bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of UTF-8 bytes. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** All parts as one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A new stream of a new session. */
export function newStream(session: TestSession = {}): RedactStream {
  const store = new SecretStore();
  for (const { name, value } of session.values ?? []) store.register(name, value);
  return new RedactStream(book, { store, custom: session.custom ?? [] });
}

/** Redacts bytes that arrive cut at the given offsets; each chunk's memory is overwritten after use. */
export function redactCut(
  input: Uint8Array,
  cuts: readonly number[],
  session: TestSession = {},
): Uint8Array {
  const stream = newStream(session);
  const out: Uint8Array[] = [];
  let from = 0;
  for (const to of [...cuts, input.length]) {
    const chunk = input.slice(from, to);
    out.push(stream.push(chunk).slice());
    chunk.fill(0x21);
    from = to;
  }
  out.push(stream.finish().slice());
  return concat(out);
}

/** Redacts a text in one piece. */
export function redact(text: string, session: TestSession = {}): string {
  return textOf(redactCut(bytesOf(text), [], session));
}
