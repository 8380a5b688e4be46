/** The options of `parseArgs()`. Each name may be given as a string or in an array. */
export interface ParseOptions<
  TBooleans extends boolean | string | undefined = boolean | string | undefined,
  TStrings extends string | undefined = string | undefined,
  TCollectable extends string | undefined = string | undefined,
  TNegatable extends string | undefined = string | undefined,
  TDoubleDash extends boolean | undefined = boolean | undefined,
> {
  /** Whether what follows `--` goes to the result's `--` and not to its `_`. */
  "--"?: TDoubleDash;
  /** Other names of a flag; every name of it is set in the result. */
  alias?: Record<string, string | readonly string[]>;
  /** Flags without a value, false by default; `true` means all `--flags` without `=`. */
  boolean?: TBooleans | ReadonlyArray<Extract<TBooleans, string>>;
  /** Values of flags that were not given. */
  default?: Record<string, unknown>;
  /** Whether everything after the first argument that is no flag goes to `_` unread. */
  stopEarly?: boolean;
  /** Flags whose value stays text even if it looks like a number. */
  string?: TStrings | ReadonlyArray<Extract<TStrings, string>>;
  /** Flags that may be repeated, with an array as their value. */
  collect?: TCollectable | ReadonlyArray<Extract<TCollectable, string>>;
  /** Flags that `--no-flag` sets to false. */
  negatable?: TNegatable | ReadonlyArray<Extract<TNegatable, string>>;
  /** Called with what no option above names; the argument is dropped if it returns false. */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** What `parseArgs()` returns. */
export type Args<
  // deno-lint-ignore no-explicit-any
  TArgs extends Record<string, unknown> = Record<string, any>,
  TDoubleDash extends boolean | undefined = undefined,
> =
  & TArgs
  & {
    /** The arguments that belong to no flag. */
    _: Array<string | number>;
  }
  & (boolean extends TDoubleDash ? { "--"?: string[] }
    : true extends TDoubleDash ? { "--": string[] }
    : Record<never, never>);

/** The flags that the options name, with their types; any other flag is unknown. */
export type Values<TBooleans, TStrings, TCollectable, TNegatable> = [
  Extract<TBooleans | TStrings | TCollectable, string>,
] extends [never]
  // deno-lint-ignore no-explicit-any
  ? Record<string, any>
  :
    & Record<string, unknown>
    & Flags<TBooleans, TCollectable, boolean>
    & Partial<Single<TStrings, TCollectable, TNegatable>>
    & Required<Many<TStrings, TCollectable, string>>;

/** The names, unless they are not known before run time. */
type Literal<T> = string extends T ? never : Extract<T, string>;

type Flags<TNames, TCollectable, TValue> =
  & { [Name in Exclude<Literal<TNames>, TCollectable>]: TValue }
  & Many<TNames, TCollectable, TValue>;

type Many<TNames, TCollectable, TValue> = {
  [Name in Extract<Literal<TNames>, TCollectable>]: TValue[];
};

type Single<TNames, TCollectable, TNegatable> = {
  [Name in Exclude<Literal<TNames>, TCollectable>]: Name extends TNegatable ? string | false
    : string;
};
