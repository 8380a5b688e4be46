/** Amounts of memory and storage as a policy states them. */
import { showValue } from "./show_value.ts";

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** An amount: bytes, or a share of what the machine has. */
export type Size =
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "share"; readonly percent: number };

/** Says what is wrong with an amount, or null when it can be used. `share` says whether "75%" is possible. */
export function problemOfSize(value: number | string, share: boolean): string | null {
  const size = parseSize(value);
  if (size !== null && (share || size.kind === "bytes")) return null;
  const accepted = share ? ', "4G", or a share of the machine\'s such as "75%"' : ' or "4G"';
  return `Cannot use ${
    showValue(value)
  } as an amount: accepted are bytes as a whole number, or a string such as "512M"${accepted}; 0 or "none" means no limit`;
}

/** Reads an amount: numbers are bytes, K, M, G and T are powers of 1024, `none` is 0; null when it is none. */
export function parseSize(value: number | string): Size | null {
  if (value === "none") return { kind: "bytes", bytes: 0 };
  const match = typeof value === "string" ? /^(\d{1,15})([KMGT%])?$/.exec(value) : null;
  const amount = typeof value === "number" ? value : match ? Number(match[1]) : NaN;
  if (match?.[2] === "%") {
    return amount >= 1 && amount <= 100 ? { kind: "share", percent: amount } : null;
  }
  const bytes = amount * (UNITS[match?.[2] ?? ""] ?? 1);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? { kind: "bytes", bytes } : null;
}

/** The shortest exact text of an amount of bytes: `512 MB` for 512 × 1024². */
export function sizeText(bytes: number): string {
  const unit = Object.entries(UNITS).findLast(([, size]) => bytes >= size && bytes % size === 0);
  return unit ? `${bytes / unit[1]} ${unit[0]}B` : `${bytes} bytes`;
}
