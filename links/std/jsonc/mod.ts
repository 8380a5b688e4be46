/**
 * Local stand-in for `@std/jsonc`: what this project uses of it, over the `jsonc-parser` library.
 *
 * @module
 */
export * from "./parse.ts";
