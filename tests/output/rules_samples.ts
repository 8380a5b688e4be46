/**
 * Secrets made at test time, so that no scanner finds one in the repository.
 * Every rule of the table has a row in `SECRETS`; a test compares the two.
 */

/** Deterministic characters: the same row always gives the same secret. */
function characters(alphabet: string, length: number, seed: number): string {
  let state = seed * 2654435761 % 4294967296;
  let out = "";
  for (let i = 0; i < length; i++) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    out += alphabet[Math.floor(state / 65536) % alphabet.length];
  }
  return out;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

/** Letters and digits, at least one of each. */
export function alnum(length: number, seed = 1): string {
  return "a7" + characters(UPPER + LOWER + DIGITS, length - 2, seed);
}

/** Hexadecimal digits. */
export function hex(length: number, seed = 1): string {
  return "a7" + characters("0123456789abcdef", length - 2, seed);
}

/** Characters of a base32 alphabet. */
export function base32(length: number, seed = 1): string {
  return characters(UPPER + "234567", length, seed);
}

/** A secret in its surroundings. */
export interface SecretSample {
  readonly rule: string;
  readonly text: string;
  readonly secret: string;
}

function jwt(seed: number): string {
  return ["ey" + "J" + alnum(20, seed), "ey" + "J" + alnum(40, seed + 1), alnum(43, seed + 2)].join(
    ".",
  );
}

/** Rows of tokens with a prefix of their own: rule, prefix, rest. */
const TOKENS: readonly (readonly [string, string, string])[] = [
  ["aws-access-key", "AK" + "IA", base32(16)],
  ["aws-access-key", "AS" + "IA", base32(16, 2)],
  ["aws-session-token", "IQoJb3Jp" + "Z2lu", alnum(200)],
  ["aws-bedrock-key", "AB" + "SK", alnum(110)],
  ["github-token", "gh" + "p_", alnum(36)],
  ["github-token", "gh" + "s_", alnum(36, 3)],
  ["github-token", "gh" + "s_", "12345_ey" + "J" + alnum(30, 4)],
  ["github-token", "github_" + "pat_", alnum(22) + "_" + alnum(59, 5)],
  ["gitlab-token", "gl" + "pat-", alnum(20)],
  ["gitlab-token", "gl" + "rt-", alnum(20, 6)],
  ["slack-token", "xox" + "b-", "123456789012-" + alnum(24)],
  ["slack-token", "xap" + "p-", "1-A0123-" + alnum(40)],
  ["telegram-token", "123456789" + ":AA", alnum(33)],
  ["anthropic-key", "sk-" + "ant-", "api03-" + alnum(93)],
  ["openrouter-key", "sk-" + "or-", "v1-" + hex(64)],
  ["openai-key", "sk-" + "proj-", alnum(48)],
  ["openai-key", "sk" + "-", alnum(48, 7)],
  ["groq-key", "gs" + "k_", alnum(52)],
  ["xai-key", "xa" + "i-", alnum(80)],
  ["perplexity-key", "pp" + "lx-", alnum(48)],
  ["replicate-token", "r" + "8_", alnum(37)],
  ["nvidia-key", "nv" + "api-", alnum(64)],
  ["tavily-key", "tv" + "ly-", alnum(32)],
  ["langsmith-key", "lsv2" + "_pt_", hex(32) + "_" + hex(10)],
  ["huggingface-token", "h" + "f_", alnum(34)],
  ["google-api-key", "AI" + "za", alnum(35)],
  ["google-oauth", "GOC" + "SPX-", alnum(28)],
  ["google-oauth", "ya" + "29.", alnum(60)],
  ["google-oauth", "1/" + "/0", alnum(40)],
  ["npm-token", "np" + "m_", alnum(36)],
  ["pypi-token", "pypi" + "-AgE", alnum(80)],
  ["rubygems-key", "ruby" + "gems_", hex(48)],
  ["stripe-key", "sk_" + "live_", alnum(24)],
  ["stripe-key", "rk_" + "test_", alnum(24, 8)],
  ["stripe-webhook", "wh" + "sec_", alnum(32)],
  ["jwt", "ey" + "J", jwt(9).slice(3)],
  ["docker-token", "dckr" + "_pat_", alnum(27)],
  ["vault-token", "hv" + "s.", alnum(90)],
  ["terraform-token", alnum(14) + ".atlas" + "v1.", alnum(60)],
  ["sendgrid-key", "S" + "G.", alnum(22) + "." + alnum(43)],
  ["twilio-key", "S" + "K", hex(32)],
  ["mailgun-key", "ke" + "y-", hex(32)],
  ["mailchimp-key", hex(32), "-us" + "12"],
  ["azure-client-secret", "abc8" + "Q~", alnum(34)],
  ["age-key", "AGE-SECRET" + "-KEY-1", base32(58)],
  ["password-hash", "$" + "6$", alnum(8) + "$" + alnum(86)],
  ["password-hash", "$" + "2b$", "10$" + alnum(53)],
  ["digitalocean-token", "dop" + "_v1_", hex(64)],
  ["databricks-token", "da" + "pi", hex(32)],
  ["pulumi-token", "pu" + "l-", hex(40)],
  ["heroku-key", "HR" + "KU-", alnum(60)],
  ["supabase-key", "sb" + "p_", hex(40)],
  ["doppler-token", "dp" + ".pt.", alnum(43)],
  ["onepassword-token", "ops" + "_eyJ", alnum(80)],
  ["tailscale-key", "ts" + "key-", "auth-" + alnum(30)],
  ["linear-key", "lin" + "_api_", alnum(40)],
  ["notion-token", "nt" + "n_", alnum(46)],
  ["notion-token", "sec" + "ret_", alnum(43)],
  ["atlassian-token", "ATA" + "TT3", alnum(180)],
  ["sentry-token", "sntry" + "s_", alnum(60)],
  ["grafana-token", "gl" + "sa_", alnum(32) + "_" + hex(8)],
  ["newrelic-key", "NR" + "AK-", base32(27)],
  ["shopify-token", "shp" + "at_", hex(32)],
  ["postman-key", "PM" + "AK-", hex(24) + "-" + hex(34)],
  ["figma-token", "fig" + "d_", alnum(40)],
  ["facebook-token", "EA" + "A", alnum(120)],
];

