/** Secrets of every shape, and values that are none; all from seeded random characters. */
import { seeded, TOKEN_SAMPLES } from "../token_samples.ts";

/** A value to be placed. */
export interface Shape {
  readonly name: string;
  /** Name under which it stands. */
  readonly label: string;
  readonly value: string;
  /** It is a secret because of its name alone. */
  readonly named?: true;
}

const HEX = "0123456789abcdef";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const ALNUM = LOWER + LOWER.toUpperCase() + "0123456789";

/** Random characters that depend on the seed alone. */
export function characters(alphabet: string, length: number, seed: string): string {
  const next = seeded(seed);
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
}

const NAMES = [
  "DB_PASSWORD",
  "api_key",
  "clientSecret",
  "AUTH_TOKEN",
  "aws_secret_access_key",
  "private-token",
  "REDIS_PASS",
  "SIGNING_KEY",
] as const;

const VALUES: readonly (readonly [string, (seed: string) => string])[] = [
  ["password of 12", (seed) => characters(ALNUM, 10, seed) + "7x"],
  ["password with marks", (seed) => "P-" + characters(ALNUM + "!*+.", 14, seed) + "9z"],
  ["key of 40", (seed) => characters(ALNUM, 38, seed) + "7x"],
  ["key of 64 hex", (seed) => characters(HEX, 62, seed) + "7a"],
  ["base64 of 32 bytes", (seed) => characters(ALNUM + "+/", 41, seed) + "7="],
  [
    "UUID",
    (seed) => characters(HEX, 32, seed).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
  ],
];

/** Secrets: one of each token row, and values under each of the names. */
export const SECRET_SHAPES: readonly Shape[] = [
  ...TOKEN_SAMPLES.map(({ rule, shape, secret }) => ({
    name: `${rule} ${shape}`,
    label: "setting",
    value: secret,
  })),
  ...NAMES.flatMap((label) =>
    VALUES.map(([name, make]) => ({
      name: `${label}: ${name}`,
      label,
      value: make(label + name),
      named: true as const,
    }))
  ),
];

/** Values that look like secrets and are none. */
export const HARMLESS_SHAPES: readonly Shape[] = ([
  ["commit", "commit", characters(HEX, 40, "c")],
  ["short commit", "revision", characters(HEX, 10, "s")],
  ["SHA-256", "sha256", characters(HEX, 64, "d")],
  ["image digest", "image", `app@sha256:${characters(HEX, 64, "i")}`],
  ["MD5", "etag", characters(HEX, 32, "m")],
  ["integrity", "integrity", `sha512-${characters(ALNUM + "+/", 86, "n")}==`],
  ["go.sum", "checksum", `h1:${characters(ALNUM + "+/", 43, "g")}=`],
  ["UUID", "request_id", "123e4567-e89b-42d3-a456-426614174000"],
  ["ULID", "id", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["trace id", "traceparent", `00-${characters(HEX, 32, "t")}-${characters(HEX, 16, "u")}-01`],
  ["version", "version", "1.24.3-alpine3.21+build.7"],
  ["path", "path", "/srv/app/node_modules/.bin/webpack-dev-server"],
  ["address", "url", "https://cdn.example/assets/main.4f8a1c2e9b.chunk.js"],
  ["e-mail", "author", "jane.doe@example.com"],
  ["date", "created_at", "2026-01-17T09:12:33.123456Z"],
  ["number", "count", "12345678901234567890"],
  ["snake name", "target", "test_that_a_rather_long_name_of_a_function_is_kept"],
  ["kebab name", "branch", "feature-add-support-for-very-long-branch-names-2026"],
  ["camel name", "class", "AbstractSingletonProxyFactoryBeanConfigurationProvider"],
  ["pod", "pod", "checkout-7d9c5b6f4d-x2x9k"],
  ["symbol", "symbol", "_ZNSt6vectorIiSaIiEE12emplace_backIJiEEERiDpOT_"],
  ["image", "icon", `data:image/png;base64,iVBORw0KGgo${characters(ALNUM + "+/", 160, "p")}=`],
  ["public key", "key", `ssh-rsa AAAAB3NzaC1yc2E${characters(ALNUM + "+/", 200, "k")}`],
  ["address v6", "peer", "2001:0db8:85a3:0000:0000:8a2e:0370:7334"],
  ["media type", "accept", "application/vnd.github.v3+json"],
  ["ARN", "role", "arn:aws:iam::123456789012:role/deploy-role"],
  ["CSS classes", "className", "flex-1 px-4 py-2 text-sm font-medium rounded-md"],
  ["reference", "token", "${DEPLOY_TOKEN}"],
  ["placeholder", "password", "<your-password>"],
  ["masked", "api_key", "********"],
  ["key file", "private_key_path", "/home/me/.ssh/id_ed25519"],
  ["address of tokens", "token_url", "https://auth.example/oauth2/token"],
  ["token count", "max_tokens", "128000"],
  ["policy", "password_policy", "at-least-12-characters"],
] as const).map(([name, label, value]) => ({ name, label, value }));
