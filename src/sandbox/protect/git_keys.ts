/**
 * Which keys of a repository's configuration commands may change. An allow-list, because new versions of Git bring new keys
 * that name a program: what is not listed is kept as it was.
 */
import { resolve } from "node:path/posix";
import type { ConfigEntry } from "./git_config.ts";

/** Where a configuration belongs, for values that are paths. */
export interface KeyContext {
  /** The git directory, a real path. */
  readonly gitDirectory: string;
  /** True for a path beneath which commands may write. */
  readonly isWritable: (path: string) => boolean;
}

/** Keys of sections without a subsection; `*` for all. Names and meanings: git-config(1) of Git 2.50. */
const PLAIN: Readonly<Record<string, string>> = {
  advice: "*",
  author: "name email",
  branch: "autosetupmerge autosetuprebase sort",
  checkout: "defaultremote guess workers thresholdforparallelism",
  color: "*",
  column: "*",
  commit: "cleanup gpgsign status verbose",
  committer: "name email",
  core:
    "abbrev autocrlf bare bigfilethreshold checkstat commentchar commentstring commitgraph compression " +
    "deltabasecachelimit eol filemode filesreflocktimeout fscache fsync fsyncmethod fsyncobjectfiles ignorecase " +
    "ignorestat logallrefupdates longpaths loosecompression maxtreedepth multipackindex packedgitlimit " +
    "packedgitwindowsize packedrefstimeout precomposeunicode preloadindex quotepath repositoryformatversion safecrlf " +
    "sharedrepository sparsecheckout sparsecheckoutcone splitindex symlinks trustctime untrackedcache " +
    "warnambiguousrefs whitespace",
  diff:
    "algorithm autorefreshindex colormoved colormovedws context dirstat ignoresubmodules indentheuristic interhunkcontext " +
    "mnemonicprefix noprefix relative renamelimit renames statgraphwidth submodule suppressblankempty wserrorhighlight",
  // A worktree's own configuration is judged as the repository's.
  extensions:
    "compatobjectformat noop objectformat partialclone preciousobjects refstorage relativeworktrees worktreeconfig",
  feature: "*",
  fetch:
    "fsckobjects negotiationalgorithm output parallel prune prunetags recursesubmodules showforcedupdates unpacklimit writecommitgraph",
  gc:
    "aggressivedepth aggressivewindow auto autodetach autopacklimit bigpackthreshold cruftpacks logexpiry packrefs pruneexpire " +
    "reflogexpire reflogexpireunreachable rerereresolved rerereunresolved worktreepruneexpire writecommitgraph",
  i18n: "*",
  index: "*",
  init: "defaultbranch defaultobjectformat",
  lfs: "repositoryformatversion",
  log: "abbrevcommit date decorate follow mailmap showroot",
  maintenance: "auto autodetach strategy",
  merge: "branchdesc conflictstyle ff log renamelimit renames stat suppressdest",
  pack: "*",
  pull: "ff octopus rebase twohead",
  push:
    "autosetupremote default followtags gpgsign pushoption recursesubmodules useforceifincludes",
  rebase:
    "abbreviatecommands autosquash autostash backend forkpoint missingcommitscheck rebasemerges stat updaterefs",
  receive:
    "autogc denycurrentbranch denydeletecurrent denydeletes denynonfastforwards fsckobjects unpacklimit",
  remote: "pushdefault",
  repack: "*",
  rerere: "*",
  stash: "*",
  status: "*",
  submodule: "active alternateerrorstrategy alternatelocation fetchjobs propagatebranches recurse",
  tag: "forcesignannotated gpgsign sort",
  transfer: "fsckobjects hiderefs unpacklimit",
  user: "email name signingkey useconfigonly",
  versionsort: "*",
  worktree: "guessremote userelativepaths",
};

/** Keys of sections with one. */
const NAMED: Readonly<Record<string, string>> = {
  branch:
    "description gh-merge-base github-pr-owner-number merge pushremote rebase remote vscode-merge-base",
  color: "*",
  diff: "algorithm binary cachetextconv wordregex xfuncname",
  lfs: "access locksverify",
  maintenance: "enabled schedule",
  merge: "name recursive",
  remote:
    "fetch followremotehead gh-resolved mirror partialclonefilter promisor prune prunetags push pushurl skipdefaultupdate " +
    "skipfetchall tagopt url",
  submodule: "active branch fetchrecursesubmodules ignore shallow update url",
};

/** `helper::address` runs `git-remote-helper`; `ext::` runs what the address says. */
const HELPER = /^[^/:]*::/;
/** Keys whose values git takes for an address, where they are no remote's name. */
const ADDRESSES = new Set(["url", "pushurl", "remote", "pushremote", "pushdefault"]);
/** Ways to update a submodule that are no command; git-submodule(1). */
const UPDATES = new Set(["checkout", "rebase", "merge", "none"]);

/** A submodule's own directory, and the working tree above. */
const SUBMODULE = /^(.*?)\/\.git\/(worktrees\/[^/]+\/)?modules\/./;

function lists(keys: string | undefined, key: string): boolean {
  return keys === "*" || (keys?.split(" ").includes(key) ?? false);
}

/**
 * True for a directory of the working tree that a submodule's own directory belongs to; elsewhere git would overwrite what
 * lies there, hooks among it.
 */
function isSubmoduleTree(value: string, { gitDirectory, isWritable }: KeyContext): boolean {
  const own = SUBMODULE.exec(gitDirectory);
  if (own === null || value === "") return false;
  const tree = resolve(gitDirectory, value);
  // A worktree may lie anywhere.
  const inPlace = own[2] !== undefined || tree.startsWith(`${own[1]}/`);
  return inPlace && !tree.toLowerCase().split("/").includes(".git") && isWritable(tree);
}

/** True when a change of the entry can neither run a program nor make git act somewhere else. */
export function isInert(entry: ConfigEntry, context: KeyContext): boolean {
  const { section, subsection, key } = entry;
  const value = entry.value ?? "";
  if (section === "core" && subsection === null && key === "worktree") {
    return isSubmoduleTree(value, context);
  }
  if (!lists(subsection === null ? PLAIN[section] : NAMED[section], key)) return false;
  if (ADDRESSES.has(key)) return !HELPER.test(value);
  if (section === "submodule" && key === "update") return UPDATES.has(value);
  return true;
}
