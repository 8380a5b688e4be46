/** Which socket options a jailed process may set, as data for its filter. */
import { ERRNO, SO } from "./linux/uapi.ts";
import type { ArgumentRule, Clause } from "./syscall_rules.ts";

/**
 * Socket options that send packets elsewhere than to the address that was decided on, by level: source routes (IP_OPTIONS,
 * IPV6_2292PKTOPTIONS, _HOPOPTS, _RTHDRDSTOPTS, _RTHDR, _DSTOPTS) and devices (SO_BINDTODEVICE, SO_BINDTOIFINDEX,
 * IP_UNICAST_IF, IPV6_UNICAST_IF), or later than it was (TCP_FASTOPEN_CONNECT, TCP_FASTOPEN_NO_COOKIE):
 * `linux/in.h`, `linux/in6.h`, `asm-generic/socket.h`, `linux/tcp.h`. TCP_ULP turns a socket into one of another protocol.
 */
const SOCKET_OPTIONS_REFUSED: readonly (readonly [level: number, options: readonly number[]])[] = [
  [0, [4, 50]],
  [1, [25, 62]],
  [6, [30, 31, 34]],
  [41, [6, 54, 55, 57, 59, 76]],
];
/** `SO_REUSEPORT`, `asm-generic/socket.h`. */
const SO_REUSEPORT = 15;
/** `SO_LINGER`, `SO_SNDTIMEO_OLD` and `SO_SNDTIMEO_NEW`: how long a call on a socket, which the supervisor shares, may wait. */
const SOCKET_OPTIONS_SUPERVISED = [13, 21, 67];
/**
 * The rule of `setsockopt`.
 *
 * A port that is shared would give a command connections that are meant for a server of the user's: asking for it has no
 * effect, because servers that ask work without it.
 *
 * @param options.sharesPorts true where the network is none of the machine's, or all of it is granted.
 */
export function socketOptionRule({ sharesPorts }: { readonly sharesPorts: boolean }): ArgumentRule {
  const named = (level: number, options: readonly number[]): Clause => [
    { arg: 1, in: [level] },
    { arg: 2, in: options },
  ];
  const shared = { clause: named(SO.SOL_SOCKET, [SO_REUSEPORT]), answer: "nothing" } as const;
  return {
    call: "setsockopt",
    deny: SOCKET_OPTIONS_REFUSED.map(([level, options]) => named(level, options)),
    errno: ERRNO.EPERM,
    further: [
      ...(sharesPorts ? [] : [shared]),
      { clause: named(SO.SOL_SOCKET, SOCKET_OPTIONS_SUPERVISED), answer: "supervisor" },
    ],
  };
}
