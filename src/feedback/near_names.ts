/** Names near a mistyped one. */

/** Longest name in characters that is compared; program names are far shorter. */
const MAX_LENGTH = 64;

/** Names that are compared at most: a PATH with more is not one to be searched while the user waits. */
const MAX_CANDIDATES = 20_000;

/** Names that are offered. */
const MAX_OFFERED = 3;

/** Shorter names are near to too many others; only swapped letters count for them. */
const MIN_LENGTH = 3;

/**
 * Names at a distance of 1, or of 2 for names of five characters and more that begin alike: a wrong guess with the same
 * arguments is worse than none. Nearest first, swapped letters before others, at most 3. `accept` is asked only for
 * names near enough.
 */
export function nearNames(
  name: string,
  options: { candidates: readonly string[]; accept: (name: string) => boolean },
): string[] {
  const max = name.length < 5 ? 1 : 2;
  if (name.length > MAX_LENGTH) return [];
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(options.candidates.slice(0, MAX_CANDIDATES))) {
    if (candidate === name || Math.abs(candidate.length - name.length) > max) continue;
    const distance = editDistance(name, candidate);
    const alike = name.length < MIN_LENGTH
      ? sameLetters(candidate, name)
      : distance < 2 || candidate[0] === name[0];
    if (distance <= max && alike) near.push({ candidate, distance });
  }
  near.sort((a, b) =>
    a.distance - b.distance ||
    Number(sameLetters(b.candidate, name)) - Number(sameLetters(a.candidate, name)) ||
    Number(b.candidate[0] === name[0]) - Number(a.candidate[0] === name[0]) ||
    (a.candidate < b.candidate ? -1 : 1)
  );
  const offered: string[] = [];
  for (const { candidate } of near) {
    if (offered.length === MAX_OFFERED) break;
    if (options.accept(candidate)) offered.push(candidate);
  }
  return offered;
}

/** Swapped letters are the commonest slip of fast typists. */
function sameLetters(one: string, other: string): boolean {
  return [...one].sort().join("") === [...other].sort().join("");
}

/**
 * Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions, substitutions and swaps
 * of neighbours, no part edited twice (Boytsov, "Indexing methods for approximate dictionary searching", 2011, 2.2.1).
 * Three rows, time by the product of the lengths.
 */
export function editDistance(from: string, to: string): number {
  let older: number[] = [];
  let old = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current.push(Math.min(
        at(old, column) + 1,
        at(current, column - 1) + 1,
        at(old, column - 1) + change,
        swapped ? at(older, column - 2) + 1 : Infinity,
      ));
    }
    [older, old] = [old, current];
  }
  return at(old, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
