/**
 * Which names announce a secret, judged on words: `DB_PASS`, `dbPass` and
 * `db.pass` are names of a secret, `compass` and `PASS_COUNT` are not.
 */

/** A set of the words of a text. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Keywords at which a name of a secret is looked for; lower-case, one of them is in every such name. */
export const NAME_KEYWORDS: readonly string[] = (
  "token,secret,pass,pwd,pswd,apikey,api_key,api-key,privatekey,private_key,private-key," +
  "private key,accesskey,access_key,access-key,credential,dsn,connection_string," +
  "connection-string,connectionstring,accountkey,account_key,signing_key,signingkey," +
  "encryption_key,encryptionkey,master_key,masterkey,auth_key,authkey,_auth,client-key-data," +
  "jwt_key,session_key,deploy_key,license_key,storage_key,storagekey,service_key,hmac_key," +
  "crypt_key,api key,access key"
).split(",");

/** What a name says about its value. */
export type NameKind = "password" | "key" | null;

const PASSWORD_WORDS = wordSet(
  "password passwords passwd passphrase passcode pswd",
);
/** Words that mean a password only at the end of a name: `DB_PASS`, not `pass-through`. */
const SHORT_PASSWORD = /^(?:pass|pwd|pw|sshpass|dbpass|userpass|authpass|dbpwd|mypwd)$/;
const KEY_WORDS = wordSet(
  "token tokens secret secrets apikey credential credentials dsn authkey",
);
const PASSWORD_ENDINGS = /(?:password|passwd|passphrase|pswd)$/;
const KEY_ENDINGS =
  /(?:token|secret|apikey|secretkey|privatekey|accesskey|signingkey|encryptionkey|masterkey|authkey|accountkey|storagekey|deploykey|licensekey|sessionkey|connectionstring|credentials?)$/;
/** Words that make a key out of a following `key`. */
const KEY_PREFIXES = wordSet(
  "api private access secret signing sign encryption encrypt master auth account storage deploy " +
    "license session crypt hmac jwt service",
);
/** Last words of names that describe a secret without holding one. */
const DESCRIPTIVE = wordSet(
  "name names url uri endpoint file filename path dir id ids algorithm alg length len type count " +
    "size ttl expiry expires expiration expired exp limit host port user username email version " +
    "enabled required policy field label hint format lifetime timeout min max strength prompt ref " +
    "usage index budget rate status env var regex pattern placeholder help description title class " +
    "style scope issuer audience input output visible valid mode store manager provider helper " +
    "command cmd reset changed age date time at encoding source arn",
);

function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function isKeyPair(list: readonly string[]): boolean {
  return list.some((word, i) => {
    const next = list[i + 1] ?? "";
    if (word === "connection" && next === "string") return true;
    return KEY_PREFIXES.has(word) && (next === "key" || next === "keys" && i + 2 === list.length);
  });
}

/** Tells what kind of secret a variable, field or option of this name holds; null for none. */
export function secretNameKind(name: string): NameKind {
  // The shell's own variables for the working directory.
  if (name === "PWD" || name === "OLDPWD") return null;
  const list = words(name).map((word) => word.replace(/(?<=[a-z])\d+$/, ""));
  while (list.length > 1 && /^\d+$/.test(list.at(-1) as string)) list.pop();
  const last = list.at(-1);
  if (last === undefined || DESCRIPTIVE.has(last)) return null;
  if (SHORT_PASSWORD.test(last)) return "password";
  if (list.some((word) => PASSWORD_WORDS.has(word) || PASSWORD_ENDINGS.test(word))) {
    return "password";
  }
  if (list.some((word) => KEY_WORDS.has(word) || KEY_ENDINGS.test(word)) || isKeyPair(list)) {
    return "key";
  }
  return list.join("_").endsWith("client_key_data") || name === "_auth" ? "key" : null;
}

/** Names that are remembered with their kind; more are judged anew each time. */
const MAX_NAMES = 1000;

/** Remembers what names mean, because output repeats them. */
export class SecretNames {
  readonly #kinds = new Map<string, NameKind>();

  /** The same as `secretNameKind`. */
  kindOf(name: string): NameKind {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const kind = secretNameKind(name);
    if (this.#kinds.size < MAX_NAMES) this.#kinds.set(name, kind);
    return kind;
  }
}
