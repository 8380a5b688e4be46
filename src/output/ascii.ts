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

/** The bytes that an expression for one character accepts. */
export function byteTable(test: RegExp): ByteTable {
  return Uint8Array.from(
    { length: 256 },
    (_, byte) => test.test(String.fromCharCode(byte)) ? 1 : 0,
  );
}
