/**
 * A private key over several lines, from its BEGIN line to its END line: plain, indented, quoted, behind `+` or `>`,
 * behind the file name or line number of `grep` and `cat -n`, or on one line with `\n` written out. Without an END
 * (a truncated key) it ends before the first line that cannot belong to one.
 *
 *   BEGIN ... ─► header lines ─► body lines, all of one length ─► one shorter line ─► END
 */

/** Lower-case keywords at which a key is looked for; RFC 4716 writes four hyphens and a blank. */
export const KEY_KEYWORDS: readonly string[] = ["-----begin", "---- begin"];

/** The BEGIN marker; sticky. The other kind of key is that of OpenVPN's `tls-auth`. */
export const KEY_BEGIN =
  /----(?:-| )BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)(?:-| )----/y;

/** More bytes than a BEGIN marker has. */
export const MAX_BEGIN = 128;

/** Bytes of a key after which it ends whatever follows: four times a PEM file of a 16,384-bit RSA key. */
export const MAX_KEY = 64 * 1024;

/** Bytes of a first line that are read at once where the line is known to have no END. */
const PIECE = 512;

const KEY_END =
  /----(?:-| )END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)(?:-| )----/;
const HEADER =
  /^[^A-Za-z0-9]{0,40}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Key-ID)[:=]/;
/** One line written with escapes: characters of a key, of its headers, and escaped line breaks. */
const ESCAPED = /^(?:[A-Za-z0-9+/= \t:,.-]|\\{1,8}[nrt])*/;
/** What may stand before a body line: marks and blanks, a line number, `file:12:` or `file-12-`. */
const BODY =
  /^(?:[^A-Za-z0-9+/=]{0,40}(?:\d{1,7}(?=[^A-Za-z0-9+/=]))?[^A-Za-z0-9+/=]{0,40}|[^\s:]{1,200}[:-](?:\d{1,7}[:-])?\s{0,40})([A-Za-z0-9+/]+={0,3}|=[A-Za-z0-9+/]{4})[\s"',;\\nr]{0,12}$/;
const EMPTY = /^[\s"',+|>\\nr#*-]{0,40}$/;

/** What happens to a line: it belongs to the key, ends it after `length` characters, or stands behind it. */
export type KeyStep =
  | { readonly kind: "take" }
  | { readonly kind: "end"; readonly length: number }
  | { readonly kind: "stop" };

/** Follows one private key line by line. */
export class PrivateKey {
  /** True when there is no END where its first line stands: then the line is read only as far as the key goes. */
  readonly #endless: boolean;
  #first = true;
  #begun = false;
  #width = 0;
  #last = false;
  #size = 0;
  readonly #body: string[] = [];

  constructor(options: { endless?: boolean } = {}) {
    this.#endless = options.endless ?? false;
  }

  /** Bytes of the next line that are to be given at once. */
  get reach(): number {
    return this.#first && this.#endless ? PIECE : MAX_KEY;
  }

  /** The body lines without what stands before them. */
  get body(): readonly string[] {
    return this.#body;
  }

  /** Identity of the key, independent of its layout. */
  get identity(): string {
    return "private-key:" + this.#body.join("").slice(0, 4096);
  }

  /**
   * Takes the rest of the BEGIN line first and then one line after another, without line feeds; of a line longer than
   * `reach` a part, and `isCut` says so.
   */
  step(line: string, isCut: boolean): KeyStep {
    this.#size += line.length + 1;
    const begun = this.#begun;
    this.#begun = true;
    const end = KEY_END.exec(line);
    if (end !== null) {
      this.#remember(line.slice(0, end.index));
      return { kind: "end", length: end.index + end[0].length };
    }
    // However long its first line is, the key is in the beginning of it.
    if (begun && this.#size > MAX_KEY) return { kind: "stop" };
    if (this.#first) return this.#firstLine(line, isCut);
    return this.#belongs(line) ? { kind: "take" } : { kind: "stop" };
  }

  #firstLine(line: string, isCut: boolean): KeyStep {
    this.#first = this.#endless && isCut;
    if (EMPTY.test(line)) return { kind: "take" };
    const length = ESCAPED.exec(line)?.[0].length ?? 0;
    this.#remember(line.slice(0, length));
    return length === line.length ? { kind: "take" } : { kind: "end", length };
  }

  #remember(text: string): void {
    for (const run of text.match(/[A-Za-z0-9+/]{16,}={0,3}/g) ?? []) this.#body.push(run);
  }

  /** All body lines have one width; the last is shorter, and only END or a checksum may follow it. */
  #belongs(line: string): boolean {
    if (HEADER.test(line)) return this.#width === 0;
    if (EMPTY.test(line)) return this.#width === 0;
    const run = BODY.exec(line)?.[1];
    if (run === undefined || (this.#last && !run.startsWith("="))) return false;
    if (this.#width > 0 && run.length > this.#width) return false;
    this.#last = this.#last || run.length < this.#width || run.endsWith("=");
    this.#width = Math.max(this.#width, run.length);
    this.#body.push(run);
    return true;
  }
}
