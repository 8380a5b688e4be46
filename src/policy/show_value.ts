/** Most characters of a found value that a message repeats. */
const MAX_SHOWN = 80;

/** Writes a value that was found in a file as messages show it: as JSON, shortened, so that a hostile file makes no huge message. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return JSON.stringify(value) ?? String(value);
  return value.length > MAX_SHOWN
    ? `${JSON.stringify(value.slice(0, MAX_SHOWN))}...`
    : JSON.stringify(value);
}
