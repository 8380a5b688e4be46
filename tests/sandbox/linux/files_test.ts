import { assert, assertEquals } from "@std/assert";
import { close } from "../../../src/sandbox/linux/ffi.ts";
import {
  directoryNames,
  hasMagicLink,
  openResolved,
  readKernelFile,
  readLink,
  realPath,
  status,
} from "../../../src/sandbox/linux/files.ts";
import { OPEN } from "../../../src/sandbox/linux/uapi.ts";
import { TempTree } from "../temp_tree.ts";

const FILES = {
  "directory/file": "content",
  "link": { link: "directory/file" },
  "up": { link: "@/directory" },
  "dangling": { link: "absent" },
  "loop": { link: "loop" },
} as const;

Deno.test("status tells kinds apart and agrees with Deno's own", () => {
  using tree = new TempTree(FILES);
  const cases = [
    { in: "directory", follow: false, want: "directory" },
    { in: "directory/file", follow: false, want: "file" },
    { in: "link", follow: false, want: "link" },
    { in: "link", follow: true, want: "file" },
    { in: "dangling", follow: false, want: "link" },
    { in: "dangling", follow: true, want: null },
    { in: "absent", follow: false, want: null },
    { in: "directory/file/below", follow: false, want: null },
  ];
  for (const { in: name, follow, want } of cases) {
    assertEquals(status(tree.at(name), { follow })?.kind ?? null, want, name);
  }
  Deno.chmodSync(tree.at("directory/file"), 0o640);
  const found = status(tree.at("directory/file"), { follow: false })!;
  const info = Deno.statSync(tree.at("directory/file"));
  assertEquals([found.mode, found.size, found.uid], [0o640, 7, info.uid!]);
  assertEquals([found.inode, found.modified / 1_000_000n], [
    BigInt(info.ino!),
    BigInt(+info.mtime!),
  ]);
  assertEquals(status("/dev/null", { follow: false })?.kind, "character-device");
});

Deno.test("realPath and readLink resolve as Deno does, and answer null where there is nothing", () => {
  using tree = new TempTree(FILES);
  for (const name of ["", "directory", "link", "up", "up/file"]) {
    assertEquals(realPath(tree.at(name)), Deno.realPathSync(tree.at(name)), name);
  }
  for (const name of ["dangling", "loop", "absent"]) assertEquals(realPath(tree.at(name)), null);
  assertEquals(readLink(tree.at("link")), "directory/file");
  assertEquals([readLink(tree.at("directory")), readLink(tree.at("absent"))], [null, null]);
});

Deno.test("openResolved opens no path with a link in it", () => {
  using tree = new TempTree(FILES);
  const ELOOP = -40;
  const cases = [
    { in: "directory/file", opens: true },
    { in: "directory", opens: true },
    { in: "link", opens: false },
    { in: "up", opens: false },
    { in: "up/file", opens: false },
  ];
  for (const { in: name, opens } of cases) {
    const fd = openResolved(tree.at(name), OPEN.PATH);
    assertEquals(opens ? fd >= 0 : fd, opens || ELOOP, name);
    if (fd >= 0) close(fd);
  }
  assertEquals(openResolved(tree.at("absent"), OPEN.PATH), -2);
});

Deno.test("directoryNames lists every entry of a directory of any size", () => {
  using tree = new TempTree();
  const names = Array.from({ length: 3000 }, (_, index) => `${index}`.padStart(100, "n"));
  for (const name of names) tree.add(name, "");
  assertEquals([...directoryNames(tree.path)!].sort(), names.sort());
  tree.add("empty", { directory: true });
  assertEquals(directoryNames(tree.at("empty")), []);
  assertEquals([directoryNames(tree.at(names[0]!)), directoryNames(tree.at("absent"))], [
    null,
    null,
  ]);
});

Deno.test("readKernelFile reads at most 64 KiB of a file", () => {
  using tree = new TempTree({ "short": "short\n", "long": "x".repeat(70_000), "empty": "" });
  assertEquals(readKernelFile(tree.at("short")), "short\n");
  assertEquals([readKernelFile(tree.at("empty")), readKernelFile(tree.at("absent"))], ["", null]);
  assertEquals(readKernelFile(tree.at("long"))?.length, 65536);
  assertEquals(readKernelFile(tree.path), null);
  assert(readKernelFile("/proc/self/status")!.includes("\nSeccomp:"));
});

Deno.test("realPath and hasMagicLink stop at what a process has open", () => {
  using tree = new TempTree({ "input": { link: "/dev/stdin" } });
  const table = [
    { in: "/dev/stdin", want: true },
    { in: "/proc/self/fd/0", want: true },
    { in: "/proc/self/cwd/x", want: true },
    { in: `/proc/${Deno.pid}/root/etc`, want: true },
    { in: tree.at("input"), want: true },
    { in: "/proc/self", want: false },
    { in: "/proc/mounts", want: false },
    { in: "/dev/fd", want: false },
    { in: "/dev/null", want: false },
  ];
  for (const { in: path, want } of table) {
    assertEquals(hasMagicLink(path), want, path);
    assertEquals(realPath(path) === null, want, path);
  }
});
