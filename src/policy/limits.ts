/** Bounds of one command: what layers set, the tighter of two policies, and their text. */
import { formatLocation } from "./denial.ts";
import { durationMs } from "./duration.ts";
import type { PolicyLayer } from "./extend.ts";
import type { LimitName, Limits } from "./policy.ts";
import { parseSize, sizeText } from "./size.ts";

/** Where no layer sets any: two minutes, five seconds to end in order, and enough of the machine left to see it end. */
export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 120_000,
  graceMs: 5_000,
  idleMs: 0,
  inputMs: 60_000,
  cpuMs: 0,
  memoryBytes: 0,
  memoryPercent: 75,
  processes: 2048,
  fileBytes: 0,
  openFiles: 0,
  outputBytes: 0,
  sources: {},
};

type Bounds = { -readonly [K in Exclude<keyof Limits, "sources">]: Limits[K] };

/** Bounds after all layers: a value replaces the inherited one. */
export function mergeLimits(layers: readonly PolicyLayer[]): Limits {
  const { sources: _, ...bounds } = DEFAULT_LIMITS;
  const merged: Bounds = { ...bounds };
  const sources: Partial<Record<LimitName, string>> = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer.value.limits ?? {})) {
      if (value === undefined) continue;
      const name = key as LimitName;
      Object.assign(merged, boundsOf(name, value));
      sources[name] = formatLocation(layer.document.locate(["limits", name]));
    }
  }
  return { ...merged, sources };
}

function boundsOf(name: LimitName, value: number | string): Partial<Bounds> {
  switch (name) {
    case "timeout":
      return { timeoutMs: validMs(value) };
    case "grace":
      return { graceMs: validMs(value) };
    case "idle":
      return { idleMs: validMs(value) };
    case "input":
      return { inputMs: validMs(value) };
    case "cpu":
      return { cpuMs: validMs(value) };
    case "processes":
      return { processes: Number(value) };
    case "openFiles":
      return { openFiles: Number(value) };
    case "memory": {
      const size = parseSize(value);
      if (size?.kind === "share") return { memoryBytes: 0, memoryPercent: size.percent };
      return { memoryBytes: validBytes(value), memoryPercent: 0 };
    }
    case "fileSize":
      return { fileBytes: validBytes(value) };
    case "output":
      return { outputBytes: validBytes(value) };
  }
}

function validMs(value: number | string): number {
  const ms = durationMs(value);
  if (ms !== null) return ms;
  throw new TypeError(`Cannot use ${JSON.stringify(value)} as a duration: it was not validated`);
}

function validBytes(value: number | string): number {
  const size = parseSize(value);
  if (size?.kind === "bytes") return size.bytes;
  throw new TypeError(`Cannot use ${JSON.stringify(value)} as an amount: it was not validated`);
}

/** The tighter bound of each; a bound counts as of the policy that it is from, the inner one where they are equal. */
export function tighterLimits(outer: Limits, inner: Limits): Limits {
  const tighter = (key: keyof Bounds) => {
    const bounds = [outer[key], inner[key]].filter((bound) => bound > 0);
    return bounds.length > 0 ? Math.min(...bounds) : 0;
  };
  const keys = Object.keys(DEFAULT_LIMITS).filter((key) => key !== "sources") as (keyof Bounds)[];
  const bounds = Object.fromEntries(keys.map((key) => [key, tighter(key)])) as unknown as Bounds;
  const sources: Partial<Record<LimitName, string>> = {};
  for (const { name, key } of SHOWN.filter(({ key }) => bounds[key] > 0)) {
    const from = inner[key] === bounds[key] ? inner : outer;
    const source = from.sources[name];
    if (source !== undefined) sources[name] = source;
  }
  return { ...bounds, graceMs: Math.min(outer.graceMs, inner.graceMs), sources };
}

const seconds = (ms: number) => `${ms / 1000} s`;

/** Each bound with its key and how it is shown. */
const SHOWN: readonly {
  readonly name: LimitName;
  readonly key: keyof Bounds;
  readonly text: (value: number) => string;
}[] = [
  { name: "timeout", key: "timeoutMs", text: seconds },
  { name: "grace", key: "graceMs", text: seconds },
  { name: "idle", key: "idleMs", text: seconds },
  { name: "input", key: "inputMs", text: seconds },
  { name: "cpu", key: "cpuMs", text: seconds },
  { name: "memory", key: "memoryBytes", text: sizeText },
  { name: "memory", key: "memoryPercent", text: (percent) => `${percent}% of the machine's` },
  { name: "processes", key: "processes", text: String },
  { name: "fileSize", key: "fileBytes", text: sizeText },
  { name: "openFiles", key: "openFiles", text: String },
  { name: "output", key: "outputBytes", text: (bytes) => `${sizeText(bytes)} at most` },
];

/** Names and values for people: the time limit and grace always, others where they are set. */
export function describeLimits(limits: Limits): readonly (readonly [string, string])[] {
  return SHOWN
    .filter(({ name, key }) => name === "timeout" || name === "grace" || limits[key] > 0)
    .map(({ name, key, text }) => [
      name,
      limits[key] === 0 && name === "timeout" ? "none" : text(limits[key]),
    ]);
}
