/** What a Markdown text refers to and can be checked: files, and flags of Debrief. */
export interface Reference {
  readonly kind: "path" | "flag";
  /** A path as written, without anchor, or a flag such as `--json`. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
}

/** Endings of the files that a code span may name; other words with a dot are no files. */
const FILE_ENDINGS = "ts|tsx|js|json|jsonc|md|sh|toml|yml|yaml|lock";

/** A code span that names a file of the repository: it has a folder, or is one of the root's. */
const PATH_SPAN = new RegExp(`^(?:\\./)?(?:[\\w.-]+/)+[\\w.-]+\\.(?:${FILE_ENDINGS})$`);

/** Begins of paths that are the reader's own, not the repository's. */
const FOREIGN_PATH = /^(?:~|\/|\$|node_modules\/|\.debrief\/|\.\.\/)/;

/** A long flag, alone or with a value. */
const FLAG = /^--[a-z][a-z0-9-]*/;

/**
 * Finds the references line by line. A flag counts in a code span of its own, and in commands that
 * begin with `debrief`; the flags of other programs are theirs.
 */
export function docReferences(text: string): Reference[] {
  const references: Reference[] = [];
  let fence: string | undefined;
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    const mark = /^\s*(`{3,}|~{3,})/.exec(content)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    } else if (fence !== undefined) {
      references.push(...flagsOfCommand(content).map((name) => flag(name, line)));
    } else references.push(...prose(content, line));
  }
  return references;
}

function prose(content: string, line: number): Reference[] {
  const references: Reference[] = [];
  const withoutSpans = content.replace(/(`+)(.+?)\1(?!`)/g, (_span, _ticks, inner: string) => {
    const code = inner.trim();
    if (PATH_SPAN.test(code) && !FOREIGN_PATH.test(code)) {
      references.push({ kind: "path", name: code, line });
    }
    const alone = FLAG.exec(code)?.[0];
    const flags = alone === undefined ? flagsOfCommand(code) : [alone];
    references.push(...flags.map((name) => flag(name, line)));
    return "``";
  });
  for (const [, target = ""] of withoutSpans.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)) {
    const path = target.split("#")[0] ?? "";
    if (path !== "" && !/^[a-z][a-z0-9+.-]*:/i.test(path)) {
      references.push({ kind: "path", name: decodeURIComponent(path), line });
    }
  }
  return references;
}

/** Debrief's own flags in a command line; what follows `--` belongs to the command it runs. */
function flagsOfCommand(text: string): string[] {
  const words = text.trim().replace(/^[$#>]\s+/, "").split(/\s+/);
  if (words[0]?.replace(/^\.\/dist\//, "") !== "debrief") return [];
  const end = words.findIndex((word) => /^(--|[|;&#]|&&|\|\|)$/.test(word));
  const own = end === -1 ? words : words.slice(0, end);
  return own.flatMap((word) => FLAG.exec(word.replace(/^\[/, ""))?.[0] ?? []);
}

function flag(name: string, line: number): Reference {
  return { kind: "flag", name, line };
}
