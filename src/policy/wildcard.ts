/**
 * Wildcards of policy entries: `*` is any run of characters, `?` is one. The loop remembers only the last `*`,
 * so hostile input costs at most pattern length times text length and never backtracks further.
 */

/** True when the whole text matches the pattern; every other character stands for itself, and so does `?` without `single`. */
export function matchesWildcard(
  pattern: string,
  text: string,
  { single = false }: { readonly single?: boolean } = {},
): boolean {
  let patternAt = 0;
  let textAt = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (textAt < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === "*") {
      starAt = patternAt++;
      resumeAt = textAt;
    } else if ((single && wanted === "?") || wanted === text[textAt]) {
      patternAt++;
      textAt++;
    } else if (starAt >= 0) {
      patternAt = starAt + 1;
      textAt = ++resumeAt;
    } else return false;
  }
  while (pattern[patternAt] === "*") patternAt++;
  return patternAt === pattern.length;
}

/** True when a pattern holds a wildcard at all. */
export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*") || pattern.includes("?");
}
