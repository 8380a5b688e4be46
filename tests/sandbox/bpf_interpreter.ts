/**
 * Runs a classic BPF program the way that the kernel runs a seccomp filter (`kernel/seccomp.c`, `seccomp_check_filter`):
 * only the instructions listed there, aligned 32 bit loads inside `struct seccomp_data`, forward jumps inside the program.
 * Everything else throws, as the kernel would refuse the program.
 */

/** `struct seccomp_data` without the instruction pointer. */
export interface SeccompData {
  /** Any 32 bit value; negative numbers count as the kernel's `int`. */
  readonly nr: number;
  readonly arch: number;
  /** Six 64 bit arguments; absent ones are 0. */
  readonly args?: readonly bigint[];
}

/** `sizeof(struct seccomp_data)`, `linux/seccomp.h`. */
const DATA_BYTES = 64;
/** `sizeof(struct sock_filter)`. */
const INSTRUCTION_BYTES = 8;
/** `BPF_MAXINSNS`. */
const MAX_INSTRUCTIONS = 4096;

/** What happens to the accumulator and the program counter; null ends the program. */
type Step = (k: number, accumulator: number) => { readonly a: number; readonly taken?: boolean };

const STEPS: Readonly<Record<number, Step>> = {
  0x54: (k, a) => ({ a: (a & k) >>> 0 }),
  0x15: (k, a) => ({ a, taken: a === k }),
  0x25: (k, a) => ({ a, taken: a > k }),
  0x35: (k, a) => ({ a, taken: a >= k }),
  0x45: (k, a) => ({ a, taken: (a & k) !== 0 }),
};
const LOAD_WORD = 0x20;
const RETURN = 0x06;

function dataView(data: SeccompData): DataView {
  const view = new DataView(new ArrayBuffer(DATA_BYTES));
  view.setInt32(0, data.nr | 0, true);
  view.setUint32(4, data.arch >>> 0, true);
  for (let index = 0; index < 6; index++) {
    view.setBigUint64(16 + 8 * index, BigInt.asUintN(64, data.args?.[index] ?? 0n), true);
  }
  return view;
}

/**
 * Returns the action of a program for one call.
 *
 * @throws {RangeError} where the kernel would refuse to load the program.
 */
export function runFilter(program: Uint8Array, data: SeccompData): number {
  const count = program.byteLength / INSTRUCTION_BYTES;
  if (!Number.isInteger(count) || count === 0 || count > MAX_INSTRUCTIONS) {
    throw new RangeError(`a program of ${program.byteLength} bytes`);
  }
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const input = dataView(data);
  let a = 0;
  for (let pc = 0;; pc++) {
    if (pc >= count) throw new RangeError(`no instruction ${pc}`);
    const at = pc * INSTRUCTION_BYTES;
    const operation = code.getUint16(at, true);
    const k = code.getUint32(at + 4, true);
    if (operation === RETURN) return k;
    if (operation === LOAD_WORD) {
      if (k % 4 !== 0 || k >= DATA_BYTES) throw new RangeError(`a load at ${k}`);
      a = input.getUint32(k, true);
      continue;
    }
    const step = STEPS[operation];
    if (!step) throw new RangeError(`instruction ${pc} is 0x${operation.toString(16)}`);
    const result = step(k, a);
    a = result.a;
    if (result.taken !== undefined) pc += code.getUint8(at + (result.taken ? 2 : 3));
  }
}

/** An action in words: `allow`, `notify` (the supervisor), the number of an errno, or the raw value of anything else. */
export function actionOf(action: number): "allow" | "notify" | number | string {
  if (action === 0x7fff0000) return "allow";
  if (action === 0x7fc00000) return "notify";
  if ((action & 0xffff0000) >>> 0 === 0x00050000) return action & 0xffff;
  return `0x${(action >>> 0).toString(16)}`;
}

/** True when every instruction, reached or not, is one that the kernel accepts, and every jump stays inside. */
export function isLoadable(program: Uint8Array): boolean {
  const count = program.byteLength / INSTRUCTION_BYTES;
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  for (let pc = 0; pc < count; pc++) {
    const at = pc * INSTRUCTION_BYTES;
    const operation = code.getUint16(at, true);
    if (!(operation === RETURN || operation === LOAD_WORD || operation in STEPS)) return false;
    const jumps = operation !== 0x54 && operation in STEPS;
    const furthest = Math.max(code.getUint8(at + 2), code.getUint8(at + 3));
    if (jumps && pc + 1 + furthest >= count) return false;
  }
  return new DataView(program.buffer, program.byteOffset).getUint16(
    (count - 1) * INSTRUCTION_BYTES,
    true,
  ) === RETURN;
}
