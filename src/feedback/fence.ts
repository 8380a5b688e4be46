/**
 * The fence of a block, and what keeps command output from imitating it. A block is genuine when its fence carries
 * the session's nonce, which no command can know; lines that look like a fence are marked besides, for readers who
 * do not compare.
 */

/** Word after the dashes of a fence. */
const FENCE_WORD = "debrief";

/** Key that only a block in JSON begins with. */
export const JSON_KEY = "debrief_block";

/** Put before a line of output that looks like a fence. */
const ESCAPE = "\\";

/** How many nonces there are. */
const NONCES = 1_000_000_000;

/** Characters of a line that are searched for a fence; what stands further right is not at the start of any screen line. */
const MAX_START = 4_096;

/**
 * Makes the nonce of a session: 9 decimal digits, which tokenizers take three at a time. That is one of 10^9, because
 * each guess costs a line of output that is marked, and a session shows far fewer. Never stored, passed on or put into
 * an environment.
 */
export function newNonce(): string {
  const word = new Uint32Array(1);
  // Of the 2^32 words all but the last 294,967,296 are dealt out evenly.
  do crypto.getRandomValues(word); while (word[0]! >= 4 * NONCES);
  return String(word[0]! % NONCES).padStart(9, "0");
}

/** First or only line of a block up to its facts. */
export function fenceStart(nonce: string): string {
  return `--- ${FENCE_WORD} ${nonce} `;
}

/** Last line of a block that has more than one. */
export function fenceEnd(nonce: string): string {
  return `--- ${FENCE_WORD} ${nonce} end ---`;
}

/**
 * Puts a backslash before every line of command output that looks like a fence, holds the nonce, or begins like a
 * block in JSON. `text` must begin at the start of a line and hold whole lines. Idempotent, linear, and the identity
 * on everything else: a diff's `--- debrief/a.ts` stays.
 */
export function escapeLookalikes(text: string, nonce: string): string {
  return text.replace(
    /[^\n\r\v\f\u0085\u2028\u2029]+/g,
    (line) => !line.startsWith(ESCAPE) && isLookalike(line, nonce) ? ESCAPE + line : line,
  );
}

function isLookalike(line: string, nonce: string): boolean {
  const whole = skeleton(line);
  if (nonce !== "" && whole.includes(nonce)) return true;
  const start = whole.slice(0, MAX_START);
  if (/^\s*\{/.test(start)) return start.includes(`"${JSON_KEY}"`);
  const { dashes, word, next } = wordOf(start);
  return dashes > 1 && word === FENCE_WORD && !/[\w/.-]/.test(next);
}

/** What stands before the word, the letters in its place as a reader takes them, and the character behind them. */
function wordOf(start: string): {
  readonly dashes: number;
  readonly word: string;
  readonly next: string;
} {
  let dashes = 0;
  let at = 0;
  for (; at < start.length && LEAD.has(start.charAt(at)); at++) {
    if (DASH_LIKE.has(start.charAt(at))) dashes++;
  }
  const end = at + FENCE_WORD.length;
  const word = [...start.slice(at, end)].map((char) => CONFUSABLE[char] ?? char).join("");
  return { dashes, word, next: start.charAt(end) };
}

/** A control sequence that the text breaks off in. */
// deno-lint-ignore no-control-regex -- the escape character is what is looked for
const OPEN_ANSI = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?)?$/;

/**
 * True when a line that is not complete could still come to look like a fence, however it goes on: for output that is
 * shown as it comes. Never for one of more than 4096 characters.
 */
export function mayBecomeLookalike(line: string): boolean {
  if (line.length > MAX_START || line.startsWith(ESCAPE)) return false;
  if (OPEN_ANSI.test(line)) return true;
  const start = skeleton(line);
  if (/^\s*\{/.test(start)) return true;
  const { dashes, word, next } = wordOf(start);
  return word === "" || (dashes > 1 && next === "" && FENCE_WORD.startsWith(word));
}

/** ECMA-48 control sequences, operating system commands and two-character escapes. */
// deno-lint-ignore no-control-regex -- the escape character is what is looked for
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** The line as a reader sees it: no escapes, no invisible characters or accents, compatibility forms unified, lower case. */
function skeleton(line: string): string {
  // Plain ASCII is the common case and needs no work.
  if (/^[\t\u0020-\u007e]*$/.test(line)) return line.toLowerCase();
  return line.replace(ANSI, "").normalize("NFKD")
    .replace(/[\p{Cf}\p{M}]|(?!\t)\p{Cc}/gu, "")
    .replace(/[\p{Pd}\u2212\u2500-\u257f\u00af]/gu, "-")
    .toLowerCase();
}

const DASH_LIKE: ReadonlySet<string> = new Set("-=_~");

/** What may stand before the word: dashes, blanks, and marks of quotation or lists. */
const LEAD: ReadonlySet<string> = new Set("-=_~ \t\u00a0>|#*+`");

/** Letters and digits that look like those of the word (Unicode TR 39, confusables, the Latin, Greek and Cyrillic part). */
const CONFUSABLE: Readonly<Record<string, string>> = {
  "\u0501": "d",
  "\u1d05": "d",
  "\u0435": "e",
  "\u1d07": "e",
  "\u03b5": "e",
  "3": "e",
  "\u0299": "b",
  "\u042c": "b",
  "\u044c": "b",
  "\u03b2": "b",
  "8": "b",
  "6": "b",
  "\u0280": "r",
  "\u0433": "r",
  "\u0456": "i",
  "\u0131": "i",
  "\u026a": "i",
  "\u03b9": "i",
  "1": "i",
  "l": "i",
  "|": "i",
  "!": "i",
  "\u0192": "f",
  "\ua730": "f",
  "\u0493": "f",
  "\u017f": "f",
};