/** Body lines of a key. */
export const KEY_BODY = [1, 2, 3].map((seed) => "MI" + alnum(62, seed));

/** A private key in one of the layouts in which tools print it. */
function privateKey(
  kind: string,
  options: { join?: string; lead?: (line: number) => string; last?: string } = {},
): string {
  const { join = "\n", lead = () => "" } = options;
  const lines = [
    `-----${"BEGIN"} ${kind}-----`,
    ...KEY_BODY,
    options.last ?? alnum(20) + "==",
    `-----${"END"} ${kind}-----`,
  ];
  return lines.map((line, i) => lead(i + 1) + line).join(join);
}

const KEY_LAYOUTS: readonly string[] = [
  privateKey("RSA PRIVATE KEY"),
  privateKey("OPENSSH PRIVATE KEY"),
  privateKey("PRIVATE KEY", { join: "\r\n" }),
  privateKey("EC PRIVATE KEY", { lead: () => "    " }),
  privateKey("PRIVATE KEY", { lead: () => "+" }),
  privateKey("PRIVATE KEY", { lead: (line) => `deploy/key.pem:${line}:` }),
  privateKey("PRIVATE KEY", { lead: (line) => `     ${line}\t` }),
  `{"private_key": "${privateKey("PRIVATE KEY", { join: "\\n" })}\\n", "x": 1}`,
  privateKey("PGP PRIVATE KEY BLOCK").replace("-----\n", "-----\nVersion: 1\n\n"),
  `KEY="${privateKey("PRIVATE KEY")}"`,
];

const SECRET = "s3cr3t-" + alnum(14);
const KEY = alnum(40, 11);

