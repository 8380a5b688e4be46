import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { argumentRules } from "../../src/sandbox/syscall_rules.ts";
import { type Architecture, syscallNumbers } from "../../src/sandbox/linux/syscalls.ts";
import { buildFilter } from "../../src/sandbox/seccomp.ts";
import { actionOf, isLoadable, runFilter } from "./bpf_interpreter.ts";
import {
  ALLOWED,
  DECIDED,
  DECIDED_BY_NET,
  DECIDED_FURTHER,
  FILE_CHANGES,
  IDS,
  NOT_PERMITTED,
  NOT_THERE,
  SOCKET_CALLS,
} from "./expected_calls.ts";

/** `linux/audit.h`. */
const ARCH = { x86_64: 0xc000003e, aarch64: 0xc00000b7, i386: 0x40000003, arm: 0x40000028 };
const ENOSYS = 38;
const VARIANTS = (["x86_64", "aarch64"] as const).flatMap((architecture) =>
  (["none", "all", "alone"] as const).map((net) => ({
    architecture,
    net,
    name: `${architecture}, net ${net}`,
    numbers: syscallNumbers(architecture),
    program: buildFilter({
      architecture,
      net: net === "all" ? "all" : "none",
      supervised: net !== "alone",
      ...IDS,
    }),
  }))
);
type Variant = typeof VARIANTS[number];

function answer(variant: Variant, call: string | number, args: readonly (number | bigint)[] = []) {
  const nr = typeof call === "number" ? call : variant.numbers.get(call);
  if (nr === undefined) throw new Error(`${call} has no number`);
  const data = { nr, arch: ARCH[variant.architecture], args: args.map(BigInt) };
  return actionOf(runFilter(variant.program, data));
}

function decided(variant: Variant) {
  return [...DECIDED, ...DECIDED_BY_NET[variant.net]].filter(({ call }) =>
    variant.numbers.has(call)
  );
}

/** What a call is answered that the filter does not refuse. */
function passed(variant: Variant, call: string): "allow" | "notify" {
  return variant.net !== "alone" && DECIDED_FURTHER.has(call) ? "notify" : "allow";
}

/** Arguments that a call without a rule must be indifferent to. */
const ANY_ARGUMENTS = [[], Array(6).fill(0xffffffffffffffffn), [4242, 4250, 4242], [2, 2, 0], [
  1,
  0x5412,
]];

for (const variant of VARIANTS) {
  Deno.test(`buildFilter answers every call of ${variant.name} as written down`, () => {
    const lists = [
      [ALLOWED, "allow"],
      [FILE_CHANGES, variant.net === "alone" ? "allow" : "notify"],
      [SOCKET_CALLS, variant.net === "alone" ? 13 : "notify"],
      [NOT_THERE, ENOSYS],
      [NOT_PERMITTED, 1],
    ] as const;
    const covered = new Set(decided(variant).map(({ call }) => call));
    for (const [names, want] of lists) {
      for (const name of names.filter((name) => variant.numbers.has(name))) {
        assertEquals(covered.has(name), false, `${name} stands in two lists`);
        covered.add(name);
        for (const args of ANY_ARGUMENTS) assertEquals(answer(variant, name, args), want, name);
      }
    }
    assertEquals([...variant.numbers.keys()].filter((name) => !covered.has(name)), []);
  });

  Deno.test(`buildFilter decides on arguments for ${variant.name}`, () => {
    for (const { call, allowed, refused, errno, notified = [], ignored = [] } of decided(variant)) {
      for (const args of allowed) {
        assertEquals(answer(variant, call, args), passed(variant, call), `${call} ${args}`);
      }
      for (const args of notified) assertEquals(answer(variant, call, args), "notify");
      for (const args of ignored) assertEquals(answer(variant, call, args), 0);
      for (const args of refused) {
        assertEquals(answer(variant, call, args), errno, `${call} ${args}`);
      }
    }
  });

  Deno.test(`buildFilter ignores the upper half of arguments, as the kernel does, for ${variant.name}`, () => {
    const dirty = (args: readonly number[]) => args.map((arg) => BigInt(arg) | 0xdeadbeef00000000n);
    for (const { call, allowed, refused, errno } of decided(variant)) {
      for (const args of allowed) {
        assertEquals(answer(variant, call, dirty(args)), passed(variant, call), call);
      }
      for (const args of refused) assertEquals(answer(variant, call, dirty(args)), errno, call);
    }
  });

  Deno.test(`buildFilter knows no foreign entry point, no x32 and no unknown number on ${variant.name}`, () => {
    const { read, kill } = Object.fromEntries(variant.numbers) as { read: number; kill: number };
    assertEquals(answer(variant, read), "allow");
    const foreign = Object.values(ARCH).filter((arch) => arch !== ARCH[variant.architecture]);
    for (const arch of [...foreign, 0, 0xffffffff]) {
      for (const nr of [read, kill, 0, 1, 4, 11, 63, 333]) {
        assertEquals(actionOf(runFilter(variant.program, { nr, arch })), ENOSYS, `${arch} ${nr}`);
      }
    }
    const highest = Math.max(...variant.numbers.values());
    const gaps = Array.from({ length: 1024 }, (_, nr) => nr)
      .filter((nr) => ![...variant.numbers.values()].includes(nr));
    // open_tree_attr, file_getattr, file_setattr (Linux 6.15 and 6.17), uretprobe, and all that will come.
    for (const nr of [467, 468, 469, 335, 336]) {
      assertEquals(gaps.includes(nr), true, `${nr}`);
    }
    const x32 = [...variant.numbers.values()].map((nr) => nr | 0x40000000);
    for (const nr of [...gaps, ...x32, highest + 1, -1, -2, -0x80000000, 0x7fffffff, 0x3fffffff]) {
      assertEquals(answer(variant, nr), ENOSYS, `${nr}`);
    }
  });

  Deno.test(`buildFilter gives a program that the kernel accepts for ${variant.name}`, () => {
    assertEquals(isLoadable(variant.program), true);
    assertEquals(variant.program.byteLength % 8, 0);
    assertEquals(variant.program.byteLength / 8 < 4096, true);
  });

  Deno.test(`buildFilter only ever allows, hands over or answers an errno on ${variant.name}`, () => {
    const word = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: 0n, max: 2000n }),
    );
    const nr = fc.oneof(fc.integer({ min: -5, max: 600 }), fc.integer());
    const arch = fc.oneof(fc.constantFrom(...Object.values(ARCH)), fc.nat());
    const calls = fc.record({ nr, arch, args: fc.array(word, { minLength: 6, maxLength: 6 }) });
    const errnos = [0, 1, 13, ENOSYS, 97];
    fc.assert(
      fc.property(calls, (data) => {
        const action = actionOf(runFilter(variant.program, data));
        return action === "allow" || action === "notify"
          ? data.arch === ARCH[variant.architecture] && data.nr >= 0 && data.nr < 467
          : errnos.includes(action as number);
      }),
      { numRuns: 2000 },
    );
  });
}

