/**
 * V8's flags of the executable, as `--v8-flags`. Bytecode is accepted only by an engine with the flags that it was made
 * with.
 */
// In MiB: without a bound the young generation grows with the length of a command's output.
export const V8_FLAGS = "--v8-flags=--max-semi-space-size=4";
