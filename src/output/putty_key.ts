/**
 * The private part of a key file of PuTTY (`.ppk`; the.earth.li/~sgtatham/putty, appendix "PPK file format"):
 * `Private-Lines: N` and then N lines of base64, up to `Private-MAC:`.
 */
import { type KeyStep, MAX_KEY } from "./private_key.ts";

/** Lower-case keyword at which a key is looked for. */
export const PUTTY_KEYWORD = "private-lines:";

/** More lines than those of an RSA key of 16,384 bits are no key. */
const MAX_LINES = 256;
/** More bytes than stand between the keyword and the end of its line. */
export const MAX_COUNT = 16;
const COUNT = /^\s{0,4}(\d{1,4})\s{0,4}$/;
const BODY =
  /^[^A-Za-z0-9+/=]{0,40}(?:[^\s:]{1,200}[:-](?:\d{1,7}[:-])?)?([A-Za-z0-9+/=]{4,})\s{0,4}$/;

/** True for what follows the keyword of a key in its line. */
export function isLineCount(text: string): boolean {
  return COUNT.test(text);
}

/** Follows one key line by line. */
export class PuttyKey {
  /** Bytes of the next line that are to be given at once. */
  readonly reach: number = MAX_KEY;
  readonly body: string[] = [];
  #left = -1;

  /** Identity of the key, independent of its layout. */
  get identity(): string {
    return "private-key:" + this.body.join("").slice(0, 4096);
  }

  /** Takes the rest of the `Private-Lines` line first and then one line after another, without line feeds. */
  step(line: string): KeyStep {
    if (this.#left < 0) {
      this.#left = Math.min(MAX_LINES, Number(COUNT.exec(line)?.[1] ?? 0));
      return this.#left > 0 ? { kind: "take" } : { kind: "stop" };
    }
    const run = this.#left > 0 ? BODY.exec(line)?.[1] : undefined;
    if (run === undefined) return { kind: "stop" };
    this.#left--;
    this.body.push(run);
    return { kind: "take" };
  }
}
