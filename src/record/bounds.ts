/**
 * Bounds on the parts of a record, counted in bytes of JSON, where a control character costs six:
 * so a line stays below 1 MiB whatever a command, a path or a kernel message holds.
 */

/** Bytes that a UTF-16 unit may cost in JSON and UTF-8: `\u0000`. */
const WORST_UNIT = 6;

/** Bytes that a text costs in a JSON file, with its quotes. */
export function jsonCost(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/**
 * Cuts a text so that it costs at most `max` bytes of JSON, and says how many characters are missing.
 * Linear; never splits a surrogate pair.
 */
export function boundText(text: string, max: number): string {
  if (text.length * WORST_UNIT + 2 <= max || (text.length <= max && jsonCost(text) <= max)) {
    return text;
  }
  const marker = (missing: number) => `...${missing} more characters...`;
  let room = max - 2 - marker(text.length).length;
  let end = 0;
  for (const char of text) {
    room -= charCost(char.codePointAt(0) ?? 0);
    if (room < 0) break;
    end += char.length;
  }
  return text.slice(0, end) + marker(text.length - end);
}

/** Bytes of one code point as `JSON.stringify` and UTF-8 write it (ECMA-262, QuoteJSONString). */
function charCost(code: number): number {
  if (code < 0x20) return (code >= 8 && code <= 10) || code === 12 || code === 13 ? 2 : WORST_UNIT;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code >= 0xd800 && code <= 0xdfff) return WORST_UNIT;
  return code < 0x10000 ? 3 : 4;
}

/**
 * Bounds a list of texts to `max` bytes of JSON together. The element that crosses the bound is cut, the rest
 * becomes one last element that says how many are missing.
 */
export function boundTexts(texts: readonly string[], max: number): string[] {
  const kept: string[] = [];
  let room = max;
  for (const [index, text] of texts.entries()) {
    // Room for the note that may have to follow.
    const bounded = boundText(text, Math.max(MIN_TEXT, room - MIN_TEXT));
    const cost = jsonCost(bounded) + 1;
    if (cost > room - MIN_TEXT && index > 0) {
      kept.push(`...${texts.length - index} more...`);
      return kept;
    }
    kept.push(bounded);
    room -= cost;
  }
  return kept;
}

/** Smallest bound in bytes that still holds a marker. */
const MIN_TEXT = 64;

/** Keeps as many items from the front as cost at most `max` bytes of JSON together, and at most `count`. */
export function boundItems<T>(items: readonly T[], bounds: { max: number; count: number }): T[] {
  const kept: T[] = [];
  let room = bounds.max;
  for (const item of items.slice(0, bounds.count)) {
    room -= new TextEncoder().encode(JSON.stringify(item)).length + 1;
    if (room < 0) break;
    kept.push(item);
  }
  return kept;
}
