/** Memory of this process as the kernel is given it: addresses, and text that ends with a NUL. */

const encoder = new TextEncoder();
/** A byte order mark is a part of a name. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

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

/** Strings one behind the other, each with a NUL behind it. @throws {TypeError} as `cString`. */
export function stringBlock(items: readonly string[]): string {
  let block = "";
  for (const item of items) block += `${item}\0`;
  // All at once: one by one took as long as all else that an order needs.
  if (!block.isWellFormed() || block.split("\0").length !== items.length + 1) {
    items.forEach(refuseUnfit);
  }
  return block;
}

/** The text of a `cString` somewhere in this process. */
export function cStringAt(address: bigint): string {
  const pointer = Deno.UnsafePointer.create(address);
  return pointer === null ? "" : Deno.UnsafePointerView.getCString(pointer);
}

/** A text that lies somewhere in this process, with a NUL behind it. */
export interface TextAt {
  readonly text: string;
  readonly address: bigint;
}

/** The texts of a `stringBlock` somewhere in this process. */
export function textsAt(address: bigint, length: number): readonly TextAt[] {
  const pointer = Deno.UnsafePointer.create(address);
  const texts: TextAt[] = [];
  if (pointer === null) return texts;
  const bytes = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(pointer, length));
  for (let at = 0, end = 0; at < length; at = end + 1) {
    end = bytes.indexOf(0, at);
    texts.push({ text: decoder.decode(bytes.subarray(at, end)), address: address + BigInt(at) });
  }
  return texts;
}

/**
 * What `execve(2)` takes for a block of strings: asking for the address of each took a tenth of a start.
 *
 * @param block from `stringBlock`.
 */
export function stringArray(block: string): StringArray {
  const bytes = encoder.encode(block);
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at = bytes.indexOf(0, at) + 1) starts.push(at);
  const pointers = new BigUint64Array(starts.length + 1);
  const base = starts.length === 0 ? 0n : address(bytes);
  starts.forEach((start, index) => pointers[index] = base + BigInt(start));
  return { pointers, bytes };
}
