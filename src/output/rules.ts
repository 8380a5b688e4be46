/**
 * The rules: what a secret looks like. Each row names the keywords at which the automaton stops and a sticky pattern
 * that is tried there, in a window that ends with the line. Three properties keep every row linear and tight:
 * repetition is open-ended only at the end of a pattern, every other repetition has a small upper bound, and nothing is
 * required to the right of a secret.
 */
import { type ByteTable, byteTable } from "./ascii.ts";
import type { Guard, Lookback } from "./token_rule.ts";
import { TOKEN_RULES, TOKEN_SHAPES } from "./token_rules.ts";
import { compileShape } from "./token_shape.ts";

/** One shape of secret. */
export interface Rule {
  /** Name in labels and counts: lower-case words joined by hyphens. */
  readonly name: string;
  /** Lower-case ASCII; one of them occurs in every match. */
  readonly keywords: readonly string[];
  /** Sticky; begins at the keyword, or at the token that contains it when `lookback` is set. */
  readonly pattern: RegExp;
  /** Capture group that holds the secret and ends the match; the whole match when absent. */
  readonly group?: number;
  /** Bytes that must stand right behind the keyword, tested first: most words that hold a keyword fail here. */
  readonly first?: { readonly bytes: ByteTable; readonly count: number };
  /** False when a letter or digit may touch the match on its left; true when absent. */
  readonly boundary?: boolean;
  /** What has to stand behind the bytes that follow the keyword, tested before the pattern. */
  readonly guard?: Guard;
  /** Bytes before the keyword that belong to the match. */
  readonly lookback?: { readonly bytes: ByteTable; readonly max: number };
  /** Bytes before the keyword that the pattern may look at but that do not belong to the match. */
  readonly behind?: number;
  /** Set when placeholders, types and plain words are no secrets at this place: what kind of secret stands there. */
  readonly checked?: "password" | "key";
}

/** Builds a row; `source` is case-sensitive unless `flags` says otherwise, and compiled when it is first tried. */
function row(
  name: string,
  keywords: readonly string[],
  rest:
    & { source: string; flags?: string; lookback?: Lookback }
    & Omit<Partial<Rule>, "name" | "keywords" | "pattern" | "lookback">,
): Rule {
  const { source, flags = "", lookback, ...options } = rest;
  let pattern: RegExp | null = null;
  const back = lookback && { bytes: byteTable(lookback.bytes), max: lookback.max };
  return {
    ...options,
    name,
    keywords,
    get pattern() {
      return pattern ??= new RegExp(source, "y" + flags);
    },
    ...(back ? { lookback: back } : {}),
  };
}

/** More bytes than these behind a keyword are left to the pattern. */
const MAX_FIRST = 12;

/** Builds the row of a token's shape; what must follow the keyword is known when the keyword is all of the prefix. */
function shapeRow(name: string, shape: string): Rule {
  const { keywords, source, run } = compileShape(shape);
  if (run === null) return row(name, keywords, { source });
  const first = { bytes: run.bytes, count: Math.min(run.min, MAX_FIRST) };
  return row(name, keywords, { source, first });
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
      `://(?:\\[REDACTED:[A-Za-z0-9_.-]{1,64}#\\d{1,9}\\]|[^\\s/@:"'<>\\\\[]{0,128}):([^\\s/"'<>\\\\]{2,512})(?=@)`,
    group: 1,
    boundary: false,
    checked: "password",
  }),
  row("url-token", ["://"], {
    source: `://([A-Za-z0-9_.~%+-]{20,512})(?=@)`,
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
  // On one line or over several (netrc(5)); the words before it stand behind the keyword's place.
  row("netrc", ["password ", "password\t", "passwd "], {
    source:
      "(?<=(?:login|account|machine|user)[ \\t]{1,8}[^\\s]{1,128}\\s{1,64}|default\\s{1,64})passw(?:or)?d[ \\t]{1,8}([^\\s]{3,})",
    group: 1,
    behind: 220,
    checked: "password",
  }),
  // A key in PEM, encoded once more: the beginning says whether it is a private one.
  row("private-key-base64", ["ls0tls1crudjti"], {
    source:
      "LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFW|BSU0EgUFJJVkFURSBLRV|BFQyBQUklWQVRFIEtFW|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRV|BEU0EgUFJJVkFURSBLRV|BQR1AgUFJJVkFURSBLRV)[A-Za-z0-9+/=_-]{20,}",
  }),
  // kubernetes.io/docs/concepts/configuration/secret, written on one line.
  row("kubernetes-secret", ['"data":', '"stringdata":'], {
    source:
      '"(?:data|stringData)":\\s{0,4}\\{(?=[^\\r\\n]{0,2000}"kind":\\s{0,4}"Secret")([^}\\r\\n]{4,})',
    group: 1,
    boundary: false,
  }),
  row("kubernetes-secret", ['"data":', '"stringdata":'], {
    source:
      '(?<="kind":\\s{0,4}"Secret"[^\\r\\n]{0,400})"(?:data|stringData)":\\s{0,4}\\{([^}\\r\\n]{4,})',
    group: 1,
    boundary: false,
    behind: 460,
  }),
];

/** All rules with a pattern, in the order in which they are tried at one place. */
export const RULES: readonly Rule[] = [
  ...CONTEXT_RULES,
  ...TOKEN_RULES.map(({ name, keywords, shapes: _, ...options }) => row(name, keywords, options)),
  ...TOKEN_SHAPES.map(([name, shape]) => shapeRow(name, shape)),
];
