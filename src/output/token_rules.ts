/** Secrets that can be told by their own prefix, one row for each issuer. The formats are those that issuers document. */

/** Bytes before the keyword that belong to the token: at most `max` that the class accepts. */
export interface Lookback {
  readonly bytes: RegExp;
  readonly max: number;
}

/** A run of bytes of a class, and the text behind it; the run is read once, however often the keyword is in it. */
export interface Guard {
  readonly run: RegExp;
  readonly then: string;
}

/** A row of the table; `source` begins with one of the keywords unless `lookback` is set. */
export interface TokenRule {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly source: string;
  readonly boundary?: boolean;
  readonly lookback?: Lookback;
  readonly group?: number;
  readonly guard?: Guard;
}

const HEX_DIGITS = [..."0123456789abcdef"];

/** Prefix rows: name, source. The keyword of each is its literal beginning. */
export const TOKEN_RULES: readonly TokenRule[] = [
  {
    name: "aws-access-key",
    keywords: ["akia", "asia", "abia", "acca"],
    source: "A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16,}",
  },
  {
    name: "aws-session-token",
    keywords: ["iqojb3jpz2lu"],
    source: "IQoJb3JpZ2lu[A-Za-z0-9/+=%]{20,}",
  },
  { name: "aws-bedrock-key", keywords: ["absk"], source: "ABSK[A-Za-z0-9+/=]{40,}" },
  {
    name: "github-token",
    keywords: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    source: "gh[pousr]_(?:\\d{1,20}_eyJ[A-Za-z0-9_.-]{20,}|[A-Za-z0-9]{20,})",
    boundary: false,
  },
  {
    name: "github-token",
    keywords: ["github_pat_"],
    source: "github_pat_[A-Za-z0-9_]{20,}",
    boundary: false,
  },
  {
    name: "gitlab-token",
    keywords: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glcbt-",
      "glptt-",
      "glft-",
      "glimt-",
      "glagent-",
      "glsoat-",
      "glffct-",
    ],
    source: "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.=-]{16,}",
    boundary: false,
  },
  {
    name: "slack-token",
    keywords: ["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    source: "xox[abeoprs][.-][A-Za-z0-9.-]{10,}",
    boundary: false,
  },
  { name: "slack-token", keywords: ["xapp-"], source: "xapp-[A-Za-z0-9-]{20,}" },
  {
    name: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    source: "hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})",
    group: 1,
    boundary: false,
  },
  {
    name: "discord-webhook",
    keywords: ["/api/webhooks/"],
    source: "/api/webhooks/(\\d{5,24}/[A-Za-z0-9_-]{20,})",
    group: 1,
    boundary: false,
  },
  {
    name: "telegram-token",
    keywords: [":aa"],
    source: "\\d{6,12}:AA[A-Za-z0-9_-]{30,}",
    lookback: { bytes: /\d/, max: 12 },
  },
  { name: "anthropic-key", keywords: ["sk-ant-"], source: "sk-ant-[A-Za-z0-9_-]{16,}" },
  { name: "openrouter-key", keywords: ["sk-or-"], source: "sk-or-[A-Za-z0-9_-]{16,}" },
  {
    name: "openai-key",
    keywords: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    source: "sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{16,}",
  },
  { name: "openai-key", keywords: ["sk-"], source: "sk-[A-Za-z0-9]{20,}" },
  { name: "groq-key", keywords: ["gsk_"], source: "gsk_[A-Za-z0-9]{20,}" },
  { name: "xai-key", keywords: ["xai-"], source: "xai-[A-Za-z0-9]{20,}" },
  { name: "perplexity-key", keywords: ["pplx-"], source: "pplx-[A-Za-z0-9]{20,}" },
  { name: "replicate-token", keywords: ["r8_"], source: "r8_[A-Za-z0-9]{20,}" },
  { name: "nvidia-key", keywords: ["nvapi-"], source: "nvapi-[A-Za-z0-9_-]{20,}" },
  { name: "tavily-key", keywords: ["tvly-"], source: "tvly-[A-Za-z0-9-]{16,}" },
  {
    name: "langsmith-key",
    keywords: ["lsv2_pt_", "lsv2_sk_"],
    source: "lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}",
  },
  { name: "huggingface-token", keywords: ["hf_"], source: "hf_[A-Za-z0-9]{20,}" },
  { name: "google-api-key", keywords: ["aiza"], source: "AIza[A-Za-z0-9_-]{30,}" },
  { name: "google-oauth", keywords: ["gocspx-"], source: "GOCSPX-[A-Za-z0-9_-]{20,}" },
  { name: "google-oauth", keywords: ["ya29."], source: "ya29\\.[A-Za-z0-9_.-]{20,}" },
  { name: "google-oauth", keywords: ["1//0"], source: "1//0[A-Za-z0-9_-]{20,}" },
  { name: "npm-token", keywords: ["npm_"], source: "npm_[A-Za-z0-9]{30,}" },
  { name: "pypi-token", keywords: ["pypi-age"], source: "pypi-AgE[A-Za-z0-9_-]{30,}" },
  { name: "rubygems-key", keywords: ["rubygems_"], source: "rubygems_[0-9a-f]{32,}" },
  {
    name: "stripe-key",
    keywords: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    source: "[rs]k_(?:live|test)_[A-Za-z0-9]{10,}",
  },
  { name: "stripe-webhook", keywords: ["whsec_"], source: "whsec_[A-Za-z0-9+/=]{20,}" },
  {
    name: "jwt",
    keywords: ["eyj"],
    source: "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?",
    guard: { run: /[A-Za-z0-9_-]/, then: ".eyJ" },
  },
  {
    name: "docker-token",
    keywords: ["dckr_pat_", "dckr_oat_"],
    source: "dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}",
  },
  {
    name: "vault-token",
    keywords: ["hvs.", "hvb.", "hvr."],
    source: "hv[sbr]\\.[A-Za-z0-9_-]{20,}",
  },
  {
    name: "terraform-token",
    keywords: [".atlasv1."],
    source: "[A-Za-z0-9]{10,32}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}",
    lookback: { bytes: /[A-Za-z0-9]/, max: 32 },
  },
  {
    name: "sendgrid-key",
    keywords: ["sg."],
    source: "SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}",
  },
  {
    name: "twilio-key",
    keywords: HEX_DIGITS.map((digit) => "sk" + digit),
    source: "SK[0-9a-f]{32,}",
  },
  { name: "mailgun-key", keywords: ["key-"], source: "key-[0-9a-f]{32,}" },
  {
    name: "mailchimp-key",
    keywords: [..."123456789"].map((digit) => "-us" + digit),
    source: "[0-9a-f]{32}-us\\d{1,2}",
    lookback: { bytes: /[0-9a-f]/, max: 32 },
  },
  {
    name: "azure-client-secret",
    keywords: ["q~"],
    source: "[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{30,}",
    lookback: { bytes: /[A-Za-z0-9_~.-]/, max: 4 },
  },
  { name: "age-key", keywords: ["age-secret-key-1"], source: "AGE-SECRET-KEY-1[A-Z0-9]{20,}" },
  {
    name: "password-hash",
    keywords: ["$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$argon2"],
    source: "\\$(?:1|5|6|y|2[aby]|argon2(?:id?|d))\\$[A-Za-z0-9./$=,+]{20,}",
    boundary: false,
  },
  {
    name: "digitalocean-token",
    keywords: ["dop_v1_", "doo_v1_", "dor_v1_"],
    source: "do[opr]_v1_[0-9a-f]{40,}",
  },
  { name: "databricks-token", keywords: ["dapi"], source: "dapi[0-9a-f]{32,}" },
  { name: "pulumi-token", keywords: ["pul-"], source: "pul-[0-9a-f]{40,}" },
  { name: "heroku-key", keywords: ["hrku-"], source: "HRKU-[A-Za-z0-9_-]{30,}" },
  {
    name: "supabase-key",
    keywords: ["sbp_", "sb_secret_"],
    source: "sb(?:p_[0-9a-f]{40,}|_secret_[A-Za-z0-9_-]{20,})",
  },
  {
    name: "doppler-token",
    keywords: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
    source: "dp\\.(?:pt|st|ct|sa)\\.(?:[a-z0-9_-]{1,40}\\.)?[A-Za-z0-9]{30,}",
  },
  { name: "onepassword-token", keywords: ["ops_eyj"], source: "ops_eyJ[A-Za-z0-9+/=_-]{40,}" },
  { name: "tailscale-key", keywords: ["tskey-"], source: "tskey-[A-Za-z0-9-]{16,}" },
  { name: "linear-key", keywords: ["lin_api_"], source: "lin_api_[A-Za-z0-9]{30,}" },
  { name: "notion-token", keywords: ["ntn_"], source: "ntn_[A-Za-z0-9]{30,}" },
  { name: "notion-token", keywords: ["secret_"], source: "secret_[A-Za-z0-9]{43,}" },
  { name: "atlassian-token", keywords: ["atatt3"], source: "ATATT3[A-Za-z0-9_=.-]{50,}" },
  {
    name: "sentry-token",
    keywords: ["sntrys_", "sntryu_"],
    source: "sntry[su]_[A-Za-z0-9+/=_-]{30,}",
  },
  { name: "grafana-token", keywords: ["glsa_", "glc_"], source: "gl(?:sa|c)_[A-Za-z0-9_+/=]{32,}" },
  { name: "newrelic-key", keywords: ["nrak-"], source: "NRAK-[A-Z0-9]{20,}" },
  {
    name: "shopify-token",
    keywords: ["shpat_", "shpca_", "shppa_", "shpss_"],
    source: "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}",
  },
  { name: "postman-key", keywords: ["pmak-"], source: "PMAK-[0-9a-f-]{40,}" },
  { name: "figma-token", keywords: ["figd_"], source: "figd_[A-Za-z0-9_-]{30,}" },
  { name: "facebook-token", keywords: ["eaa"], source: "EAA[A-Za-z0-9]{80,}" },
];
