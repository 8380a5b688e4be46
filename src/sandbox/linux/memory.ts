/** Memory of this process as the kernel is given it: addresses, and text that ends with a NUL. */

const encoder = new TextEncoder();

/** Where a buffer lies, valid as long as the buffer is referenced. */
export function address(buffer: BufferSource): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(buffer as Uint8Array<ArrayBuffer>));
}

/**
 * A NUL-terminated UTF-8 copy.
 *
 * @throws {TypeError} when the text holds a NUL or half of a surrogate pair: the kernel would be given something else.
 */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  refuseUnfit(text);
  return encoder.encode(text + "\0");
}

function refuseUnfit(text: string): void {
  if (text.includes("\0")) throw new TypeError("Cannot pass text with a NUL byte to the kernel");
  if (!text.isWellFormed()) {
    throw new TypeError("Cannot pass text with half of a surrogate pair to the kernel");
  }
}

/** Strings as `execve(2)` takes them: the addresses, then a null one. */
export interface StringArray {
  readonly pointers: BigUint64Array<ArrayBuffer>;
  /** What the addresses lead to; to be referenced until they are no longer used. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * All strings one behind the other: asking for the address of each took a tenth of a start.
 *
 * @throws {TypeError} as `cString`.
 */
export function stringArray(items: readonly string[]): StringArray {
  items.forEach(refuseUnfit);
  const bytes = encoder.encode(items.map((item) => `${item}\0`).join(""));
  const pointers = new BigUint64Array(items.length + 1);
  const base = items.length === 0 ? 0n : address(bytes);
  for (let index = 0, at = 0; index < items.length; index++) {
    pointers[index] = base + BigInt(at);
    at = bytes.indexOf(0, at) + 1;
  }
  return { pointers, bytes };
}
