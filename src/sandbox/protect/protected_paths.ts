/**
 * All that is protected where commands write. Landlock cannot take anything out of a grant, so it is checked: taken down
 * before commands run, compared after each, and put back. Repositories that appear later are found by walking: at the
 * end of a session completely, between commands as far as a share of the commands' own time goes.
 */
import { isWithin } from "../../policy/paths.ts";
import { realPathOfMaybeAbsent } from "../exclusions.ts";
import { coversPath } from "../../policy/match.ts";
import { type ByteText, fromByteText, nodeAt } from "../linux/beneath.ts";
import { adoptObservation, observe } from "./adopt_observation.ts";
import { ABSENT } from "./file_state.ts";
import { gitDirectoryEntries, hooksPlace, namedByConfig, workingTree } from "./git_directory.ts";
import { addLinkedPlaces } from "./linked_places.ts";
import { gitDirectoryOf, textOf } from "./protected_entry.ts";
import {
  checkIndexes,
  type HooksPlace,
  mayBeNamed,
  movedFrom,
  newPart,
  type Part,
  pathOf,
  placeIn,
  sizeOf,
} from "./protected_part.ts";
import { PROTECTED_NAMES } from "./protected_names.ts";
import { ProtectedTree } from "./protected_tree.ts";
import type { ProtectionOptions, ProtectionReport } from "./protection_options.ts";
import { type Findings, RepositoryWalk } from "./repository_walk.ts";
import { removeLinkedTrees, trustLinks } from "./submodule_trees.ts";
import { SharedObservations } from "./shared_observations.ts";

/** Share of the commands' time that walking between them may take. */
const WALK_SHARE = 0.05;
/** Depth to which includes are followed; git's own limit (`MAX_INCLUDE_DEPTH`, config.c). */
const MAX_INCLUDES = 10;
/** Comparisons in a row, each for the repositories that the one before has found. */
const MAX_ROUNDS = 8;

/** See above. */
export class ProtectedPaths {
  readonly #options: ProtectionOptions;
  readonly #shared: SharedObservations | null;
  readonly #parts: Part[] = [];
  #credit = 0;

  /** Takes down what is there now. */
  constructor(options: ProtectionOptions) {
    this.#options = options;
    this.#shared = options.shared === undefined ? null : new SharedObservations(options.shared);
    this.#take();
  }

  #take(): void {
    const { roots, anchors, paths, isWritable, excepted } = this.#options;
    const mayName = (path: string) => !isWritable(path) || mayBeNamed(this.#parts, path);
    // The innermost root of a path is the one that it belongs to.
    const sorted = [...new Set(roots)].sort((one, other) => other.length - one.length);
    for (const path of sorted) {
      const tree = new ProtectedTree(path, { isWritable, mayName });
      const wide = sorted.some((other) => other !== path && isWithin(other, path)) || path === "/";
      const skips = (name: ByteText) => excepted.length > 0 && this.#isExcepted(tree, name);
      const walk = wide ? null : new RepositoryWalk(tree.root, skips);
      this.#parts.push(newPart(tree, { walk, home: this.#options.home }));
    }
    // Before what a walk finds: an earlier command may have made so much that bounds are reached.
    for (const path of paths) this.#addPath(path);
    for (const path of anchors) this.#addAnchorRepository(path);
    for (const path of anchors) this.#addAnchor(path);
    for (const part of this.#parts) {
      if (part.walk === null) continue;
      const findings = { holders: [], gitDirectories: [] };
      part.walk.advance(findings, Infinity);
      part.complete = part.walk.gaps.length === 0;
      this.#note(part, findings, { first: true });
    }
    trustLinks(this.#parts);
    addLinkedPlaces(this.#parts, (path) => {
      if (!excepted.some((pattern) => coversPath(pattern, path))) this.#addPath(path);
    });
  }

