/**
 * Fails when a document names a file or a flag that does not exist.
 * Usage: `deno run --allow-read tools/check_docs.ts [ROOT]`
 */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { docReferences, type Reference } from "./doc_references.ts";
import { sourceFiles } from "./source_files.ts";

/** The table that the parser, the help and the reference page are made of. */
const FLAG_TABLE = "src/cli/flags.ts";

/** What the table must export, as far as it matters here. */
interface FlagTable {
  readonly FLAGS: readonly { readonly name: string }[];
}

const ROOT_DOCUMENTS = /^(README|SECURITY|CONTRIBUTING|CHANGELOG)\.md$/;

/** Every dead reference of the documents below `root`, as `file:line: reason`. */
export async function checkDocs(root: string): Promise<string[]> {
  const [atRoot, inDocs, flags] = await Promise.all([
    sourceFiles(root, { folders: [""], pattern: ROOT_DOCUMENTS }),
    sourceFiles(root, { folders: ["docs"], pattern: /\.md$/ }),
    knownFlags(root),
  ]);
  const dead: string[] = [];
  for (const file of [...atRoot, ...inDocs]) {
    for (const reference of docReferences(await Deno.readTextFile(join(root, file)))) {
      const reason = await judge(reference, { root, file, flags });
      if (reason !== undefined) dead.push(`${file}:${reference.line}: ${reason}`);
    }
  }
  return dead;
}

interface Context {
  readonly root: string;
  readonly file: string;
  readonly flags: ReadonlySet<string> | undefined;
}

async function judge(
  { kind, name }: Reference,
  { root, file, flags }: Context,
): Promise<string | undefined> {
  if (kind === "flag") {
    return flags?.has(name) === false ? `${name} is not in ${FLAG_TABLE}` : undefined;
  }
  // A code span names a file from the root, a link from the document.
  const places = [join(root, dirname(file), name), join(root, name)];
  for (const place of places) if (await exists(place)) return undefined;
  return `${name} does not exist`;
}

/**
 * The flags of the table; undefined, which lets every flag pass, while there is no table.
 *
 * @throws {Error} when the table has another shape.
 */
async function knownFlags(root: string): Promise<Set<string> | undefined> {
  if (!await exists(join(root, FLAG_TABLE))) return undefined;
  const table: Partial<FlagTable> = await import(pathToFileURL(join(root, FLAG_TABLE)).href);
  if (!Array.isArray(table.FLAGS)) throw new Error(`Cannot read "${FLAG_TABLE}": no FLAGS in it`);
  return new Set((table as FlagTable).FLAGS.map(({ name }) => `--${name.replace(/^--/, "")}`));
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

if (import.meta.main) {
  const root = Deno.args[0] ?? new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const dead = await checkDocs(root);
  for (const line of dead) console.error(line);
  if (dead.length > 0) Deno.exit(1);
}
