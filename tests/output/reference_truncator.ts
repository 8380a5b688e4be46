/**
 * The truncation of one stream of short text lines without notable words, written down in the plainest way: it has all
 * lines at hand. The streaming truncator has to agree with it.
 */
export function truncateReference(
  text: string,
  budget: { chars: number; lines: number; failed: boolean },
): string {
  const lines = text.split("\n");
  const isOpen = lines.at(-1) !== "";
  if (!isOpen) lines.pop();
  const ended = (line: string, i: number) => i === lines.length - 1 && isOpen ? line : line + "\n";
  const fitting = (from: number, chars: number, count: number) => {
    let used = 0;
    let n = 0;
    while (
      from + n < lines.length && used + (lines[from + n] ?? "").length + 1 <= chars &&
      n + 1 <= count
    ) {
      used += (lines[from + n] ?? "").length + 1;
      n++;
    }
    return { n, used };
  };
  // A last line without newline is never complete before the end, so it belongs to what was held.
  const complete = isOpen ? lines.length - 1 : lines.length;
  const head = Math.min(complete, fitting(0, budget.chars / 4, Math.ceil(budget.lines / 4)).n);
  const headUsed = lines.slice(0, head).reduce((sum, line) => sum + line.length + 1, 0);
  const both = Math.min(complete, head + second(lines, { head, headUsed, budget }));
  const left = { chars: budget.chars - headUsed, lines: budget.lines - head };
  const rest = lines.length - head;
  const restChars = lines.slice(head).reduce((sum, line) => sum + line.length + 1, 0);
  if (rest <= left.lines && restChars <= left.chars) return lines.map(ended).join("");

  const room = { chars: left.chars - 160, lines: left.lines - 4 };
  const chosen = new Set<number>();
  let used = 0;
  let next = lines.length - 1;
  const takeTail = (chars: number, count: number) => {
    for (; next >= head; next--) {
      const size = (lines[next] ?? "").length + 1;
      if (chosen.has(next)) continue;
      if (used + size > chars || chosen.size + 1 > count) return;
      chosen.add(next);
      used += size;
    }
  };
  takeTail(
    Math.min(room.chars, budget.chars / 2),
    Math.max(1, Math.min(room.lines, budget.lines / 2)),
  );
  if (!budget.failed) {
    const limit = {
      chars: Math.min(room.chars, used + budget.chars / 4),
      lines: Math.min(room.lines, chosen.size + budget.lines / 4),
    };
    for (let i = head; i < both; i++) {
      const size = (lines[i] ?? "").length + 1;
      if (used + size > limit.chars || chosen.size + 1 > limit.lines) break;
      if (!chosen.has(i)) used += size;
      chosen.add(i);
    }
  }
  takeTail(room.chars, room.lines);

  let out = lines.slice(0, head).map(ended).join("");
  let expected = head;
  for (const i of [...chosen].sort((a, b) => a - b)) {
    if (i > expected) out += `...truncated ${i - expected} lines...\n`;
    out += ended(lines[i] ?? "", i);
    expected = i + 1;
  }
  return expected < lines.length ? `${out}...truncated ${lines.length - expected} lines...\n` : out;
}

function second(
  lines: readonly string[],
  at: { head: number; headUsed: number; budget: { chars: number; lines: number } },
): number {
  let used = at.headUsed;
  let n = 0;
  for (const line of lines.slice(at.head)) {
    used += line.length + 1;
    if (used > at.budget.chars / 2 || at.head + n + 1 > Math.ceil(at.budget.lines / 2)) break;
    n++;
  }
  return n;
}
