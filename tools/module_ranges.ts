/** Which part of a bundle came from which module, by the bundle's source map. */

/** A place in a text: line and column from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What one module became, from `start` up to `end`. */
export interface ModuleRange {
  /** Path below the repository, or `npm:NAME/PATH` without a version. */
  readonly module: string;
  readonly start: Place;
  readonly end: Place;
}

/** What is read of a source map, version 3 (ECMA-426). */
interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Numbers of one segment: base 64 digits of five bits, the sixth says that more follow, the lowest bit is the sign. */
function decodeSegment(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** Names a module alike wherever it is built: `../../cache/npm/HOST/NAME/1.2.3/PATH` is `npm:NAME/PATH`. */
export function moduleName(source: string): string {
  const npm = /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/\d[^/]*\/(.*)$/.exec(source);
  return npm ? `npm:${npm[1]}/${npm[2]}` : source.replace(/^(?:\.\.?\/)+/, "");
}

/** The ranges of a bundle in their order; a module has as many as it was taken apart into. */
export function moduleRanges(map: SourceMap, end: Place): readonly ModuleRange[] {
  const starts: { module: string; start: Place }[] = [];
  let source = 0;
  for (const [line, segments] of map.mappings.split(";").entries()) {
    let column = 0;
    for (const segment of segments === "" ? [] : segments.split(",")) {
      const [columns = 0, sources] = decodeSegment(segment);
      column += columns;
      if (sources === undefined) continue;
      source += sources;
      const module = moduleName(map.sources[source] ?? "");
      if (starts.at(-1)?.module !== module) starts.push({ module, start: { line, column } });
    }
  }
  return starts.map((it, index) => ({ ...it, end: starts[index + 1]?.start ?? end }));
}
