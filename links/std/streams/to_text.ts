/** Reads a stream of strings, or of UTF-8 bytes whose characters may span chunks, to its end. */
export async function toText(
  stream: ReadableStream<string> | ReadableStream<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const chunk of stream as ReadableStream<string | Uint8Array<ArrayBuffer>>) {
    parts.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
