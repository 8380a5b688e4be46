/**
 * Secrets made at test time, so that no scanner finds one in the repository.
 * Every rule of the table has a row in `SECRETS`; a test compares the two.
 */
import { TOKEN_SAMPLES } from "./token_samples.ts";

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

/** A secret in its surroundings. */
export interface SecretSample {
  readonly rule: string;
  readonly text: string;
  readonly secret: string;
}

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
  privateKey("OpenVPN Static key V1"),
  privateKey("SSH2 ENCRYPTED PRIVATE KEY").replaceAll("-----", "----")
    .replaceAll(/(?<=BEGIN|END) /g, " ").replace("----BEGIN", "---- BEGIN")
    .replace("----END", "---- END").replaceAll("KEY----", "KEY ----"),
  privateKey("PGP PRIVATE KEY BLOCK").replace("-----\n", "-----\nVersion: 1\n\n"),
  `KEY="${privateKey("PRIVATE KEY")}"`,
];

const PUTTY = [
  "PuTTY-User-Key-File-3: ssh-ed25519",
  "Encryption: none",
  "Public-Lines: 1",
  alnum(60, 9),
  "Private-Lines: 3",
  ...KEY_BODY,
  "Private-MAC: " + hex(64),
].join("\n");

/** A secret of a cluster with its kind behind the data, before them, and in JSON. */
const MANIFESTS: readonly string[] = [
  `apiVersion: v1\ndata:\n  user: ${btoa("administrator")}\n  it: ${
    btoa(alnum(30))
  }\nkind: Secret\nmetadata:\n  name: x\n`,
  `---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ntype: Opaque\nstringData:\n  it: |\n    ${
    btoa(alnum(30))
  }\n---\nkind: ConfigMap\n`,
  `{\n    "apiVersion": "v1",\n    "data": {\n        "it": "${
    btoa(alnum(30))
  }"\n    },\n    "kind": "Secret"\n}\n`,
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
  ["netrc", `machine api.example\n\tlogin me\n\tpassword ${SECRET}\n`],
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
  ...TOKEN_SAMPLES.map(({ rule, secret }) => ({ rule, text: `found ${secret} here`, secret })),
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
  {
    rule: "teams-webhook",
    text: `https://x.webhook.office.com/webhookb2/${alnum(36)}@${alnum(36)}/IncomingWebhook/${
      hex(32)
    }`,
    secret: hex(32),
  },
  {
    rule: "jwk-private",
    text: `{"kty":"EC","x":"${alnum(43, 3)}","d":"${alnum(43)}"}`,
    secret: alnum(43),
  },
  {
    rule: "vault-token",
    text: `> X-Vault-Token: s.${alnum(24)}`,
    secret: "s." + alnum(24),
  },
  {
    rule: "private-key-base64",
    text: `tls.key: ${btoa(privateKey("RSA PRIVATE KEY"))}`,
    secret: btoa(privateKey("RSA PRIVATE KEY")),
  },
  {
    rule: "kubernetes-secret",
    text: `{"apiVersion":"v1","data":{"x":"${btoa(alnum(30))}"},"kind":"Secret"}`,
    secret: btoa(alnum(30)),
  },
  {
    rule: "kubernetes-secret",
    text: `{"apiVersion":"v1","kind":"Secret","data":{"x":"${btoa(alnum(30))}"}}`,
    secret: btoa(alnum(30)),
  },
  ...MANIFESTS.map((text) => ({ rule: "kubernetes-secret", text, secret: btoa(alnum(30)) })),
  ...KEY_BODY.map((secret) => ({ rule: "private-key", text: PUTTY, secret })),
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
