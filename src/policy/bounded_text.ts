/**
 * The text of a regular file.
 *
 * @param maxBytes the largest that is accepted.
 * @throws {Error} with the reason alone as message (`it is larger than ...`): the caller knows what it was read for.
 */
export function readBoundedText(path: string, maxBytes: number): string {
  // Opening a FIFO would wait for a writer.
  if (!Deno.statSync(path).isFile) throw new Error("it is not a regular file");
  using file = Deno.openSync(path, { read: true });
  if (!file.statSync().isFile) throw new Error("it is not a regular file");
  const bytes = new Uint8Array(maxBytes + 1);
  let length = 0;
  for (let read = file.readSync(bytes); read; read = file.readSync(bytes.subarray(length))) {
    length += read;
  }
  if (length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    throw new Error("it is not UTF-8");
  }
}
