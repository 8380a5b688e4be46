/** The one table of keys of `debrief review`: the help screen and the guide show it, press_key.ts carries it out. */

/** What a key does. */
export type KeyAction =
  | "down"
  | "up"
  | "page-down"
  | "page-up"
  | "first"
  | "last"
  | "older-failure"
  | "newer-failure"
  | "open"
  | "back"
  | "output"
  | "chain"
  | "stream"
  | "search"
  | "status"
  | "order"
  | "follow"
  | "copy"
  | "help"
  | "quit";

/** One row of the table. */
export interface KeyRow {
  readonly action: KeyAction;
  /** Names as `keyName` gives them. */
  readonly keys: readonly string[];
  /** How the help screen writes them. */
  readonly shown: string;
  readonly meaning: string;
}

/** All keys, in the order of the help screen. */
export const KEYS: readonly KeyRow[] = [
  { action: "down", keys: ["down", "j"], shown: "j ↓", meaning: "next line" },
  { action: "up", keys: ["up", "k"], shown: "k ↑", meaning: "line before" },
  { action: "page-down", keys: ["pagedown", " "], shown: "Space PgDn", meaning: "next page" },
  { action: "page-up", keys: ["pageup", "b"], shown: "b PgUp", meaning: "page before" },
  { action: "first", keys: ["home", "g"], shown: "g Home", meaning: "first line" },
  { action: "last", keys: ["end", "G"], shown: "G End", meaning: "last line" },
  { action: "older-failure", keys: ["n"], shown: "n", meaning: "next failure in the list" },
  { action: "newer-failure", keys: ["N"], shown: "N", meaning: "failure before" },
  {
    action: "open",
    keys: ["return", "right", "l"],
    shown: "Enter l →",
    meaning: "open the record",
  },
  {
    action: "back",
    keys: ["escape", "left", "h", "backspace"],
    shown: "Esc h ←",
    meaning: "back; in the list: drop the filters",
  },
  { action: "output", keys: ["o"], shown: "o", meaning: "kept output, whole" },
  { action: "chain", keys: ["c"], shown: "c", meaning: "retry chain: all attempts" },
  { action: "stream", keys: ["tab"], shown: "Tab", meaning: "stdout or stderr of the output" },
  { action: "search", keys: ["/"], shown: "/", meaning: "filter by text; Enter keeps, Esc drops" },
  {
    action: "status",
    keys: ["s"],
    shown: "s",
    meaning: "filter: failed, non-zero, no exit, denied, ok",
  },
  { action: "order", keys: ["d"], shown: "d", meaning: "sort by duration or by time" },
  { action: "follow", keys: ["f"], shown: "f", meaning: "stay on the newest record" },
  { action: "copy", keys: ["y"], shown: "y", meaning: "copy the id (OSC 52)" },
  { action: "help", keys: ["?"], shown: "?", meaning: "this help" },
  { action: "quit", keys: ["q"], shown: "q", meaning: "quit" },
];

/** What a key does, null when nothing. */
export function actionOf(key: string): KeyAction | null {
  return KEYS.find(({ keys }) => keys.includes(key))?.action ?? null;
}

/** Keys with a name that arrive as such, in the terms of the library that reads them. */
const NAMED = {
  upArrow: "up",
  downArrow: "down",
  leftArrow: "left",
  rightArrow: "right",
  pageDown: "pagedown",
  pageUp: "pageup",
  home: "home",
  end: "end",
  return: "return",
  escape: "escape",
  tab: "tab",
  backspace: "backspace",
  delete: "backspace",
} as const;

/** What the library says of a key. */
export type KeyFlags = Readonly<Partial<Record<keyof typeof NAMED | "ctrl" | "meta", boolean>>>;

/** Names of the keys that were pressed. Characters that arrived at once, as from a fast hand, are one key each. */
export function keyNames(input: string, flags: KeyFlags): readonly string[] {
  const named = Object.entries(NAMED).find(([flag]) => flags[flag as keyof typeof NAMED]);
  if (named !== undefined) return [named[1]];
  if (flags.ctrl) return [];
  // A carriage return within pasted text ends the line that is typed.
  const chars = [...input].map((char) => char === "\r" || char === "\n" ? "return" : char);
  // Escape and a key soon after it look like one key with Alt; no key here has a meaning with Alt.
  return flags.meta ? ["escape", ...chars] : chars;
}
