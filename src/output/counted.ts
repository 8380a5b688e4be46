/** A number with its noun. */

/** `1 error`, `2 errors`, `0 accesses`: the noun in its number. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
