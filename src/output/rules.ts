/**
 * The rules: what a secret looks like. Each row names the keywords at which the automaton stops and a sticky pattern
 * that is tried there, in a window that ends with the line. Three properties keep every row linear and tight:
 * repetition is open-ended only at the end of a pattern, every other repetition has a small upper bound, and nothing is
 * required to the right of a secret.
 */
import { type Guard, type Lookback, TOKEN_RULES } from "./token_rules.ts";

/** One shape of secret. */
export interface Rule {
  /** Name in labels and counts: lower-case words joined by hyphens. */
  readonly name: string;
  /** Lower-case ASCII; one of them occurs in every match. */
  readonly keywords: readonly string[];
  /** Sticky; begins at the keyword, or at the token that contains it when `lookback` is set. */
  readonly pattern: RegExp;
  /** Capture group that holds the secret; the whole match when absent. */
  readonly group?: number;
  /** False when a letter or digit may touch the match on its left; true when absent. */
  readonly boundary?: boolean;
  /** What has to stand behind the bytes that follow the keyword, tested before the pattern. */
  readonly guard?: Guard;
  /** Bytes before the keyword that belong to the match. */
  readonly lookback?: Lookback;
  /** Set when placeholders, types and plain words are no secrets at this place: what kind of secret stands there. */
  readonly checked?: "password" | "key";
}

/** Builds a row; `source` is case-sensitive unless `flags` says otherwise. */
function row(
  name: string,
  keywords: readonly string[],
  rest: { source: string; flags?: string } & Omit<Partial<Rule>, "name" | "keywords" | "pattern">,
): Rule {
  const { source, flags = "", ...options } = rest;
  return { name, keywords, pattern: new RegExp(source, "dy" + flags), ...options };
}

const QUOTES = `["'\\\\]{0,6}`;

/** Shapes that need more than a prefix: headers, addresses, command lines. */
const CONTEXT_RULES: readonly Rule[] = [
  row("authorization", ["authorization"], {
    source: `authorization${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}` +
      `(?:bearer|basic|token|digest|apikey|negotiate|ntlm|key|aws4-hmac-sha256)\\s{1,4}([^\\s"'\\\\]{4,})`,
    flags: "i",
    group: 1,
    boundary: false,
    checked: "key",
  }),
  row("authorization", ["authorization"], {
    source: `authorization${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}(?!aws4-)([^\\s"'\\\\]{16,})`,
    flags: "i",
    group: 1,
    boundary: false,
    checked: "key",
  }),
  row("bearer-token", ["bearer "], {
    source: "bearer\\s{1,4}(?=[^\\s]{0,60}\\d)([A-Za-z0-9_.~+/=-]{12,})",
    flags: "i",
    group: 1,
    checked: "key",
  }),
  row("cookie", ["cookie:", 'cookie"', "cookie'", "cookie ="], {
    source:
      `cookie${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}([A-Za-z0-9_.%-]{1,128}=[^\\r\\n"'\\\\]{4,})`,
    flags: "i",
    group: 1,
  }),
  row("url-password", ["://"], {
    source:
      `://(?:\\[REDACTED:[A-Za-z0-9_.-]{1,64}#\\d{1,9}\\]|[^\\s/@:"'<>\\\\[]{0,128}):([^\\s/"'<>\\\\]{2,512})@`,
    group: 1,
    boundary: false,
    checked: "password",
  }),
  row("url-token", ["://"], {
    source: `://([A-Za-z0-9_.~%+-]{20,512})@`,
    group: 1,
    boundary: false,
    checked: "password",
  }),
  row("signed-url", ["sig=", "x-amz-signature=", "x-goog-signature=", "sharedaccesssignature="], {
    source: "[a-z-]{3,22}=([A-Za-z0-9%+/=_-]{20,})",
    flags: "i",
    group: 1,
  }),
  row("docker-auth", ['"auth"'], {
    source: '"auth"\\s{0,4}:\\s{0,4}"([A-Za-z0-9+/=]{12,})',
    flags: "i",
    group: 1,
  }),
  row("command-line", ["curl "], {
    source:
      `curl\\s[^\\r\\n|;&]{0,300}?(?<=\\s)(?:-u|--user|-U|--proxy-user)[ =]?["']?[^\\s"':]{1,128}:([^\\s"']{2,256})`,
    group: 1,
    checked: "password",
  }),
  row("command-line", ["mysql", "mariadb"], {
    source:
      `(?:mysql|mariadb)[a-z-]{0,16}\\s[^\\r\\n|;&]{0,200}?(?<=\\s)-p["']?([^\\s"'-][^\\s"']{2,256})`,
    group: 1,
    checked: "password",
  }),
  row("command-line", ["sshpass"], {
    source: `sshpass\\s{1,4}-p\\s{0,4}["']?([^\\s"']{3,256})`,
    group: 1,
    checked: "password",
  }),
  row("command-line", ["redis-cli"], {
    source: `redis-cli\\s[^\\r\\n|;&]{0,200}?(?<=\\s)-a\\s{1,4}["']?([^\\s"']{4,256})`,
    group: 1,
    checked: "password",
  }),
  row("command-line", ["docker login"], {
    source: `docker login\\s[^\\r\\n|;&]{0,200}?(?<=\\s)-p\\s{0,4}["']?([^\\s"']{4,256})`,
    group: 1,
    checked: "password",
  }),
  row("command-line", ["pass:"], {
    source: `pass:([^\\s"',;]{4,256})`,
    group: 1,
    checked: "password",
  }),
  row("netrc", ["login "], {
    source: "login\\s{1,8}[^\\s]{1,128}\\s{1,8}password\\s{1,8}([^\\s]{3,})",
    group: 1,
    checked: "password",
  }),
];

/** All rules with a pattern, in the order in which they are tried at one place. */
export const RULES: readonly Rule[] = [
  ...CONTEXT_RULES,
  ...TOKEN_RULES.map(({ name, keywords, source, ...options }) =>
    row(name, keywords, { source, ...options })
  ),
];
