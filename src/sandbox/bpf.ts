/**
 * A two-pass assembler for the classic BPF programs of seccomp: instructions name labels, jumps are resolved at the end.
 *
 * Instruction layout: `struct sock_filter { u16 code; u8 jt; u8 jf; u32 k; }`, `linux/filter.h`.
 */
import { BPF } from "./linux/uapi.ts";

/** `BPF_MAXINSNS`, `linux/bpf_common.h`. */
const MAX_INSTRUCTIONS = 4096;
const INSTRUCTION_BYTES = 8;
/** Offsets in `struct seccomp_data`, `linux/seccomp.h`. */
const OFFSET = { nr: 0, arch: 4, args: 16 } as const;

interface Instruction {
  readonly code: number;
  readonly k: number;
  readonly jt?: string;
  readonly jf?: string;
}

/** Collects instructions; a label that is never placed means "the next instruction". */
export class Assembler {
  readonly #instructions: Instruction[] = [];
  readonly #labels = new Map<string, number>();
  #next = 0;

  /** A label that no one else uses. */
  fresh(): string {
    return `L${this.#next++}`;
  }

  /** Place a label at the next instruction. */
  label(name: string): void {
    this.#labels.set(name, this.#instructions.length);
  }

  loadNumber(): void {
    this.#instructions.push({ code: BPF.LD_W_ABS, k: OFFSET.nr });
  }

  loadArchitecture(): void {
    this.#instructions.push({ code: BPF.LD_W_ABS, k: OFFSET.arch });
  }

  /**
   * Load the low 32 bits of an argument (little endian). All calls that are decided on arguments take `int` or
   * `unsigned int` there, or flags that all lie in the low half: the kernel ignores the upper half, so must the filter.
   */
  loadArgument(index: number): void {
    this.#instructions.push({ code: BPF.LD_W_ABS, k: OFFSET.args + 8 * index });
  }

  and(mask: number): void {
    this.#instructions.push({ code: BPF.ALU_AND_K, k: mask });
  }

  jumpIfEqual(value: number, to: { readonly then?: string; readonly else?: string }): void {
    this.#jump(BPF.JMP_JEQ_K, value, to);
  }

  jumpIfAtLeast(value: number, to: { readonly then?: string; readonly else?: string }): void {
    this.#jump(BPF.JMP_JGE_K, value, to);
  }

  jumpIfGreater(value: number, to: { readonly then?: string; readonly else?: string }): void {
    this.#jump(BPF.JMP_JGT_K, value, to);
  }

  jumpIfAnyBit(mask: number, to: { readonly then?: string; readonly else?: string }): void {
    this.#jump(BPF.JMP_JSET_K, mask, to);
  }

  return(action: number): void {
    this.#instructions.push({ code: BPF.RET_K, k: action });
  }

  /**
   * The program's bytes.
   *
   * @throws {RangeError} when a jump is longer than 255 instructions or the program longer than 4,096.
   */
  assemble(): Uint8Array<ArrayBuffer> {
    const count = this.#instructions.length;
    if (count > MAX_INSTRUCTIONS) {
      throw new RangeError(`Cannot assemble a filter of ${count} instructions`);
    }
    const bytes = new Uint8Array(count * INSTRUCTION_BYTES);
    const view = new DataView(bytes.buffer);
    this.#instructions.forEach((instruction, index) => {
      const at = index * INSTRUCTION_BYTES;
      view.setUint16(at, instruction.code, true);
      view.setUint8(at + 2, this.#offset(index, instruction.jt));
      view.setUint8(at + 3, this.#offset(index, instruction.jf));
      view.setUint32(at + 4, instruction.k >>> 0, true);
    });
    return bytes;
  }

  #jump(code: number, k: number, to: { readonly then?: string; readonly else?: string }): void {
    this.#instructions.push({
      code,
      k,
      ...(to.then === undefined ? {} : { jt: to.then }),
      ...(to.else === undefined ? {} : { jf: to.else }),
    });
  }

  #offset(index: number, label: string | undefined): number {
    if (label === undefined) return 0;
    const offset = (this.#labels.get(label) ?? -1) - index - 1;
    if (offset < 0 || offset > 255) {
      throw new RangeError(`Cannot jump to "${label}": ${offset} instructions away`);
    }
    return offset;
  }
}
