/** Short identifiers of commands and sessions. */

/** Crockford base32 in lower case: no i, l, o, u, so an id survives being read aloud or retyped. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 7 characters of 5 bits: 35 bits, so a full journal of 6 MB has a clash with a chance below 1 in 1,000. */
const LENGTH = 7;

/**
 * Makes a new id: `c` for a command or `s` for a session, then 7 characters. Random rather than counted,
 * because sessions that run at the same time share one journal.
 */
export function newId(prefix: "c" | "s"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return prefix + Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
}
