import { estimateTokens } from "../../src/output/token_estimate.ts";

const tokensOf = (line: string) => estimateTokens(line) + 1;

/**
 * The truncation of one stream of short text lines without notable words, written down in the plainest way: it has all
 * lines at hand. The streaming truncator has to agree with it.
 */
export function truncateReference(
  text: string,
  budget: { chars: number; lines: number; tokens: number; failed: boolean },
): string {
  const lines = text.split("\n");
  const isOpen = lines.at(-1) !== "";
  if (!isOpen) lines.pop();
  const ended = (line: string, i: number) => i === lines.length - 1 && isOpen ? line : line + "\n";
  // A last line without newline is never complete before the end, so it belongs to what was held.
  const complete = isOpen ? lines.length - 1 : lines.length;
  const head = Math.min(complete, beginning(lines, budget, 1 / 4));
  const headUsed = lines.slice(0, head).reduce((sum, line) => sum + line.length + 1, 0);
  const headTokens = lines.slice(0, head).reduce((sum, line) => sum + tokensOf(line), 0);
  const both = Math.min(complete, Math.max(head, beginning(lines, budget, 1 / 2)));
  const left = {
    chars: budget.chars - headUsed,
    lines: budget.lines - head,
    tokens: budget.tokens - headTokens,
  };
  const rest = lines.length - head;
  const restChars = lines.slice(head).reduce((sum, line) => sum + line.length + 1, 0);
  const restTokens = lines.slice(head).reduce((sum, line) => sum + tokensOf(line), 0);
  if (rest <= left.lines && restChars <= left.chars && restTokens <= left.tokens) {
    return lines.map(ended).join("");
  }

  const room = { chars: left.chars - 160, lines: left.lines - 4, tokens: left.tokens - 56 };
  const chosen = new Set<number>();
  let used = 0;
  let tokens = 0;
  let next = lines.length - 1;
  const takeTail = (chars: number, count: number, most: number) => {
    for (; next >= head; next--) {
      const size = (lines[next] ?? "").length + 1;
      if (chosen.has(next)) continue;
      const dense = tokensOf(lines[next] ?? "");
      if (used + size > chars || chosen.size + 1 > count || tokens + dense > most) return;
      chosen.add(next);
      used += size;
      tokens += dense;
    }
  };
  takeTail(
    Math.min(room.chars, budget.chars / 2),
    Math.max(1, Math.min(room.lines, budget.lines / 2)),
    Math.min(room.tokens, budget.tokens / 2),
  );
  if (!budget.failed) {
    const limit = {
      chars: Math.min(room.chars, used + budget.chars / 4),
      lines: Math.min(room.lines, chosen.size + budget.lines / 4),
      tokens: Math.min(room.tokens, tokens + budget.tokens / 4),
    };
    for (let i = head; i < both; i++) {
      const size = (lines[i] ?? "").length + 1;
      const dense = tokensOf(lines[i] ?? "");
      if (used + size > limit.chars || chosen.size + 1 > limit.lines) break;
      if (tokens + dense > limit.tokens) break;
      if (!chosen.has(i)) {
        used += size;
        tokens += dense;
      }
      chosen.add(i);
    }
  }
  takeTail(room.chars, room.lines, room.tokens);

  let out = lines.slice(0, head).map(ended).join("");
  let expected = head;
  for (const i of [...chosen].sort((a, b) => a - b)) {
    if (i > expected) out += `...truncated ${i - expected} lines...\n`;
    out += ended(lines[i] ?? "", i);
    expected = i + 1;
  }
  return expected < lines.length ? `${out}...truncated ${lines.length - expected} lines...\n` : out;
}

/** Lines at the beginning that a share of the budget takes. */
function beginning(
  lines: readonly string[],
  budget: { chars: number; lines: number; tokens: number },
  share: number,
): number {
  let used = 0;
  let tokens = 0;
  let n = 0;
  for (const line of lines) {
    used += line.length + 1;
    tokens += tokensOf(line);
    if (used > budget.chars * share || n + 1 > Math.ceil(budget.lines * share)) break;
    if (tokens > budget.tokens * share) break;
    n++;
  }
  return n;
}
