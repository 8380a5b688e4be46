/** All keywords of redaction and of notable lines in one automaton, so that output is read once. */
import { KeywordAutomaton } from "./keyword_automaton.ts";
import { ERROR_WORDS, type NotableKind, REFUSAL_WORDS } from "./notable.ts";
import { KEY_KEYWORDS } from "./private_key.ts";
import { PUTTY_KEYWORD } from "./putty_key.ts";
import { type Rule, RULES } from "./rules.ts";
import { MANIFEST_KEYWORDS } from "./secret_manifest.ts";
import { NAME_KEYWORDS } from "./secret_names.ts";
import { SPECIAL_BYTES } from "./visible_view.ts";

/** What a keyword stands for. */
export type Entry =
  | { readonly kind: "rule"; readonly rule: Rule; readonly slot: number; readonly length: number }
  | { readonly kind: "name"; readonly length: number }
  | { readonly kind: "key"; readonly length: number }
  | { readonly kind: "putty"; readonly length: number }
  | { readonly kind: "manifest"; readonly length: number };

/** What ends in one accepting state. */
export interface StateEntries {
  readonly entries: readonly Entry[];
  readonly notable: NotableKind | null;
  /** Bytes before the end of the keyword at which a secret can begin, at most. */
  readonly reach: number;
}

/** The automaton with the meaning of its states. Immutable; one is enough for a session. */
export class RuleBook {
  readonly automaton: KeywordAutomaton;
  readonly #entries: (Entry | NotableKind)[] = [];
  readonly #states = new Map<number, StateEntries>();
  /** Number of rules: `slot` of every entry is below it. */
  readonly slots: number;
  /** The keywords of the automaton. */
  readonly keywords: readonly string[];

  constructor(rules: readonly Rule[] = RULES) {
    const keywords: { text: string; hold: boolean }[] = [];
    const add = (text: string, entry: Entry | NotableKind, hold: boolean) => {
      keywords.push({ text, hold });
      this.#entries.push(entry);
    };
    rules.forEach((rule, slot) => {
      for (const text of rule.keywords) {
        add(text, { kind: "rule", rule, slot, length: text.length }, true);
      }
    });
    for (const text of KEY_KEYWORDS) add(text, { kind: "key", length: text.length }, true);
    add(PUTTY_KEYWORD, { kind: "putty", length: PUTTY_KEYWORD.length }, true);
    for (const text of MANIFEST_KEYWORDS) {
      add(text, { kind: "manifest", length: text.length }, false);
    }
    for (const text of NAME_KEYWORDS) add(text, { kind: "name", length: text.length }, false);
    for (const text of REFUSAL_WORDS) add(text, "refusal", false);
    for (const text of ERROR_WORDS) add(text, "error", false);
    this.slots = rules.length;
    this.keywords = keywords.map(({ text }) => text);
    this.automaton = new KeywordAutomaton(keywords, SPECIAL_BYTES);
  }

  /** What the keywords of an accepting state stand for. */
  at(state: number): StateEntries {
    const known = this.#states.get(state);
    if (known !== undefined) return known;
    const all = this.automaton.outputs(state).map((id) => this.#entries[id] as Entry | NotableKind);
    const entries = all.filter((entry) => typeof entry !== "string");
    const made: StateEntries = {
      entries,
      notable: all.includes("refusal") ? "refusal" : all.includes("error") ? "error" : null,
      reach: Math.max(0, ...entries.map((entry) => reachOf(entry))),
    };
    this.#states.set(state, made);
    return made;
  }
}

function reachOf(entry: Entry): number {
  if (entry.kind === "name" || entry.kind === "manifest") return 0;
  return entry.length + (entry.kind === "rule" ? entry.rule.lookback?.max ?? 0 : 0);
}
