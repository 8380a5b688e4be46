/** Tells binary output from text, by its first bytes only, so that the answer never depends on how it arrived. */

/** Bytes that are looked at. */
export const PROBE_BYTES = 8192;
/** Share of bytes that no text has, above which output is binary. */
const MAX_NON_TEXT = 0.3;
/** The same for NUL: text with NUL separators (`find -print0`, an environment) has far fewer. */
const MAX_NUL = 0.1;
/** Bytes below which the share says nothing. */
const MIN_SAMPLE = 32;

/** First bytes of common formats; `at` is their offset. Sources: the formats' specifications and file(1). */
const MAGIC: readonly {
  readonly type: string;
  readonly at?: number;
  readonly bytes: readonly number[];
}[] = [
  { type: "ELF executable", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { type: "gzip", bytes: [0x1f, 0x8b, 0x08] },
  { type: "zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: "PNG image", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "JPEG image", bytes: [0xff, 0xd8, 0xff] },
  { type: "GIF image", bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: "WebP image", at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: "PDF", bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: "bzip2", bytes: [0x42, 0x5a, 0x68] },
  { type: "xz", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { type: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { type: "7-zip", bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { type: "tar", at: 257, bytes: [0x75, 0x73, 0x74, 0x61, 0x72] },
  { type: "WebAssembly", bytes: [0x00, 0x61, 0x73, 0x6d] },
  { type: "SQLite database", bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66] },
  { type: "Java class", bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { type: "Mach-O executable", bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { type: "Windows executable", bytes: [0x4d, 0x5a, 0x90, 0x00] },
  { type: "git pack", bytes: [0x50, 0x41, 0x43, 0x4b, 0x00, 0x00] },
  { type: "UTF-16 text", bytes: [0xff, 0xfe] },
  { type: "UTF-16 text", bytes: [0xfe, 0xff] },
];

/** What the first bytes are, as far as a small table of signatures knows; `data` otherwise. */
export function typeOfBytes(bytes: Uint8Array): string {
  const found = MAGIC.find(({ at = 0, bytes: magic }) =>
    magic.every((byte, i) => bytes[at + i] === byte)
  );
  return found?.type ?? "data";
}

function isNonText(byte: number): boolean {
  return byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f;
}

/** Looks at the first bytes of a stream as they come. */
export class BinaryProbe {
  #seen = 0;
  #nul = 0;
  #nonText = 0;
  /** Continuation bytes that a multi-byte character still needs. */
  #expected = 0;
  #state: "open" | "text" | "binary" = "open";

  /** What is known: `open` until a line is complete. */
  get state(): "open" | "text" | "binary" {
    return this.#state;
  }

  /**
   * Takes the next bytes. Judges at the end of every line and after PROBE_BYTES, and returns how many of `bytes` came
   * before the verdict `binary`; all of them without one.
   */
  feed(bytes: Uint8Array): number {
    if (this.#state === "text") return bytes.length;
    if (this.#state === "binary") return 0;
    let lineStart = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      this.#count(byte);
      const isLast = this.#seen === PROBE_BYTES;
      if (byte !== 0x0a && !isLast) continue;
      if (this.#isBinary()) {
        this.#state = "binary";
        return lineStart;
      }
      lineStart = i + 1;
      if (!isLast) continue;
      this.#state = "text";
      break;
    }
    return bytes.length;
  }

  /** Judges what has come when nothing more will. */
  finish(): void {
    if (this.#state === "open") this.#state = this.#isBinary() ? "binary" : "text";
  }

  #count(byte: number): void {
    this.#seen++;
    if (byte === 0) this.#nul++;
    if (this.#expected > 0) {
      if (byte >= 0x80 && byte < 0xc0) {
        this.#expected--;
        return;
      }
      this.#nonText++;
      this.#expected = 0;
    }
    if (byte >= 0xc2 && byte < 0xf5) this.#expected = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    else if (byte >= 0x80 || isNonText(byte)) this.#nonText++;
  }

  #isBinary(): boolean {
    if (this.#seen < MIN_SAMPLE) return false;
    return this.#nul > this.#seen * MAX_NUL || this.#nonText > this.#seen * MAX_NON_TEXT;
  }
}
