import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { mergeReadableStreams, TextLineStream, toText } from "@std/streams";
import { mergeReadableStreams as mergeOfSubpath } from "@std/streams/merge-readable-streams";
import { TextLineStream as linesOfSubpath } from "@std/streams/text-line-stream";
import { toText as textOfSubpath } from "@std/streams/to-text";

const LINES: { chunks: string[]; allowCR?: boolean; want: string[] }[] = [
  { chunks: [], want: [] },
  { chunks: ["a\n", "b"], want: ["a", "b"] },
  { chunks: ["a\r", "\nb\r\n"], want: ["a", "b"] },
  { chunks: ["\n\n", "\r\n"], want: ["", "", ""] },
  { chunks: ["qwertzu", "iopasd\r\nmnbvc", "xy\rlk\n"], want: ["qwertzuiopasd", "mnbvcxy\rlk"] },
  { chunks: ["a\rb\nc\r"], want: ["a\rb", "c\r"] },
  { chunks: ["a\rb\nc\r"], allowCR: true, want: ["a", "b", "c"] },
  { chunks: ["a\r", "\nb\r", "c"], allowCR: true, want: ["a", "b", "c"] },
];

Deno.test("TextLineStream cuts at line ends wherever the chunks end", async () => {
  for (const { chunks, allowCR, want } of LINES) {
    const stream = allowCR ? new TextLineStream({ allowCR }) : new TextLineStream();
    const lines = await Array.fromAsync(ReadableStream.from(chunks).pipeThrough(stream));
    assertEquals(lines, want, JSON.stringify(chunks));
  }
});

Deno.test("toText() joins strings, and bytes whose characters span chunks", async () => {
  assertEquals(await toText(ReadableStream.from(["Hello, ", "world!"])), "Hello, world!");
  const bytes = new TextEncoder().encode("h\u00e9!");
  const chunks = ReadableStream.from([bytes.slice(0, 2), bytes.slice(2)]);
  assertEquals(await toText(chunks), "h\u00e9!");
});

Deno.test("mergeReadableStreams() yields the chunks of all streams and then ends", async () => {
  const merged = mergeReadableStreams(ReadableStream.from([1, 3]), ReadableStream.from([2]));
  assertEquals((await Array.fromAsync(merged)).sort(), [1, 2, 3]);
});

Deno.test("mergeReadableStreams() fails when one stream fails", async () => {
  const failing = new ReadableStream<number>({
    start: (controller) => controller.error(new RangeError("broken")),
  });
  const merged = mergeReadableStreams(failing, ReadableStream.from([1]));
  await assertRejects(() => Array.fromAsync(merged), RangeError, "broken");
});

Deno.test("the subpaths of @std/streams export what @std/streams does", () => {
  assertStrictEquals(mergeOfSubpath, mergeReadableStreams);
  assertStrictEquals(linesOfSubpath, TextLineStream);
  assertStrictEquals(textOfSubpath, toText);
});
