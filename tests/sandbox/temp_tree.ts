/** Temporary trees of files for the tests of this directory. */
import { dirname, join } from "node:path/posix";

/** What stands at a path: a file's text, a link's target, or a directory. */
export type TreeEntry = string | { readonly link: string } | { readonly directory: true };

/** A real temporary directory that is removed with `using`. */
export class TempTree {
  readonly path: string;

  constructor(entries: Readonly<Record<string, TreeEntry>> = {}) {
    this.path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-test-" }));
    for (const [name, entry] of Object.entries(entries)) this.add(name, entry);
  }

  /** The absolute path of a name in the tree. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Creates an entry and the directories above it. A link's target is absolute when it begins with `@`, the tree itself. */
  add(name: string, entry: TreeEntry): void {
    const path = this.at(name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (typeof entry === "string") Deno.writeTextFileSync(path, entry);
    else if ("link" in entry) Deno.symlinkSync(entry.link.replace(/^@/, this.path), path);
    else Deno.mkdirSync(path, { recursive: true });
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}
