/** Memory in which newlines are counted sixteen bytes at a time, by the WebAssembly module of `tools/scan_module.wat`. */
import { scanExports, scanMemory } from "./scan_memory.ts";

/** Memory of the module's own. */
export interface CountedMemory {
  readonly bytes: Uint8Array;
  /** Newlines in `[from, to)`, which must lie in `bytes`. */
  readonly count: (from: number, to: number) => number;
}

/** Makes memory of `size` bytes, filled with zeros; null where the module cannot be made. */
export function countedMemory(size: number): CountedMemory | null {
  const memory = scanMemory(size);
  const exports = memory && scanExports(memory);
  if (memory === null || exports === null) return null;
  return {
    bytes: new Uint8Array(memory.buffer, 0, size),
    count: exports.count as CountedMemory["count"],
  };
}
