/** What is protected in a repository's own directory, and what its configuration makes of other files. */
import { dirname, resolve } from "node:path/posix";
import { type ByteText, fromByteText, readBeneath, toByteText } from "../linux/beneath.ts";
import { close, open } from "../linux/ffi.ts";
import { realPath } from "../linux/files.ts";
import { OPEN } from "../linux/uapi.ts";
import { parseGitConfig } from "./git_config.ts";
import type { ProtectedEntry, ProtectedKind } from "./protected_entry.ts";

/** Bytes of the user's own configuration that are read. */
const MAX_CONFIG = 1 << 20;
/** Files of it that are followed. */
const MAX_FILES = 64;

/** Files of a repository's own directory from which git takes programs, or where to look for them. */
const FILES: readonly { readonly path: string; readonly kind: ProtectedKind }[] = [
  { path: "config", kind: "config" },
  // Read when extensions.worktreeConfig is set, which commands may do.
  { path: "config.worktree", kind: "config" },
  { path: "hooks", kind: "hooks" },
  // Chooses filters and drivers by path, and no commit shows it.
  { path: "info/attributes", kind: "tree" },
  // Name pagers and commands for lazygit, and for Sapling in git's repositories.
  { path: "lazygit.yml", kind: "tree" },
  { path: "sl/config", kind: "tree" },
  // Says that configuration and hooks are somewhere else.
  { path: "commondir", kind: "commondir" },
];

/** A protected path without what it has to be. */
export type EntryPlace = Omit<ProtectedEntry, "state">;

/** The protected paths of a repository's own directory. */
export function gitDirectoryEntries(directory: ByteText): readonly EntryPlace[] {
  const below = directory === "" ? "" : `${directory}/`;
  return FILES.map(({ path, kind }) => ({ kind, path: below + path, holder: directory }));
}

/** Files that a configuration names. */
export interface NamedByConfig {
  /** Further configuration files, absolute. */
  readonly includes: readonly string[];
  /** Where hooks are: absolute, or relative to each working tree. */
  readonly hooks: readonly string[];
}

/** What a configuration names, `~/` being the home directory; nothing when it does not parse. */
export function namedByConfig(
  text: string,
  options: { readonly file: string; readonly home: string },
): NamedByConfig {
  const includes: string[] = [];
  const hooks: string[] = [];
  for (const { section, subsection, key, value } of parseGitConfig(text) ?? []) {
    const path = value?.replace(/^~(?=\/)/, options.home);
    if (!path) continue;
    const isInclude = (section === "include" && subsection === null) || section === "includeif";
    if (isInclude && key === "path") includes.push(resolve(dirname(options.file), path));
    if (section === "core" && subsection === null && key === "hookspath") hooks.push(path);
  }
  return { includes, hooks };
}

/** The working tree of a repository's own directory, where hooks run: the directory above `.git`, else itself. */
export function workingTree(gitDirectory: ByteText): ByteText {
  return gitDirectory.replace(/(?:^|\/)\.git$/, "");
}

/** Where a hooks directory lies, absolute. */
export function hooksPlace(root: string, tree: ByteText, path: string): string {
  return resolve(root, fromByteText(tree), path);
}

/**
 * Hooks that the user's own configuration and the machine's put into every repository; git-config(1), "FILES". Read as git
 * would, through links and includes: dotfiles are often kept elsewhere.
 */
export function userHooks(home: string): readonly string[] {
  const root = open("/", OPEN.PATH);
  if (root < 0) return [];
  const hooks: string[] = [];
  const files = new Set(["/etc/gitconfig", `${home}/.config/git/config`, `${home}/.gitconfig`]);
  // What is added while it runs is looked at, too.
  for (const file of files) {
    const real = files.size > MAX_FILES ? null : realPath(file);
    const bytes = real === null ? null : readBeneath(root, toByteText(real.slice(1)), MAX_CONFIG);
    if (bytes === null) continue;
    const named = namedByConfig(new TextDecoder().decode(bytes), { file, home });
    hooks.push(...named.hooks);
    for (const include of named.includes) files.add(include);
  }
  close(root);
  return hooks;
}
