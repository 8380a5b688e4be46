import { assertEquals } from "@std/assert";
import {
  type Access,
  grantedRights,
  handledFs,
  NEWEST_ABI,
  pathBeneathAttribute,
  rulesetAttribute,
} from "../../src/sandbox/landlock.ts";

const ABIS = [1, 2, 3, 4, 5, 6, 7];
const NOTHING: Access = { read: false, write: false, list: false };
const READ = { ...NOTHING, read: true };
const WRITE = { ...NOTHING, write: true };
const BOTH = { ...NOTHING, read: true, write: true };
const LIST = { ...NOTHING, list: true };

/** Bits of `linux/landlock.h` by name, written down once more. */
const BITS =
  ("EXECUTE WRITE_FILE READ_FILE READ_DIR REMOVE_DIR REMOVE_FILE MAKE_CHAR MAKE_DIR MAKE_REG MAKE_SOCK MAKE_FIFO " +
    "MAKE_BLOCK MAKE_SYM REFER TRUNCATE IOCTL_DEV").split(" ");

function names(rights: bigint): string {
  return BITS.filter((_, bit) => (rights >> BigInt(bit)) & 1n).join(" ");
}

Deno.test("NEWEST_ABI is the last that these tests know", () => {
  assertEquals(NEWEST_ABI, ABIS.at(-1));
});

Deno.test("handledFs denies all that an ABI knows", () => {
  const golden = [0x1fffn, 0x3fffn, 0x7fffn, 0x7fffn, 0xffffn, 0xffffn, 0xffffn];
  assertEquals(ABIS.map(handledFs), golden);
  assertEquals(handledFs(0), 0n);
  assertEquals(names(handledFs(7)), BITS.join(" "));
});

Deno.test("rulesetAttribute gives the bytes that each ABI takes", () => {
  const golden: readonly { abi: number; none: string; all: string }[] = [
    { abi: 1, none: "ff1f000000000000", all: "ff1f000000000000" },
    { abi: 2, none: "ff3f000000000000", all: "ff3f000000000000" },
    { abi: 3, none: "ff7f000000000000", all: "ff7f000000000000" },
    { abi: 4, none: "ff7f0000000000000300000000000000", all: "ff7f0000000000000000000000000000" },
    { abi: 5, none: "ffff0000000000000300000000000000", all: "ffff0000000000000000000000000000" },
    {
      abi: 6,
      none: "ffff00000000000003000000000000000300000000000000",
      all: "ffff00000000000000000000000000000300000000000000",
    },
    {
      abi: 7,
      none: "ffff00000000000003000000000000000300000000000000",
      all: "ffff00000000000000000000000000000300000000000000",
    },
  ];
  for (const { abi, none, all } of golden) {
    assertEquals(rulesetAttribute(abi, "none").toHex(), none, `ABI ${abi}`);
    assertEquals(rulesetAttribute(abi, "all").toHex(), all, `ABI ${abi}`);
  }
});

Deno.test("grantedRights gives the rights of a grant, and no device nodes", () => {
  const directory = { directory: true, device: false };
  const file = { directory: false, device: false };
  const device = { directory: false, device: true };
  const writeDirectory =
    "WRITE_FILE REMOVE_DIR REMOVE_FILE MAKE_DIR MAKE_REG MAKE_SOCK MAKE_FIFO MAKE_SYM REFER TRUNCATE";
  const cases: readonly {
    access: Access;
    target: typeof file;
    abi?: number;
    executes?: boolean;
    want: string;
  }[] = [
    { access: NOTHING, target: directory, want: "" },
    { access: NOTHING, target: file, want: "" },
    { access: READ, target: directory, want: "EXECUTE READ_FILE READ_DIR" },
    { access: READ, target: directory, executes: false, want: "READ_FILE READ_DIR" },
    { access: BOTH, target: file, executes: false, want: "WRITE_FILE READ_FILE TRUNCATE" },
    { access: READ, target: file, want: "EXECUTE READ_FILE" },
    { access: WRITE, target: directory, want: writeDirectory },
    { access: WRITE, target: file, want: "WRITE_FILE TRUNCATE" },
    { access: LIST, target: directory, want: "READ_DIR" },
    { access: BOTH, target: device, want: "EXECUTE WRITE_FILE READ_FILE TRUNCATE IOCTL_DEV" },
    { access: BOTH, target: file, want: "EXECUTE WRITE_FILE READ_FILE TRUNCATE" },
    {
      access: WRITE,
      target: directory,
      abi: 1,
      want: writeDirectory.replace(" REFER TRUNCATE", ""),
    },
    { access: WRITE, target: directory, abi: 2, want: writeDirectory.replace(" TRUNCATE", "") },
    { access: WRITE, target: file, abi: 2, want: "WRITE_FILE" },
    { access: WRITE, target: file, abi: 3, want: "WRITE_FILE TRUNCATE" },
    { access: READ, target: device, abi: 4, want: "EXECUTE READ_FILE" },
    { access: READ, target: device, abi: 5, want: "EXECUTE READ_FILE IOCTL_DEV" },
  ];
  for (const { access, target, abi = 7, executes = true, want } of cases) {
    assertEquals(names(grantedRights(access, { ...target, abi, executes })), want);
  }
});

Deno.test("grantedRights asks for no right that the ABI does not handle", () => {
  for (const abi of [0, ...ABIS]) {
    for (const access of [READ, WRITE, BOTH, LIST]) {
      for (const directory of [true, false]) {
        const rights = grantedRights(access, {
          directory,
          device: !directory,
          abi,
          executes: true,
        });
        assertEquals(rights & ~handledFs(abi), 0n);
      }
    }
  }
});

Deno.test("pathBeneathAttribute packs the rights before the descriptor", () => {
  assertEquals(pathBeneathAttribute(0x8123n, 7).toHex(), "238100000000000007000000");
  assertEquals(pathBeneathAttribute(0xffff_ffff_ffff_ffffn, -1).toHex(), "f".repeat(24));
});
