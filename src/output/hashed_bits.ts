/** Bitmaps with a bit for the hash of each word that was entered. */

/** Multiplicative hashing (Knuth), as `tools/scan_module.wat` has it, of bytes from the lowest on. */
export function hashOf(word: number, bits: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - bits);
}

/** Enters a hash. */
export function setBit(bitmap: Uint8Array, hash: number): true {
  bitmap[hash >> 3] = (bitmap[hash >> 3] as number) | (1 << (hash & 7));
  return true;
}

/** True for a hash that was entered. */
export function hasBit(bitmap: Uint8Array, hash: number): boolean {
  return ((bitmap[hash >> 3] as number) & (1 << (hash & 7))) !== 0;
}
