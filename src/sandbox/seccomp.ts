/**
 * The seccomp filter of a jail, as bytes. Pure: the same plan gives the same program.
 *
 * Order of the program: foreign architecture, x32 numbers, calls decided on arguments, ranges by action,
 * and ENOSYS for the rest. The kernel (5.11 and later) caches calls that are always allowed, so the length of the chain
 * costs them nothing.
 */
import { Assembler } from "./bpf.ts";
import type { ArgumentRule, Clause, Protected } from "./syscall_rules.ts";
import {
  ABSENT,
  argumentRules,
  isolatedNetworkRules,
  networkRules,
  OWN_IPC,
  REFUSED,
  SUPERVISED,
} from "./syscall_rules.ts";
import { socketOptionRule } from "./socket_option_rules.ts";
import { type Architecture, syscallNumbers } from "./linux/syscalls.ts";
import { AUDIT_ARCH, ERRNO, SECCOMP } from "./linux/uapi.ts";

/** `__X32_SYSCALL_BIT`, `asm/unistd.h`: x32 calls carry x86_64's architecture and this bit. */
const X32_BIT = 0x40000000;
const ABSENT_ACTION = SECCOMP.RET_ERRNO | ERRNO.ENOSYS;

/** What a filter depends on. */
export interface FilterOptions extends Protected {
  readonly architecture: Architecture;
  readonly net: "none" | "all";
  /** Whether a listener is installed with the filter; without one the calls for it would all answer ENOSYS. */
  readonly supervised: boolean;
  /** False where nobody needs to know of a command before it executes anything: its start then waits for no one. */
  readonly announced?: boolean;
  /** True in namespaces of its own, where IPC and an unshared network reach nobody else. */
  readonly isolated?: boolean;
  /** In such a network: false leaves no internet socket at all. */
  readonly loopback?: boolean;
}

/** What a call is answered that no rule refuses: the supervisor's calls by the supervisor, if there is one. */
function actionsOf({ supervised, announced = true }: FilterOptions): ReadonlyMap<string, number> {
  const without = (refused: boolean) =>
    refused ? SECCOMP.RET_ERRNO | ERRNO.EACCES : SECCOMP.RET_ALLOW;
  const { metadata, sockets, session, watches } = SUPERVISED;
  return new Map([
    ...[...metadata, ...watches].map((name) => [name, without(false), supervised] as const),
    ...session.map((name) => [name, without(false), supervised && announced] as const),
    ...sockets.map((name) => [name, without(true), supervised] as const),
  ].map(([name, action, handed]) => [name, handed ? SECCOMP.RET_USER_NOTIF : action]));
}

function emitClause(
  asm: Assembler,
  clause: Clause,
  labels: { readonly holds: string; readonly fails: string },
): void {
  clause.forEach((test, index) => {
    const last = index === clause.length - 1;
    asm.loadArgument(test.arg);
    if (test.in === undefined) {
      asm.jumpIfAnyBit(
        test.mask ?? 0xffffffff,
        last ? { then: labels.holds, else: labels.fails } : { else: labels.fails },
      );
      return;
    }
    if (test.mask !== undefined) asm.and(test.mask);
    const hit = last ? labels.holds : asm.fresh();
    test.in.forEach((value, position) => {
      const final = position === test.in!.length - 1;
      asm.jumpIfEqual(value >>> 0, final ? { then: hit, else: labels.fails } : { then: hit });
    });
    if (!last) asm.label(hit);
  });
}

function emitRule(
  asm: Assembler,
  rule: ArgumentRule,
  { number, pass, handOver }: {
    readonly number: number;
    readonly pass: number;
    readonly handOver: number;
  },
): void {
  const after = asm.fresh();
  const holds = asm.fresh();
  asm.jumpIfEqual(number, { else: after });
  for (const clause of rule.allow ?? rule.deny ?? []) {
    const next = asm.fresh();
    emitClause(asm, clause, { holds, fails: next });
    asm.label(next);
  }
  const refuse = SECCOMP.RET_ERRNO | rule.errno;
  for (const { clause, answer } of rule.further ?? []) {
    const [found, next] = [asm.fresh(), asm.fresh()];
    emitClause(asm, clause, { holds: found, fails: next });
    asm.label(found);
    asm.return(answer === "supervisor" ? handOver : SECCOMP.RET_ERRNO);
    asm.label(next);
  }
  asm.return(rule.allow ? refuse : pass);
  asm.label(holds);
  asm.return(rule.allow ? pass : refuse);
  asm.label(after);
}

/** Neighbouring numbers as inclusive ranges, ascending. */
function ranges(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const result: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = result.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else result.push([number, number]);
  }
  return result;
}

/**
 * Build the filter as an array of `struct sock_filter`.
 *
 * @throws {RangeError} for an architecture without a table.
 */
export function buildFilter(options: FilterOptions): Uint8Array<ArrayBuffer> {
  const numbers = syscallNumbers(options.architecture);
  const { isolated = false } = options;
  const network = isolated ? isolatedNetworkRules(options) : networkRules(options);
  const socketOption = socketOptionRule({ sharesPorts: isolated || options.net === "all" });
  const rules = [...argumentRules(options), ...network, socketOption];
  const supervised = isolated ? new Map<string, number>() : actionsOf(options);
  const absent = isolated ? ABSENT.filter((call) => !OWN_IPC.has(call)) : ABSENT;
  const decided = new Set([...rules.map((rule) => rule.call), ...absent, ...REFUSED]);
  const known = (names: readonly string[]) =>
    names.map((name) => numbers.get(name)).filter((n) => n !== undefined);
  const handOver = options.supervised && !isolated ? SECCOMP.RET_USER_NOTIF : SECCOMP.RET_ALLOW;
  const asm = new Assembler();
  const native = asm.fresh();
  asm.loadArchitecture();
  asm.jumpIfEqual(AUDIT_ARCH[options.architecture], { then: native });
  asm.return(ABSENT_ACTION);
  asm.label(native);
  asm.loadNumber();
  const regular = asm.fresh();
  asm.jumpIfAtLeast(X32_BIT, { else: regular });
  asm.return(ABSENT_ACTION);
  asm.label(regular);
  for (const rule of rules) {
    const number = numbers.get(rule.call);
    if (number === undefined) continue;
    const pass = supervised.get(rule.call) ?? SECCOMP.RET_ALLOW;
    emitRule(asm, rule, { number, pass, handOver });
  }
  const rest = [...numbers.keys()].filter((name) => !decided.has(name));
  const actions = new Map<number, string[]>([[SECCOMP.RET_ERRNO | ERRNO.EPERM, [...REFUSED]]]);
  for (const name of rest) {
    const action = supervised.get(name) ?? SECCOMP.RET_ALLOW;
    actions.set(action, [...actions.get(action) ?? [], name]);
  }
  for (const [action, names] of actions) {
    for (const [from, to] of ranges(known(names))) {
      const inside = asm.fresh();
      const after = asm.fresh();
      asm.jumpIfAtLeast(from, { then: inside, else: after });
      asm.label(inside);
      asm.jumpIfGreater(to, { then: after });
      asm.return(action);
      asm.label(after);
    }
  }
  asm.return(ABSENT_ACTION);
  return asm.assemble();
}
