/**
 * Local stand-in for `@std/cli`: what this project uses of it.
 *
 * @module
 */
export * from "./parse_args.ts";
