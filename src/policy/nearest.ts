/**
 * The known word that a typo was probably meant to be: Levenshtein distance over two rows (Wagner and Fischer, 1974),
 * quadratic in the word length, hence the bound on it.
 */

/** Longest word that is compared, in UTF-16 units; no key or built-in name comes near it. */
const MAX_LENGTH = 64;

/**
 * Returns the candidate with the smallest edit distance to a word, or null when none is near enough to be helpful:
 * more than a third of the word (and at least two edits) away is a guess, not a hint.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_LENGTH) return null;
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
