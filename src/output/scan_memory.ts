/** The WebAssembly module of `tools/scan_module.wat`, in memory that each of its users has for itself. */
import { SCAN_MODULE } from "./scan_module.ts";

const PAGE = 64 * 1024;

/** Memory of at least so many bytes, filled with zeros; null in a process that may not reserve it. */
export function scanMemory(bytes: number): WebAssembly.Memory | null {
  const pages = Math.ceil(bytes / PAGE);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch {
    return null;
  }
}

/** What the module can do with a memory; null on a machine without its instructions, or in a process that may not make code. */
export function scanExports(memory: WebAssembly.Memory): WebAssembly.Exports | null {
  try {
    const module = new WebAssembly.Module(Uint8Array.fromBase64(SCAN_MODULE));
    return new WebAssembly.Instance(module, { scan: { memory } }).exports;
  } catch {
    return null;
  }
}
