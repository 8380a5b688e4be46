/** A row of the rule table whose expression is written out. */

/** Bytes before the keyword that belong to the token: at most `max` of a class, in the notation of `byteTable`. */
export interface Lookback {
  readonly bytes: string;
  readonly max: number;
}

/** A run of bytes of a class, and the text behind it; the run is read once, however often the keyword is in it. */
export interface Guard {
  readonly run: RegExp;
  readonly then: string;
}

/** A row of the table; `source` begins with one of the keywords unless `lookback` is set. */
export interface TokenRule {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly source: string;
  /** What tests make samples from. */
  readonly shapes: readonly string[];
  readonly boundary?: boolean;
  readonly lookback?: Lookback;
  readonly group?: number;
  readonly guard?: Guard;
}
