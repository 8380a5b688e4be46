import { type Found, readFlag } from "./_read_flag.ts";
import type { Args, ParseOptions, Values } from "./_types.ts";

export type { Args, ParseOptions };

/**
 * Reads command line arguments into an object: flags by name, everything else under `_`. Text that
 * looks like a number becomes one unless the flag is listed under `string`.
 */
export function parseArgs<
  TArgs extends Values<TBooleans, TStrings, TCollectable, TNegatable>,
  TDoubleDash extends boolean | undefined = undefined,
  TBooleans extends boolean | string | undefined = undefined,
  TStrings extends string | undefined = undefined,
  TCollectable extends string | undefined = undefined,
  TNegatable extends string | undefined = undefined,
>(
  args: string[],
  options: ParseOptions<TBooleans, TStrings, TCollectable, TNegatable, TDoubleDash> = {},
): Args<TArgs, TDoubleDash> {
  const end = args.indexOf("--");
  const parser = new Parser(options);
  parser.read(end === -1 ? args : args.slice(0, end));
  return parser.finish(end === -1 ? [] : args.slice(end + 1)) as Args<TArgs, TDoubleDash>;
}

class Parser {
  readonly #options: ParseOptions;
  readonly #aliases = new Map<string, string[]>();
  readonly #booleans: Set<string>;
  readonly #strings: Set<string>;
  readonly #collected: Set<string>;
  readonly #negatable: Set<string>;
  readonly #result: { [key: string]: unknown; _: (string | number)[] } = { _: [] };

  constructor(options: ParseOptions) {
    this.#options = options;
    for (const [name, value] of Object.entries(options.alias ?? {})) {
      if (value === undefined) throw new TypeError("Alias value must be defined");
      const others = [value].flat();
      const all = [name, ...others];
      this.#aliases.set(name, others);
      for (const other of others) this.#aliases.set(other, all.filter((it) => it !== other));
    }
    this.#booleans = this.#names(options.boolean);
    this.#strings = this.#names(options.string);
    this.#collected = this.#names(options.collect);
    this.#negatable = this.#names(options.negatable);
  }

  read(args: readonly string[]): void {
    for (let index = 0; index < args.length; index++) {
      const arg = args[index] ?? "";
      const found = readFlag(arg);
      if (found !== undefined) {
        if (this.#set(found, arg, args[index + 1])) index++;
        continue;
      }
      if (this.#options.unknown?.(arg) !== false) this.#result._.push(this.#positional(arg));
      if (!this.#options.stopEarly) continue;
      this.#result._.push(...args.slice(index + 1));
      return;
    }
  }

  finish(rest: string[]): Record<string, unknown> {
    for (const [name, value] of Object.entries(this.#options.default ?? {})) {
      if (this.#has(name)) continue;
      for (const each of this.#allNames(name)) this.#store(each, value, false);
    }
    for (const name of this.#booleans) {
      if (!this.#has(name)) this.#store(name, this.#collected.has(name) ? [] : false, false);
    }
    for (const name of this.#strings) {
      if (!this.#has(name) && this.#collected.has(name)) this.#store(name, [], false);
    }
    if (this.#options["--"]) this.#result["--"] = rest;
    else this.#result._.push(...rest);
    return this.#result;
  }

  /** Sets what one argument names. Returns whether the next argument was taken as its value. */
  #set(found: Found, arg: string, next: string | undefined): boolean {
    if (found.kind === "letters") {
      for (const { name, value } of found.before) {
        this.#assign(name, value ?? this.#bare(name), arg);
      }
      return found.last !== undefined && this.#setByNext(found.last, arg, next, /^--?[^-]/);
    }
    if (found.value !== undefined) {
      const value = this.#booleans.has(found.name) ? found.value !== "false" : found.value;
      this.#assign(found.name, value, arg);
      return false;
    }
    if (!found.negated) return this.#setByNext(found.name, arg, next, /^-/);
    if (!this.#negatable.has(found.name)) {
      return this.#setByNext(`no-${found.name}`, arg, next, /^-/);
    }
    this.#assign(found.name, false, arg, { replace: true });
    return false;
  }

  #setByNext(name: string, arg: string, next: string | undefined, flag: RegExp): boolean {
    const allBooleans = arg.startsWith("--") && this.#options.boolean === true;
    const takesValue = !allBooleans && !this.#isBoolean(name);
    if (next && takesValue && !flag.test(next)) {
      this.#assign(name, next, arg);
      return true;
    }
    if (next === "true" || next === "false") {
      this.#assign(name, next === "true", arg);
      return true;
    }
    this.#assign(name, this.#bare(name), arg);
    return false;
  }

  #assign(
    name: string,
    value: string | boolean,
    arg: string,
    { replace = false }: { replace?: boolean } = {},
  ): void {
    if (!this.#isKnown(name, arg) && this.#options.unknown?.(arg, name, value) === false) return;
    const stays = typeof value !== "string" || this.#strings.has(name) || !isNumeric(value);
    const collect = !replace && this.#collected.has(name);
    for (const each of this.#allNames(name)) {
      this.#store(each, stays ? value : Number(value), collect);
    }
  }

  /** Stores under a name whose dots stand for nested objects. */
  #store(name: string, value: unknown, collect: boolean): void {
    const path = name.split(".");
    const key = path.pop() ?? name;
    let target: Record<string, unknown> = this.#result;
    for (const step of path) {
      if (isUnsafe(target, step)) return;
      target = (target[step] ??= {}) as Record<string, unknown>;
    }
    if (isUnsafe(target, key)) return;
    const old = target[key];
    if (!collect) target[key] = value;
    else if (Array.isArray(old)) old.push(value);
    else target[key] = old ? [old, value] : [value];
  }

  #has(name: string): boolean {
    let target: unknown = this.#result;
    for (const step of name.split(".")) {
      if (target === null || target === undefined || !Object.hasOwn(target, step)) return false;
      target = (target as Record<string, unknown>)[step];
    }
    return true;
  }

  #names(listed: boolean | string | readonly string[] | undefined): Set<string> {
    if (listed === undefined || typeof listed === "boolean") return new Set();
    return new Set([listed].flat().filter(Boolean).flatMap((name) => this.#allNames(name)));
  }

  #allNames(name: string): string[] {
    return [name, ...(this.#aliases.get(name) ?? [])];
  }

  #isBoolean(name: string): boolean {
    return this.#allNames(name).some((each) => this.#booleans.has(each));
  }

  #isKnown(name: string, arg: string): boolean {
    const sets = [this.#booleans, this.#strings, this.#aliases, this.#collected];
    if (sets.some((names) => names.has(name))) return true;
    return this.#options.boolean === true && /^--[^=]+$/.test(arg);
  }

  #bare(name: string): string | boolean {
    return this.#strings.has(name) ? "" : true;
  }

  #positional(arg: string): string | number {
    return this.#strings.has("_") || !isNumeric(arg) ? arg : Number(arg);
  }
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Whether storing under the key would reach a prototype. */
function isUnsafe(target: Record<string, unknown>, key: string): boolean {
  return key === "__proto__" || (key === "constructor" && typeof target[key] === "function");
}
