/** Memory in which newlines are counted sixteen bytes at a time, by the WebAssembly module of `tools/scan_module.wat`. */
import { SCAN_MODULE } from "./scan_module.ts";

const PAGE = 64 * 1024;

/** Memory of the module's own. */
export interface CountedMemory {
  readonly bytes: Uint8Array;
  /** Newlines in `[from, to)`, which must lie in `bytes`. */
  readonly count: (from: number, to: number) => number;
}

/** Makes memory of `size` bytes, filled with zeros; null where the module cannot be made. */
export function countedMemory(size: number): CountedMemory | null {
  const pages = Math.ceil(size / PAGE);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const module = new WebAssembly.Module(Uint8Array.fromBase64(SCAN_MODULE));
    const { exports } = new WebAssembly.Instance(module, { scan: { memory } });
    return {
      bytes: new Uint8Array(memory.buffer, 0, size),
      count: exports.count as CountedMemory["count"],
    };
  } catch {
    // A machine without these instructions, or a process that may not make code or reserve the memory.
    return null;
  }
}
