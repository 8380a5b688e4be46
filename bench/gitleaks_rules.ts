/** A public rule set as plain expressions over lines: the peer that anybody would write in an afternoon. */

/** A rule: keywords of which one must be in the line, and an expression whose first group is the secret. */
export interface PublicRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly pattern: RegExp;
}

/** From the syntax of Go's regular expressions to that of ECMAScript; null when it does not compile. */
function translate(source: string): RegExp | null {
  let text = source.replaceAll("(?P<", "(?<").replaceAll("[[:alnum:]]", "[A-Za-z0-9]")
    .replaceAll("\\z", "$");
  const isCaseless = text.startsWith("(?i)");
  if (isCaseless) text = text.slice(4);
  // A switch in the middle holds to the end of the expression.
  const at = text.indexOf("(?i)");
  if (at >= 0) text = `${text.slice(0, at)}(?i:${text.slice(at + 4)})`;
  try {
    return new RegExp(text, isCaseless ? "gi" : "g");
  } catch {
    return null;
  }
}

/** The rules of a file in the format of gitleaks; `skipped` are those that ECMAScript cannot say. */
export function parseRules(toml: string): { rules: PublicRule[]; skipped: number } {
  let skipped = 0;
  const rules = toml.split("[[rules]]").slice(1).flatMap((block) => {
    const id = /^id = "([^"]+)"/m.exec(block)?.[1];
    const source = /^regex = '''([\s\S]*?)'''/m.exec(block)?.[1];
    const words = /^keywords = \[([\s\S]*?)\]/m.exec(block)?.[1] ?? "";
    if (id === undefined || source === undefined) return [];
    const pattern = translate(source);
    if (pattern === null) {
      skipped++;
      return [];
    }
    const keywords = [...words.matchAll(/"([^"]+)"/g)].map((match) => match[1] as string);
    return [{ id, keywords, pattern }];
  });
  return { rules, skipped };
}

/** Replaces what the rules find, line by line. */
export function redactLines(
  text: string,
  rules: readonly PublicRule[],
): { text: string; found: number } {
  let found = 0;
  const lines = text.split("\n").map((line) => {
    const lower = line.toLowerCase();
    let out = line;
    for (const { id, keywords, pattern } of rules) {
      if (keywords.length > 0 && !keywords.some((word) => lower.includes(word))) continue;
      out = out.replace(pattern, (match, group) => {
        found++;
        return typeof group === "string" ? match.replace(group, `[${id}]`) : `[${id}]`;
      });
    }
    return out;
  });
  return { text: lines.join("\n"), found };
}
