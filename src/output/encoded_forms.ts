/**
 * The forms in which a known secret can appear in output: as it is, and in the encodings that programs apply
 * without being asked. All of this works on bytes, because a secret need not be text.
 */

/** One byte sequence to look for. */
export interface EncodedForm {
  readonly bytes: Uint8Array;
  /** True when line breaks may be strewn in (`base64` wraps at 76 columns, `xxd -p` at 60, `fold` at 80). */
  readonly folds: boolean;
  /** True for the secret itself, false for an encoding of it. */
  readonly plain: boolean;
}

/** Shortest secret that is looked for, in bytes: shorter ones hide too much that is harmless. */
export const MIN_SECRET = 6;
/** Shortest encoded form: the edges of a base64 form are lost, and what remains must not match by chance. */
const MIN_ENCODED = 8;
/** Shortest text of a secret itself that is found across line breaks, as terminals and mail wrap it. */
const MIN_FOLDED = 16;
/** Secrets are looked for in pieces of this size; a multiple of three, so that base64 pieces join. */
const PIECE = 96;

/** Text in which nothing would be escaped by JSON, a shell or a URL. */
const UNESCAPED = /^[A-Za-z0-9_.-]*$/;
// deno-lint-ignore no-control-regex -- JSON escapes exactly these
const JSON_SPECIAL = /["\\\x00-\x1f]/g;
const URL_SPECIAL = /[^A-Za-z0-9\-._~]/g;
const SHELL_SPECIAL = /[^A-Za-z0-9_\-.,/:@%+=\x80-\xff]/g;
const JSON_SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
};

/** One character for each byte. */
function toBinary(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function toBytes(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < out.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

/** Characters of the base64 text that depend on `piece` alone when `shift` unknown bytes stand before it. */
function base64Core(piece: string, shift: number): string {
  const text = btoa("\0".repeat(shift) + piece);
  const first = Math.ceil(shift * 8 / 6);
  return text.slice(first, Math.floor((shift + piece.length) * 8 / 6));
}

/** Two digits for each byte. */
const CODES: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

function code(char: string): string {
  return CODES[char.charCodeAt(0)] as string;
}

function jsonEscape(text: string): string {
  return text.replace(JSON_SPECIAL, (char) => JSON_SHORT[char] ?? `\\u00${code(char)}`);
}

function hex(text: string, before = ""): string {
  let out = "";
  for (let i = 0; i < text.length; i++) out += before + CODES[text.charCodeAt(i)];
  return out;
}

/** Forms that keep the length or escape single characters. */
function plainForms(piece: string): string[] {
  if (UNESCAPED.test(piece)) return [piece];
  return [
    piece,
    jsonEscape(piece),
    jsonEscape(jsonEscape(piece)),
    piece.replace(SHELL_SPECIAL, (char) => "\\" + char),
    piece.replaceAll("'", "'\\''"),
    piece.replace(URL_SPECIAL, (char) => "%" + code(char).toUpperCase()),
    piece.replace(URL_SPECIAL, (char) => "%" + code(char)),
  ];
}

function foldingForms(piece: string): string[] {
  const cores = [0, 1, 2].map((shift) => base64Core(piece, shift));
  const url = cores.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
  const digits = hex(piece);
  const percent = hex(piece, "%");
  return [...cores, ...url, digits, digits.toUpperCase(), percent, percent.toUpperCase()]
    .filter((text) => text.length >= MIN_ENCODED);
}

/** Lines of a secret of several lines, cut to pieces; the last piece overlaps the one before it. */
function pieces(secret: Uint8Array): Uint8Array[] {
  const out: Uint8Array[] = [];
  let from = 0;
  for (let i = 0; i <= secret.length; i++) {
    if (i < secret.length && secret[i] !== 0x0a && secret[i] !== 0x0d) continue;
    const line = secret.subarray(from, i);
    from = i + 1;
    if (line.length < MIN_SECRET) continue;
    for (let at = 0; at < line.length; at += PIECE) {
      const start = line.length - at < MIN_SECRET ? Math.max(0, line.length - PIECE) : at;
      out.push(line.subarray(start, Math.min(line.length, at + PIECE)));
    }
  }
  return out;
}

/**
 * All byte sequences that give `secret` away: raw, base64 (three alignments, both alphabets), percent, hex, JSON-
 * and shell-escaped. A long secret comes in pieces and a multi-line one line by line, so that a part of it is found.
 */
export function encodedForms(
  secret: Uint8Array,
  options: { plainOnly?: boolean } = {},
): EncodedForm[] {
  const out = new Map<string, boolean>();
  // Pieces of a secret with a short period begin alike; one of them finds them all.
  const beginnings = new Set<string>();
  const add = (text: string, form: { kind: string; plain: boolean }) => {
    const beginning = form.kind + text.slice(0, MIN_SECRET);
    if (out.has(text) || beginnings.has(beginning)) return;
    beginnings.add(beginning);
    out.set(text, form.plain);
  };
  for (const piece of pieces(secret).map(toBinary)) {
    plainForms(piece).forEach((text, i) => add(text, { kind: `plain${i}`, plain: true }));
    if (!options.plainOnly) {
      foldingForms(piece).forEach((text, i) => add(text, { kind: `folding${i}`, plain: false }));
    }
  }
  return Array.from(out, ([text, plain]) => ({
    bytes: toBytes(text),
    folds: !plain || text.length >= MIN_FOLDED,
    plain,
  }));
}
