/**
 * The chain that makes edits of a journal visible.
 *
 *     line 1: prev null
 *     line 2: prev = HMAC(key, bytes of line 1)          journal.head: HMAC of the last line, signed
 *     line 3: prev = HMAC(key, bytes of line 2)  <------ next append takes its `prev` from here
 *
 * An append writes the head twice: first the intent (`settled`, `intended`), then, after the line, the
 * settlement (both equal). So a crash in between is told apart from a removed line, and because the next
 * `prev` comes from the head, never from the file, a line that was changed stays visible after later appends.
 * The head also holds the `prev` of the oldest kept line: dropping `.5` at a rotation is no gap, removing it by hand is.
 * Whoever has the key, or can put back an older copy of the whole directory, can defeat it.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { openOwn, REMEDY, systemCallError } from "./journal_files.ts";
import { readAt, writeAll } from "./file_bytes.ts";

/** Length of the key in bytes: that of the hash (RFC 2104, section 3). */
const KEY_BYTES = 32;

/** Stands for null in the head, whose fields have a fixed width. */
const NOTHING = "0".repeat(64);

/** `v1`, five fields of 64 characters, blanks between, newline. */
const HEAD_BYTES = 2 + 5 * 65 + 1;

/** The chain's state between two appends. All values are HMACs in hex, null before the first record. */
export interface ChainHead {
  /** Of the last line that is certainly written. */
  readonly settled: string | null;
  /** Of the line that is being written; equals `settled` when none is. */
  readonly intended: string | null;
  /** The `prev` that the oldest kept line may have: two values while a rotation is under way, else equal. */
  readonly oldest: readonly [string | null, string | null];
}

/** HMAC-SHA-256 in hex over a line's bytes without its newline. */
export function lineHash(key: Uint8Array, line: Uint8Array): string {
  return createHmac("sha256", key).update(line).digest("hex");
}

/**
 * Reads `<directory>/key`; when it is absent and `create` is set, makes it with 32 random bytes and mode 0600.
 * The caller holds the journal's lock. Null when it is absent.
 * @throws UsageError when the file is not a key.
 */
export function loadKey(directory: string, options: { create: boolean }): Uint8Array | null {
  const path = join(directory, "key");
  const file = openOwn(path, { write: options.create, create: options.create });
  if (file === null) return null;
  try {
    const found = readAt(file, 0, KEY_BYTES + 1);
    if (found.length === KEY_BYTES) return found;
    if (found.length !== 0 || !options.create) {
      throw new UsageError(
        `Cannot use "${path}" as the journal's key: it has not ${KEY_BYTES} bytes; remove it (older records can then no longer be verified) or ${REMEDY}`,
      );
    }
    // Empty: just created, or a crash came before the write. No line can have been signed with it.
    const key = new Uint8Array(randomBytes(KEY_BYTES));
    try {
      writeAll(file, key);
    } catch (error) {
      throw systemCallError("write", path, error);
    }
    return key;
  } finally {
    file.close();
  }
}

/** The head as the bytes of its file. */
export function encodeHead(key: Uint8Array, head: ChainHead): Uint8Array {
  const fields = [head.settled, head.intended, ...head.oldest].map((hash) => hash ?? NOTHING);
  const body = `v1 ${fields.join(" ")}`;
  return new TextEncoder().encode(`${body} ${headHash(key, body)}\n`);
}

/** The head from the bytes of its file, null when they are damaged or signed with another key. */
function decodeHead(key: Uint8Array, bytes: Uint8Array): ChainHead | null {
  if (bytes.length !== HEAD_BYTES) return null;
  const text = new TextDecoder().decode(bytes);
  const body = text.slice(0, HEAD_BYTES - 66);
  const given = new TextEncoder().encode(text.slice(HEAD_BYTES - 65, HEAD_BYTES - 1));
  const want = new TextEncoder().encode(headHash(key, body));
  if (given.length !== want.length || !timingSafeEqual(given, want)) return null;
  const [settled, intended, before, after] = body.split(" ").slice(1)
    .map((field) => field === NOTHING ? null : field);
  return {
    settled: settled ?? null,
    intended: intended ?? null,
    oldest: [before ?? null, after ?? null],
  };
}

/** Opens `<directory>/journal.head`; null when it is absent and not to be created. */
export function openHead(directory: string, options: { create: boolean }): Deno.FsFile | null {
  return openOwn(join(directory, "journal.head"), {
    write: options.create,
    create: options.create,
  });
}

/** Reads the head's file. One byte more than it has is asked for, so a longer file is found damaged. */
export function readHead(file: Deno.FsFile, key: Uint8Array): ChainHead | null {
  return decodeHead(key, readAt(file, 0, HEAD_BYTES + 1));
}

function headHash(key: Uint8Array, body: string): string {
  // Lines begin with "{", so this text can never be mistaken for one.
  return createHmac("sha256", key).update(`head ${body}`).digest("hex");
}
