/** Ways out by a socket, under a policy without network and under one with all of it. */
import type { Case } from "./attempt.ts";

const [EPERM, EACCES, EAFNOSUPPORT, EPROTONOSUPPORT] = [1, 13, 97, 93] as const;

function call(name: string, rest: Omit<Case, "try">): Case {
  return { try: `calls ${name}`, ...rest };
}

/** Families that a kernel may be built without: then it says so itself, and nothing is open. */
const OPTIONAL = [0, EAFNOSUPPORT, EPROTONOSUPPORT] as const;

/** What neither policy lets through: families and kinds beside TCP and UDP. */
const FAMILIES: readonly Case[] = [
  call("mptcp", { in: "an MPTCP socket", want: [EACCES], bare: OPTIONAL }),
  call("raw", { in: "a raw ICMP socket", want: [EACCES], control: "root" }),
  call("packet", { in: "a packet socket", want: [EACCES], bare: OPTIONAL, control: "root" }),
  call("vsock", { in: "a vsock socket", want: [EACCES], bare: OPTIONAL }),
  call("alg", { in: "an alg socket", want: [EACCES], bare: OPTIONAL }),
  call("bluetooth", { in: "a bluetooth socket", want: [EACCES], bare: [...OPTIONAL, EPERM] }),
  call("source-route", { in: "a source route on a socket", want: [EPERM], control: "root" }),
  call("unicast-device", { in: "a socket that sends by a device of choice", want: [EPERM] }),
  call("bound-device", { in: "a socket of a device of choice", want: [EPERM], control: "root" }),
  call("later-connection", { in: "a connection that is made with the first write", want: [EPERM] }),
  call("netlink-audit", { in: "netlink audit", want: [EACCES], bare: OPTIONAL }),
  call("netlink-uevent", { in: "netlink uevent", want: [EACCES], bare: OPTIONAL }),
  call("netlink-generic", { in: "netlink generic", want: [EACCES], bare: OPTIONAL }),
  call("netlink-netfilter", { in: "netlink netfilter", want: [EACCES], bare: OPTIONAL }),
  call("netlink-diag", { in: "netlink sock_diag", want: [EACCES], bare: OPTIONAL }),
  call("unix-seqpacket", { in: "a unix seqpacket socket", want: [EACCES] }),
  call("unix-datagram", { in: "a unix datagram to someone's socket", want: [EACCES] }),
  call("unix-datagram-pair", { in: "a pair of unix datagram sockets", want: [EAFNOSUPPORT] }),
  call("unix-raw", { in: "a raw unix socket", want: [EACCES] }),
  call("unix-raw-pair", { in: "a pair of raw unix sockets", want: [EAFNOSUPPORT] }),
  call("unix-path", { in: "connecting to someone's unix socket", want: [EACCES] }),
  call("unix-abstract", { in: "connecting to an abstract unix socket", want: [EACCES] }),
];

/** `"net": false`. PORT and UDP_PORT are open on 127.0.0.1. */
export const NO_NETWORK_CASES: readonly Case[] = [
  ...FAMILIES,
  call("tcp-connect", { in: "a TCP connection", want: [EACCES] }),
  // Without a jail these listen on every address of the machine; in it, on the loopback device.
  call("tcp-listen-unbound", { in: "listening everywhere without bind", want: [EACCES] }),
  call("tcp6-listen-unbound", { in: "the same with IPv6", want: [EACCES], bare: OPTIONAL }),
  call("tcp-bind-any", { in: "listening everywhere", want: [EACCES] }),
  call("tcp6-bind-any", { in: "listening everywhere with IPv6", want: [EACCES], bare: OPTIONAL }),
  call("tcp6-bind-mapped-any", {
    in: "listening on ::ffff:0.0.0.0",
    want: [EACCES],
    bare: OPTIONAL,
  }),
  call("tcp-listen-disconnected", { in: "listening after a disconnect", want: [EACCES] }),
  call("tcp-zero", { in: "a connection to 0.0.0.0", want: [EACCES] }),
  call("tcp-after-disconnect", { in: "a connection after a disconnect", want: [EACCES] }),
  call("tcp-fast-open", { in: "MSG_FASTOPEN", want: [EACCES], bare: [0, 95] }),
  call("tcp-dirty", { in: "a TCP connection with dirty upper bits", want: [EACCES] }),
  call("tcp6-mapped", { in: "a connection to a mapped address", want: [EACCES], bare: OPTIONAL }),
  call("udp-send", { in: "a UDP datagram", want: [EACCES] }),
  call("udp-sendmmsg", { in: "sendmmsg over UDP", want: [EACCES] }),
  call("udp6", { in: "a UDP socket of IPv6", want: [EACCES], bare: OPTIONAL }),
  { in: "/dev/tcp", try: "exec 9<>/dev/tcp/127.0.0.1/$PORT" },
  { in: "/dev/udp", try: "exec 9<>/dev/udp/127.0.0.1/$UDP_PORT" },
  {
    in: "a connection by python",
    try:
      'python3 -c \'import os, socket; socket.create_connection(("127.0.0.1", int(os.environ["PORT"])))\'',
  },
  {
    in: "a connection by node",
    try: 'node -e \'require("net").connect(process.env.PORT, "127.0.0.1", () => process.exit(0))' +
      '.on("error", () => process.exit(1))\'',
  },
];

/** `"net": true`: the network, but nobody's unix sockets. */
export const NETWORK_CASES: readonly Case[] = FAMILIES;
