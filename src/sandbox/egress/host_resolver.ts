/** Names to addresses, by the system's own resolver: `/etc/hosts`, `nsswitch.conf` and the search list count as for any program. */
import { lookup } from "node:dns/promises";
import { canonicalHost } from "../../policy/net_entry.ts";

/** Bounds of name resolution. */
export interface ResolverLimits {
  /** Time for one name, in ms. */
  readonly resolveMs: number;
  /** Lookups under way at once. */
  readonly lookups: number;
}

/**
 * Resolves names. A lookup cannot be cancelled and holds a thread of the runtime's pool, which other work of the shell
 * needs too; so one that takes too long still counts until it ends.
 */
export class HostResolver {
  readonly #limits: ResolverLimits;
  #pending = 0;

  constructor(limits: ResolverLimits) {
    this.#limits = limits;
  }

  /** The addresses of a name. @throws {Error} whose message says why there are none. */
  async resolve(name: string): Promise<readonly string[]> {
    if (this.#pending >= this.#limits.lookups) throw new Error("too many names are being resolved");
    this.#pending++;
    const answer = lookup(name, { all: true, order: "verbatim" })
      .finally(() => this.#pending--);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error("the name server does not answer")),
      this.#limits.resolveMs,
    );
    try {
      const found = await Promise.race([answer, late.promise]);
      return found.map(({ address }) => address);
    } catch (error) {
      answer.catch(() => {});
      const code = error instanceof Error && "code" in error ? String(error.code) : null;
      throw code === null ? error : new Error(`the name does not resolve (${code})`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The addresses of this machine's interfaces, in canonical form. */
export function interfaceAddresses(): readonly string[] {
  return Deno.networkInterfaces().flatMap(({ address }) =>
    canonicalHost(address.includes(":") ? `[${address.split("%")[0]}]` : address) ?? []
  );
}
