/**
 * Local stand-in for `@std/streams`: what this project uses of it.
 *
 * @module
 */
export * from "./merge_readable_streams.ts";
export * from "./text_line_stream.ts";
export * from "./to_text.ts";