  #partOf(path: string): Part | null {
    return this.#parts.find(({ tree }) => isWithin(path, tree.path)) ?? null;
  }

  #isExcepted(tree: ProtectedTree, path: ByteText): boolean {
    const absolute = pathOf(tree, path);
    return this.#options.excepted.some((pattern) => coversPath(pattern, absolute));
  }

  #addAnchor(path: string): void {
    const part = this.#partOf(path);
    if (part === null) return;
    const holder = placeIn(part.tree, path);
    const below = holder === "" ? "" : `${holder}/`;
    if (!this.#isExcepted(part.tree, `${below}.git`)) {
      part.tree.add({ kind: "git", path: `${below}.git`, holder });
    }
    for (const { path: name, kind } of PROTECTED_NAMES) {
      const place = below + name;
      if (!this.#isExcepted(part.tree, place)) part.tree.add({ kind, path: place, holder });
    }
  }

  /** The repository whose working tree a directory is, where it is one. */
  #addAnchorRepository(path: string): void {
    const part = this.#partOf(path);
    if (part === null) return;
    const holder = placeIn(part.tree, path);
    const place = holder === "" ? ".git" : `${holder}/.git`;
    if (this.#isExcepted(part.tree, place)) return;
    const state = part.tree.add({ kind: "git", path: place, holder })?.state;
    if (state?.kind === "directory") this.#addGitDirectory(part, place, { first: true });
    const text = state === undefined ? null : textOf(state);
    const named = text === null ? null : gitDirectoryOf(text, path);
    if (named !== null) this.#adopt(realPathOfMaybeAbsent(named), { first: true });
  }

  #addPath(path: string): void {
    const real = realPathOfMaybeAbsent(path);
    const part = this.#partOf(real);
    const place = part === null ? "" : placeIn(part.tree, real);
    if (part === null || place === "") return;
    part.tree.add({ kind: "tree", path: place, holder: place });
  }

  /** A directory that holds a repository's working tree would be protected with everything in it: too much to mean that. */
  #addHooksPlace(part: Part, { tree, hooks, first }: HooksPlace): void {
    const written = hooksPlace(part.tree.path, tree, hooks);
    // Links that commands have made are not followed.
    const path = first ? realPathOfMaybeAbsent(written) : written;
    const own = this.#partOf(path);
    if (own === null || isWithin(pathOf(part.tree, tree), path)) return;
    const place = placeIn(own.tree, path);
    if (!this.#isExcepted(own.tree, place)) {
      const holder = own === part ? tree : "";
      own.tree.add({ kind: "tree", path: place, holder }, first ? undefined : ABSENT);
    }
  }

  #addGitDirectory(part: Part, path: ByteText, { first }: { readonly first: boolean }): void {
    if (part.gitDirectories.has(path) || this.#isExcepted(part.tree, path)) return;
    const node = nodeAt(part.tree.root, path);
    const identity = typeof node === "object" ? node.identity : "";
    const from = first ? null : movedFrom(part, identity);
    part.gitDirectories.set(path, identity);
    if (first) part.indexes.trust(path);
    if (first) part.own.add(path);
    if (from !== null) part.tree.moved(from, path);
    for (const place of gitDirectoryEntries(path)) {
      if (this.#isExcepted(part.tree, place.path)) continue;
      const entry = part.tree.add(place, first ? undefined : ABSENT);
      if (first && entry?.kind === "config") this.#followConfig(part, place.path, path);
    }
  }

  /** What a configuration names decides as much as itself. */
  #followConfig(part: Part, file: ByteText, gitDirectory: ByteText): void {
    const queue = [{ part, file, depth: 0 }];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { tree } = next.part;
      const state = tree.entry(next.file)?.state;
      const text = state === undefined ? null : textOf(state);
      if (text === null || next.depth > MAX_INCLUDES) continue;
      const options = { file: pathOf(tree, next.file), home: this.#options.home };
      const named = namedByConfig(text, options);
      for (const hooks of named.hooks) {
        if (!hooks.startsWith("/")) part.hooks.add(hooks);
        this.#addHooksPlace(part, { tree: workingTree(gitDirectory), hooks, first: true });
      }
      for (const path of named.includes.map((include) => realPathOfMaybeAbsent(include))) {
        const own = this.#partOf(path);
        const place = own === null ? "" : placeIn(own.tree, path);
        if (own === null || place === "" || own.tree.entry(place) !== null) continue;
        own.tree.add({ kind: "config", path: place, holder: own === part ? gitDirectory : "" });
        queue.push({ part: own, file: place, depth: next.depth + 1 });
      }
    }
  }

  #note(part: Part, findings: Findings, { first }: { readonly first: boolean }): void {
    for (const path of findings.gitDirectories) {
      if (first || part.complete) this.#addGitDirectory(part, path, { first });
    }
    for (const holder of findings.holders) {
      const below = holder === "" ? "" : `${holder}/`;
      if (first) this.#addAnchor(pathOf(part.tree, holder));
      else if (!this.#isExcepted(part.tree, `${below}.git`)) {
        part.tree.add({ kind: "git", path: `${below}.git`, holder }, ABSENT);
      }
      for (const hooks of part.hooks) this.#addHooksPlace(part, { tree: holder, hooks, first });
    }
  }

  /**
   * Before a command.
   *
   * @param quiet no process of the session runs: then what has changed since was changed by somebody else.
   * @returns absolute paths that another session's commands have changed, or may have: they are put back by this one, too.
   * @throws {SystemCallError | SyntaxError} when sessions cannot tell each other what they have seen.
   */
  begin({ quiet }: { readonly quiet: boolean }): readonly string[] {
    const changed: ByteText[] = [];
    if (!quiet && this.#shared?.isBusy !== false) return [];
    if (this.#shared === null) this.#renew();
    // What others have seen is asked for first: who is gone by now has put back what is looked at now.
    this.#shared?.begin((others) => {
      if (quiet) this.#renew();
      // The oldest comes last, and so prevails.
      for (const other of others.toReversed()) {
        changed.push(...adoptObservation(this.#parts, other, this.#options.excepted));
      }
      return observe(this.#parts, this.#options.excepted);
    });
    return changed.map(fromByteText);
  }

  #renew(): void {
    if (this.#parts.every(({ tree }) => tree.isCurrent)) {
      for (const part of this.#parts) {
        for (const path of part.tree.adopt()) this.#adopt(path, { first: true });
        for (const path of part.gitDirectories.keys()) part.indexes.trust(path);
      }
      trustLinks(this.#parts);
      return;
    }
    for (const { tree } of this.#parts.splice(0)) tree.close();
    this.#take();
  }

  /**
   * After a command.
   *
   * @param all look at everything, also at what seems untouched.
   * @param walk `"whole"`: look for new repositories everywhere; else the ms that the command took.
   */
  check(
    { all, walk }: { readonly all: boolean; readonly walk: "whole" | number },
  ): ProtectionReport {
    const restored: string[] = [];
    const doomed: string[] = [];
    if (walk !== "whole") this.#credit += walk * WALK_SHARE;
    const compare = (everything: boolean): void => {
      for (const { tree } of this.#parts) {
        const result = tree.compare({ all: everything });
        restored.push(...result.restored);
        doomed.push(...result.doomed);
        for (const path of result.gitDirectories) this.#adopt(path, { first: false });
      }
    };
    compare(all);
    for (const part of this.#parts) this.#look(part, walk === "whole");
    // What was found may name further repositories.
    for (let round = 0, size = -1; round < MAX_ROUNDS && size !== sizeOf(this.#parts); round++) {
      size = sizeOf(this.#parts);
      compare(false);
    }
    restored.push(...this.#parts.flatMap(removeLinkedTrees));
    const indexes = checkIndexes(this.#parts);
    return { restored: [...restored, ...indexes.restored], doomed, notices: indexes.notices };
  }

  /** A `.git` that a command has made, or made to lead elsewhere. */
  #adopt(path: string, options: { readonly first: boolean }): void {
    const part = this.#partOf(path);
    if (part) this.#addGitDirectory(part, placeIn(part.tree, path), options);
  }

  #look(part: Part, whole: boolean): void {
    if (part.walk === null) return;
    const started = performance.now();
    if (whole) part.walk.restart();
    else if (this.#credit <= 0) return;
    const findings = { holders: [], gitDirectories: [] };
    part.walk.advance(findings, whole ? Infinity : started + this.#credit);
    this.#credit -= performance.now() - started;
    this.#note(part, findings, { first: false });
  }

  /** Everything of the session's has ended, and all was compared: until `begin` changes are somebody else's. */
  rest(): void {
    this.#shared?.rest();
  }

  /** Let go of what is open. */
  close(): void {
    for (const { tree } of this.#parts) tree.close();
    this.#shared?.close();
  }
}
