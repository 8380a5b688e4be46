/** The secret that a session's commands show to the proxy: other users of the machine reach the port, too. */
import { createHash, timingSafeEqual } from "node:crypto";

/** User name that goes with the token, for clients that need one. */
export const EGRESS_USER = "debrief";

const encoder = new TextEncoder();

/** 256 random bits. They are compared as digests of equal length, so the time says nothing of how much is right. */
export class EgressToken {
  /** For the commands' environment, and for redaction. */
  readonly text: string = Array.from(
    crypto.getRandomValues(new Uint8Array(32)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
  readonly #digest = digestOf(encoder.encode(`${EGRESS_USER}:${this.text}`));

  /** True for the value of a `Proxy-Authorization` field with this token (RFC 7617). */
  acceptsBasic(value: string | null): boolean {
    const encoded = /^basic +([A-Za-z0-9+/]{1,512}={0,2})$/i.exec(value ?? "")?.[1];
    if (encoded === undefined) return false;
    try {
      const decoded = atob(encoded);
      return this.#accepts(Uint8Array.from(decoded, (char) => char.charCodeAt(0)));
    } catch {
      return false;
    }
  }

  /** True for the user name and password of SOCKS with this token (RFC 1929). */
  acceptsPassword(user: Uint8Array, password: Uint8Array): boolean {
    return this.#accepts(new Uint8Array([...user, 0x3a, ...password]));
  }

  #accepts(credentials: Uint8Array): boolean {
    return timingSafeEqual(this.#digest, digestOf(credentials));
  }
}

function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
