/**
 * Secrets that can be told by their own characters. Most are a prefix and a run and stand in tables by field; here are
 * those that need more: a mark in the middle, several alternatives, or something that is hidden in part.
 */
import { AI_TOKENS } from "./ai_tokens.ts";
import { AZURE_RULES } from "./azure_rules.ts";
import { CLOUD_TOKENS } from "./cloud_tokens.ts";
import { SERVICE_TOKENS } from "./service_tokens.ts";
import { SOURCE_TOKENS } from "./source_tokens.ts";
import type { TokenRule } from "./token_rule.ts";
import type { TokenShape } from "./token_shape.ts";

/** All prefix rows. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  ...AI_TOKENS,
  ...CLOUD_TOKENS,
  ...SOURCE_TOKENS,
  ...SERVICE_TOKENS,
];

const HEX_DIGITS = [..."0123456789abcdef"];

/**
 * First four characters of a Discord bot token: base64 of a number of 17 to 20 digits, the bot's id
 * (discord.com/developers/docs/reference, "Authentication").
 */
const DISCORD_STARTS = [..."123456789"].flatMap((first) =>
  [..."0123456789"].flatMap((second) =>
    [..."0123456789"].map((third) => btoa(first + second + third).toLowerCase())
  )
);

/** Rows with an expression of their own. */
export const TOKEN_RULES: readonly TokenRule[] = [
  // docs.github.com, "About authentication to GitHub"; the long form of ghs_ holds a JWT.
  {
    name: "github-token",
    keywords: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    source: "gh[pousr]_[A-Za-z0-9]{20,}",
    shapes: ["gh(p|o|u|s|r)_{a36:36}"],
    boundary: false,
  },
  {
    name: "github-token",
    keywords: ["ghs_"],
    source: "ghs_\\d{1,20}_eyJ[A-Za-z0-9_.-]{20,}",
    shapes: ["ghs_{d5-9:7}_eyJ{j60:200}"],
    boundary: false,
  },
  {
    name: "github-token",
    keywords: ["github_pat_"],
    source: "github_pat_[A-Za-z0-9_]{20,}",
    shapes: ["github_pat_{a22}_{a59:59}"],
    boundary: false,
  },
  // docs.gitlab.com, "Token overview".
  {
    name: "gitlab-token",
    keywords: ["pat", "dt", "rt", "cbt", "ptt", "ft", "imt", "agent", "soat", "ffct", "rtr", "wt"]
      .map((kind) => `gl${kind}-`),
    source: "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct|rtr|wt)-[A-Za-z0-9_.=-]{16,}",
    shapes: ["gl(pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-{w20:20}", "glpat-{w27}.01.{l9:9}"],
    boundary: false,
  },
  {
    name: "gitlab-token",
    keywords: ["gr1348941"],
    source: "GR1348941[A-Za-z0-9_-]{20,}",
    shapes: ["GR1348941{w20:20}"],
  },
  // docs.slack.dev, "Tokens" and "Incoming webhooks".
  {
    name: "slack-token",
    keywords: ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-"]
      .concat("xoxs-"),
    source: "xox[a-eoprs][.-][A-Za-z0-9.%-]{10,}",
    shapes: ["xox(a|b|o|p|r|s)-{d12}-{d12}-{a24:24}", "xoxe.xoxp-1-{a150:160}"],
    boundary: false,
  },
  {
    name: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    source: "hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})",
    shapes: [],
    group: 1,
    boundary: false,
  },
  // learn.microsoft.com, "Create Incoming Webhooks" (Teams).
  {
    name: "teams-webhook",
    keywords: ["webhook.office.com/"],
    source: "webhook\\.office\\.com/webhookb2/([A-Za-z0-9@/-]{40,})",
    shapes: [],
    group: 1,
    boundary: false,
  },
  // discord.com/developers/docs.
  {
    name: "discord-webhook",
    keywords: ["/api/webhooks/"],
    source: "/api/webhooks/(\\d{5,24}/[A-Za-z0-9_-]{20,})",
    shapes: [],
    group: 1,
    boundary: false,
  },
  {
    name: "discord-token",
    keywords: DISCORD_STARTS,
    source: "[MNO][A-Za-z0-9]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{25,}",
    shapes: ["M(TA|TI|jM|zQ)(w|x|y|z|0|1|2|3|4|5){a20}.{w6}.{w38:38}"],
  },
  // core.telegram.org/bots/api.
  {
    name: "telegram-token",
    keywords: [":aa"],
    source: "\\d{6,12}:AA[A-Za-z0-9_-]{30,}",
    shapes: ["{d10}:AA{w33:33}"],
    lookback: { bytes: "0-9", max: 12 },
  },
  // firebase.google.com/docs/cloud-messaging (server keys).
  {
    name: "firebase-server-key",
    keywords: [":apa91b"],
    source: "[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{60,}",
    shapes: ["AAAA{w7}:APA91b{w134:134}"],
    lookback: { bytes: "A-Za-z0-9_-", max: 11 },
  },
  // docs.stripe.com/keys, and the services that took the notation over.
  {
    name: "stripe-key",
    keywords: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_", "sk_prod_"],
    source: "[rs]k_(?:live|test|org|prod)_[A-Za-z0-9_]{10,}",
    shapes: ["(r|s)k_(live|test)_{a24:24}", "sk_live_{a99:99}"],
  },
  // RFC 7519; the signature may be missing.
  {
    name: "jwt",
    keywords: ["eyj"],
    source: "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?",
    shapes: ["eyJ{w17-33:17}.eyJ{w40-99:60}.{w43:43}"],
    guard: { run: /[A-Za-z0-9_-]/, then: ".eyJ" },
  },
  // RFC 7516: an encrypted token has five parts.
  {
    name: "jwe",
    keywords: ["eyj"],
    source: "eyJ[A-Za-z0-9_-]{8,2048}(?:\\.[A-Za-z0-9_-]{0,1024}){3}\\.[A-Za-z0-9_-]{10,}",
    shapes: ["eyJ{w50}.{w128}.{w16}.{w60}.{w22:22}"],
    guard: { run: /[A-Za-z0-9_-]/, then: "." },
  },
  // RFC 7517, section 4: the private members of a key of JSON Web Keys.
  {
    name: "jwk-private",
    keywords: ['"d":', '"d" :', '\\"d\\":'],
    source: '\\\\?"d\\\\?"\\s{0,4}:\\s{0,4}\\\\?"([A-Za-z0-9_-]{40,})',
    shapes: [],
    group: 1,
    boundary: false,
  },
  // developer.hashicorp.com/terraform.
  {
    name: "terraform-token",
    keywords: [".atlasv1."],
    source: "[A-Za-z0-9]{10,32}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}",
    shapes: ["{a14}.atlasv1.{w67:67}"],
    lookback: { bytes: "A-Za-z0-9", max: 32 },
  },
  // twilio.com/docs/iam/api-keys.
  {
    name: "twilio-key",
    keywords: HEX_DIGITS.map((digit) => "sk" + digit),
    source: "SK[0-9a-f]{32,}",
    shapes: ["SK{h32:32}"],
  },
  // mailchimp.com/developer.
  {
    name: "mailchimp-key",
    keywords: [..."123456789"].map((digit) => "-us" + digit),
    source: "[0-9a-f]{32}-us\\d{1,2}",
    shapes: ["{h32}-us12"],
    lookback: { bytes: "0-9a-f", max: 32 },
  },
  // docs.voyageai.com; without a capital and a digit it is a name.
  {
    name: "voyage-key",
    keywords: ["pa-"],
    source: "pa-(?=[A-Za-z0-9_-]{0,42}[A-Z])(?=[A-Za-z0-9_-]{0,42}\\d)[A-Za-z0-9_-]{40,}",
    shapes: ["pa-{a42:42}B7"],
  },
  // crypt(5), and the encodings of bcrypt and Argon2.
  {
    name: "password-hash",
    keywords: ["$1$", "$5$", "$6$", "$y$", "$7$", "$gy$", "$2a$", "$2b$", "$2y$", "$argon2"]
      .concat("$apr1$", "$pbkdf2", "$scrypt$", "$s0$"),
    source:
      "\\$(?:1|5|6|7|y|gy|2[aby]|apr1|s0|scrypt|argon2(?:id?|d)|pbkdf2[a-z0-9-]{0,16})\\$[A-Za-z0-9./$=,+]{20,}",
    shapes: [
      "$6${a8}${a86:86}",
      "$(2a|2b|2y)$10${a53:53}",
      "$argon2id$v=19$m=65536,t=3,p=4${a22}${a43:43}",
    ],
    boundary: false,
  },
  // developer.hashicorp.com/vault, before version 1.10; also nacos and other signing secrets are alike.
  {
    name: "vault-token",
    keywords: ["x-vault-token: s."],
    source: "X-Vault-Token: (s\\.[A-Za-z0-9]{20,})",
    shapes: [],
    group: 1,
  },
  ...AZURE_RULES,
];