/** SHA-256 of each program: a change here must be one that somebody wanted. */
const GOLDEN: Readonly<Record<string, string>> = {
  "x86_64, net none": "2f0c3f9ecac210c2f4f39c66994baf13245f55c1c561e910ce03424a9cb897be",
  "x86_64, net all": "e13377a24df0677413b32ee9dc883424f5e8ae9d0d0131baeed8cb1f4ce92035",
  "x86_64, net alone": "29615deedb646c5ac29d65ad3ba366125fc913f544c7b3f631841ee1d2906d0c",
  "aarch64, net none": "d912d68cb46b9fe327210d4c6fb2a5fa0adb3067e90ac72ae2200d6bfcd62513",
  "aarch64, net all": "39a314c47fd267b5fd51b14f22c68d972e93fb650b3038750d754cd1e333dad1",
  "aarch64, net alone": "e2606f2a58c051049c73afd1955536fc9494d1d597ce3cb92e121837eb86c35e",
};

Deno.test("buildFilter gives the same program as before", async () => {
  const found: Record<string, string> = {};
  for (const { name, program } of VARIANTS) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", program));
    found[name] = digest.toHex();
  }
  assertEquals(found, GOLDEN);
});

Deno.test("argumentRules has arguments of both sides in the table of expectations", () => {
  const rules = argumentRules(IDS).map((rule) => rule.call).sort();
  assertEquals(DECIDED.map(({ call }) => call).sort(), rules);
  for (const { call, allowed, refused } of DECIDED) {
    assertEquals([allowed.length > 0, refused.length > 0], [true, true], call);
  }
});

Deno.test("buildFilter protects the ids that it is given", () => {
  const other = buildFilter({
    architecture: "x86_64",
    net: "none",
    supervised: true,
    shellPid: 1,
    jailTid: 2,
  });
  const kill = (pid: number) =>
    actionOf(runFilter(other, { nr: 62, arch: ARCH.x86_64, args: [BigInt(pid)] }));
  assertEquals([1, 2, 0xffffffff, 3, 4242].map(kill), [1, 1, 1, "allow", "allow"]);
});

Deno.test("buildFilter hands setsid over where commands are announced, and chmod in any case", () => {
  const [setsid, chmod] = [112, 90];
  const options = { architecture: "x86_64", net: "none", supervised: true, ...IDS } as const;
  for (const announced of [true, false, undefined]) {
    const filter = buildFilter({ ...options, ...(announced === undefined ? {} : { announced }) });
    const action = (nr: number) =>
      actionOf(runFilter(filter, { nr, arch: ARCH.x86_64, args: [0n, 0n] }));
    const want = announced === false ? "allow" : "notify";
    assertEquals([action(setsid), action(chmod)], [want, "notify"]);
  }
});

Deno.test("buildFilter refuses an architecture without a table", () => {
  const architecture = "riscv64" as Architecture;
  const options = { architecture, net: "none", supervised: true, ...IDS } as const;
  assertThrows(() => buildFilter(options), RangeError, 'Cannot jail on architecture "riscv64"');
});
