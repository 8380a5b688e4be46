/** Bytes with a meaning in redaction, and classes of them. Arguments below 0 stand for "no byte" and are in no class. */
export const QUOTE = 0x22;
export const APOSTROPHE = 0x27;
export const BACKSLASH = 0x5c;
export const BACKTICK = 0x60;
export const EQUALS = 0x3d;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LINE_FEED = 0x0a;

/** True for ASCII letters and digits. */
export function isAlphanumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a);
}

/** True for bytes of a variable, field or option name. */
export function isNameByte(byte: number): boolean {
  return isAlphanumeric(byte) || byte === 0x5f || byte === 0x2d || byte === 0x2e;
}

/** True for a space or a tabulator. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

/** True for the three quotes. */
export function isQuote(byte: number): boolean {
  return byte === QUOTE || byte === APOSTROPHE || byte === BACKTICK;
}

/** True for hexadecimal digits. */
export function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) ||
    (byte >= 0x61 && byte <= 0x66);
}

/** One entry for each byte, 1 where it belongs to a class. */
export type ByteTable = Uint8Array;

/**
 * The bytes of a class as it stands between the brackets of an expression: characters and ranges such as `A-Za-z_-`, without
 * escapes. Not asked of an expression byte by byte: to compile those of all rules took a start 6 ms.
 */
export function byteTable(characters: string): ByteTable {
  const table = new Uint8Array(256);
  for (let at = 0; at < characters.length; at++) {
    const first = characters.charCodeAt(at);
    const isRange = characters[at + 1] === "-" && at + 2 < characters.length;
    if (isRange) at += 2;
    table.fill(1, first, characters.charCodeAt(at) + 1);
  }
  return table;
}