/** Secrets that are known by what stands around them. */
const IN_CONTEXT: readonly SecretSample[] = ([
  ["authorization", `Authorization: Bearer ${KEY}`],
  ["authorization", `-H "authorization: Basic ${KEY}"`],
  ["authorization", `{"Authorization": "token ${KEY}"}`],
  ["authorization", `authorization: ${KEY}`],
  ["bearer-token", `sending bearer ${KEY} to the server`],
  ["cookie", `Cookie: session=${KEY}; theme=dark`],
  ["cookie", `Set-Cookie: sid=${KEY}; Path=/; HttpOnly`],
  ["url-password", `postgres://app:${SECRET}@db.internal:5432/app`],
  ["url-token", `https://${KEY}@git.example.com/x.git`],
  ["signed-url", `https://x.blob.example/c?sv=1&sig=${KEY}&se=2`],
  ["signed-url", `https://s3.example/b?X-Amz-Signature=${hex(64)}`, hex(64)],
  ["docker-auth", `{"auths": {"r.example": {"auth": "${KEY}"}}}`],
  ["command-line", `curl -s -u admin:${SECRET} https://api.example`],
  ["command-line", `mysql -u root -p${SECRET} shop`],
  ["command-line", `sshpass -p ${SECRET} ssh host`],
  ["command-line", `redis-cli -h cache -a ${SECRET} ping`],
  ["command-line", `docker login -u me -p ${SECRET} r.example`],
  ["command-line", `openssl rsa -passin pass:${SECRET} -in k.pem`],
  ["netrc", `machine api.example login me password ${SECRET}`],
  ["assignment", `DB_PASSWORD=${SECRET}`],
  ["assignment", `export GITLAB_TOKEN="${KEY}"`],
  ["assignment", `AWS_SECRET_ACCESS_KEY=${KEY}`],
  ["assignment", `aws_secret_access_key = ${KEY}`],
  ["assignment", `{"password": "${SECRET}", "user": "bob"}`],
  ["assignment", `"{\\"api_key\\":\\"${KEY}\\"}"`],
  ["assignment", `"{\\\\\\"token\\\\\\": \\\\\\"${KEY}\\\\\\"}"`],
  ["assignment", `  clientSecret: ${KEY}`],
  ["assignment", `password: ${SECRET}`],
  ["assignment", `db.password = ${SECRET}`],
  ["assignment", `config["secret_key"] = '${KEY}'`],
  ["assignment", `api_key: b"${KEY}"`],
  ["assignment", `<password>${SECRET}</password>`],
  ["assignment", `PATH=/bin\0API_KEY=${KEY}\0HOME=/root\0`],
  ["assignment", `Server=db;User Id=sa;Password=${SECRET};Encrypt=true`],
  ["assignment", `DefaultEndpointsProtocol=https;AccountKey=${KEY}==`],
  ["assignment", `deploy --password ${SECRET} --verbose`],
  ["assignment", `deploy --api-key=${KEY}`],
  ["assignment", `GET /v1?access_token=${KEY}&page=2`],
  ["assignment", `//registry.example/:_authToken=${KEY}`],
  ["assignment", `{"name": "DB_PASSWORD", "value": "${SECRET}"}`],
  ["assignment", `- name: DB_PASSWORD\n  value: ${SECRET}`],
  ["assignment", `x-api-key: ${KEY}`],
  ["assignment", `PRIVATE-TOKEN: ${KEY}`],
  ["assignment", `2025-01-01 INFO login with password: ${SECRET}`],
  ["assignment", `    client-key-data: ${KEY}`],
  ["assignment", `PGPASSWORD=${SECRET} psql`],
  ["assignment", `password := "${SECRET}"`],
  ["assignment", `:password => '${SECRET}',`],
] as const).map(([rule, text, secret]) => ({
  rule,
  text,
  secret: secret ?? (text.includes(KEY) ? KEY : SECRET),
}));

/** Every secret that has to be hidden as a whole. */
export const SECRETS: readonly SecretSample[] = [
  ...TOKENS.map(([rule, prefix, rest]) => ({
    rule,
    text: `found ${prefix}${rest} here`,
    secret: prefix + rest,
  })),
  {
    rule: "slack-webhook",
    text: `https://hooks.slack.com/services/T0/B0/${alnum(24)}`,
    secret: alnum(24),
  },
  {
    rule: "discord-webhook",
    text: `https://discord.com/api/webhooks/123456789/${alnum(60)}`,
    secret: alnum(60),
  },
  ...IN_CONTEXT,
  ...KEY_LAYOUTS.flatMap((text) =>
    KEY_BODY.map((secret) => ({ rule: "private-key", text, secret }))
  ),
];

/** Characters that stand beside a secret in real output. */
export const NEIGHBOURS: readonly (readonly [string, string])[] = [
  ["", ""],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["(", ")"],
  ["<", ">"],
  ["[", "]"],
  ["=", ","],
  [": ", "."],
  ["\\n", "\\n"],
  ["\x1b[31m", "\x1b[0m"],
  ["\t", "\r"],
  ["/", "/"],
  ["|", "|"],
  ["%3D", "%26"],
  ["$", ";"],
  ["@", "!"],
];
