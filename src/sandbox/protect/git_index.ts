/**
 * Names in git's index that git itself never writes there. It checks them when it adds them, not when it reads them: from
 * an index that something else has written, `git checkout .` writes to absolute paths, past the working tree and into
 * `.git`. Format: `Documentation/gitformat-index.txt`, and `read-cache.c` of Git 2.39 where it reads more than that.
 */

/** Bytes before an object name: times, device, inode, mode, owner and size. */
const STAT_BYTES = 40;
const HEADER_BYTES = 12;
const CE_EXTENDED = 0x4000;
const CE_NAMEMASK = 0xfff;
const SLASH = 0x2f;
/** `PATH_MAX`, `linux/limits.h`: no file has a longer one. */
const MAX_NAME = 4096;
const decoder = new TextDecoder();

/** Length of object names: SHA-1 or SHA-256. */
export type HashBytes = 20 | 32;

/** Thrown where git would refuse the file. */
class Malformed extends Error {}

/** Whether a component is `..` or `.git`, also on file systems that take letters for each other. */
function isStrayComponent(name: Uint8Array, start: number, end: number): boolean {
  if (name[start] !== 0x2e) return false;
  if (end - start === 2) return name[start + 1] === 0x2e;
  return end - start === 4 && (name[start + 1]! | 0x20) === 0x67 &&
    (name[start + 2]! | 0x20) === 0x69 && (name[start + 3]! | 0x20) === 0x74;
}

/** A name up to the NUL that ends it for system calls, when a component from `from` on is stray; null when none is. */
function strayPart(bytes: Uint8Array, from: number): Uint8Array | null {
  const zero = bytes.indexOf(0);
  const name = zero < 0 ? bytes : bytes.subarray(0, zero);
  if (name[0] === SLASH) return name;
  const first = from === 0 ? 0 : name.lastIndexOf(SLASH, from - 1) + 1;
  for (let start = first, end = 0; start <= name.length; start = end + 1) {
    end = name.indexOf(SLASH, start);
    if (end < 0) end = name.length;
    if (isStrayComponent(name, start, end)) return name;
  }
  return null;
}

class IndexReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #hash: HashBytes;
  readonly #version: number;

  constructor(bytes: Uint8Array, hash: HashBytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#hash = hash;
    if (bytes.length < HEADER_BYTES + hash || this.#signature(0) !== "DIRC") throw new Malformed();
    this.#version = this.#u32(4);
    if (this.#version < 2 || this.#version > 4) throw new Malformed();
  }

  get count(): number {
    return this.#u32(8);
  }

  #u32(at: number): number {
    if (at < 0 || at + 4 > this.#bytes.length) throw new Malformed();
    return this.#view.getUint32(at);
  }

  #signature(at: number): string {
    return decoder.decode(this.#bytes.subarray(at, at + 4));
  }

  /** `decode_varint` of `varint.c`. */
  #varint(at: number): { readonly value: number; readonly end: number } {
    let byte = this.#bytes[at++];
    let value = (byte ?? 0) & 127;
    while (byte !== undefined && byte & 128) {
      byte = this.#bytes[at++];
      value = (value + 1) * 128 + ((byte ?? 0) & 127);
      if (value > 0xffffffff) throw new Malformed();
    }
    return { value, end: at };
  }

  /** The first stray name of so many entries from an offset on; null when there is none. */
  strayIn(from: number, count: number): string | null {
    // Names share their beginning with the one before (version 4), so it stays where it is.
    const name = new Uint8Array(MAX_NAME);
    let previous = 0;
    let at = from;
    for (let index = 0; index < count; index++) {
      const flagsAt = at + STAT_BYTES + this.#hash;
      if (flagsAt + 2 > this.#bytes.length) throw new Malformed();
      const flags = this.#view.getUint16(flagsAt);
      const nameAt = flagsAt + (flags & CE_EXTENDED ? 4 : 2);
      const packed = this.#version === 4 ? this.#varint(nameAt) : null;
      const start = packed?.end ?? nameAt;
      const kept = packed === null ? 0 : Math.max(0, previous - packed.value);
      const named = flags & CE_NAMEMASK;
      const length = named === CE_NAMEMASK ? kept + this.#lengthAt(start) : Math.max(named, kept);
      const own = length - kept;
      if (start + own > this.#bytes.length) throw new Malformed();
      if (length > MAX_NAME) return "a path that is too long";
      name.set(this.#bytes.subarray(start, start + own), kept);
      const stray = strayPart(name.subarray(0, length), kept);
      if (stray !== null) return decoder.decode(stray);
      previous = length;
      at = packed === null ? at + ((nameAt - at + length + 8) & ~7) : start + own + 1;
    }
    return null;
  }

  #lengthAt(start: number): number {
    const end = this.#bytes.indexOf(0, start);
    if (end < 0) throw new Malformed();
    return end - start;
  }

  /** Where else git begins to read entries, when it reads them by several threads (`IEOT`, found by `EOIE`). */
  blocks(): readonly { readonly from: number; readonly count: number }[] {
    const eoie = this.#bytes.length - this.#hash - (12 + this.#hash);
    if (eoie < HEADER_BYTES || this.#signature(eoie) !== "EOIE") return [];
    for (let at = this.#u32(eoie + 8); at + 8 <= eoie;) {
      const size = this.#u32(at + 4);
      if (this.#signature(at) !== "IEOT") {
        at += 8 + size;
        continue;
      }
      const blocks = Math.max(0, Math.floor((size - 4) / 8));
      if (blocks > this.count) return [{ from: 0, count: Infinity }];
      return Array.from({ length: blocks }, (_, index) => {
        const entry = at + 12 + index * 8;
        return { from: this.#u32(entry), count: this.#u32(entry + 4) };
      });
    }
    return [];
  }
}

/**
 * The first name in an index that leads out of the working tree or into a repository's own directory, as text; null when
 * there is none, and for what git would not read. Takes time linear in the file's size for each of git's ways to read it.
 */
export function strayName(bytes: Uint8Array, hash: HashBytes): string | null {
  try {
    const reader = new IndexReader(bytes, hash);
    const ranges = [{ from: HEADER_BYTES, count: reader.count }, ...reader.blocks()];
    // Blocks are parts of the whole: more entries than it has would only be the same ones again.
    let left = 2 * reader.count;
    for (const { from, count } of ranges) {
      if ((left -= count) < 0) return "a table of blocks that are none";
      const stray = reader.strayIn(from, count);
      if (stray !== null) return stray;
    }
    return null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
